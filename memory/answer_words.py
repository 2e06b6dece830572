"""The words of yes, of no and of an offer to remember, in nine languages: what `answers` matches.

Regular expressions, matched without case, accents and Arabic vowel signs; a space is any space. All languages are tried
at once, because an "ok" belongs to everybody.
"""

AGREED = (
    # English
    r"yes|yep|yeah|yup|yea|aye|sure(?: thing)?|ok|okay|okey|k|alright|all right|of course|absolutely|definitely|"
    r"certainly|please do|go ahead|go for it|do it|do that|do so|by all means|sounds good|fine|correct|exactly|agreed|"
    r"i agree|yes you (?:may|can|should)|you (?:may|can|should)|that's right|that is right|that would be (?:great|"
    r"nice)|i'd like that",
    # Spanish
    r"sí|si|claro(?: que sí)?|vale|por supuesto|de acuerdo|está bien|dale|adelante|hazlo|hágalo|cómo no|perfecto|"
    r"desde luego|correcto|exacto|así es",
    # German
    r"ja|jawohl|jo|jep|jup|klar|na klar|gern|gerne|sicher|natürlich|in ordnung|mach das|tu das|machen sie das|genau|"
    r"richtig|auf jeden fall|einverstanden|passt|unbedingt|selbstverständlich",
    # French
    r"oui|ouais|ouaip|d'accord|bien sûr|volontiers|avec plaisir|vas-y|allez-y|fais-le|faites-le|absolument|"
    r"tout à fait|exactement|parfait|certainement|ça marche|entendu",
    # Portuguese
    r"sim|com certeza|pode ser|pode(?: sim)?|podes|tá(?: bom)?|está bem|isso(?: mesmo)?|beleza|faça isso|"
    r"quero(?: sim)?|perfeito|tudo bem|de acordo|claro que sim|exato",
    # Russian
    r"да|ага|угу|конечно|хорошо|ладно|давай(?:те)?|ок|окей|разумеется|верно|согласен|согласна|точно|естественно|"
    r"обязательно|можно|запоминай",
    # Arabic
    r"نعم|أجل|أيوه|ايوة|ايوا|اه|حسنا|طيب|تمام|موافق|موافقة|بالتأكيد|طبعا|أكيد|ماشي|اوك|اوكي|تفضل|بالطبع",
    # Hindi
    r"हाँ|हा|जी|जी हाँ|हाँ जी|ठीक(?: है)?|बिल्कुल|बिलकुल|ज़रूर|सही(?: है)?|ओके|कर दो|कर दीजिए|रख लो|रख लीजिए|haan|han|ji|"
    r"theek hai",
)
AGREED_UNSPACED = (
    r"好的|好啊|好呀|好吧|好|是的|是|对的|对|對|行|可以的?|嗯|当然|當然|没问题|沒問題|没错|要的|要|同意|记吧|记住吧|"
    r"确认|👍|👌|✅|🆗|💯|✔|☑"
)
# Says nothing of itself; with an agreement it stays one.
POLITE = (
    r"please|pls|thanks|thank you|thx|very much|so much|remember (?:it|that|this)|save (?:it|that)|i do|great|good|"
    r"sir|por favor|porfa|gracias|muchas gracias|bueno|recuérdalo|guárdalo|bitte|danke|danke schön|sehr|doch|super|"
    r"merk dir das|s'il (?:te|vous) plaît|stp|svp|merci|beaucoup|obrigad[oa]|muito|пожалуйста|спасибо|большое|"
    r"запомни(?:те)?(?: это)?|من فضلك|لو سمحت|شكرا|جزيلا|رجاء|कृपया|प्लीज|धन्यवाद|शुक्रिया|याद रखो|याद रखिए|keepsake"
)
POLITE_UNSPACED = r"谢谢你?|謝謝|请|請|麻烦你?了?|拜托了?|帮我|记住|记下来?|吧|啊|呀|了|🙏|🙂|😊|😀|😄|❤|♥|🎉|✨"

REFUSED = (
    r"(?:(?:um|uh|hm+|well|oh|sorry|thanks|please|bitte|por favor|ну|пожалуйста|जी|من فضلك)[,.]? )?(?:no(?!-|\.\s?\d|"
    r" (?:problem|worries|worry|doubt|one|body|matter|idea|kidding|wonder|longer|more|less|sooner|question|objection|"
    r"rush|hurry|big deal|news|clue|sweat|offen[cs]e|pun|stress|biggie|prob|comment|hay (?:problema|de qué)|pasa nada|"
    r"importa|te preocupes|se preocupe|(?:te |se )?olvid\w{1,4})\b)|nope|nah|nay|no way|never\s?mind|(?:don't|"
    r"do not)(?! (?:worry|forget)\b)|not (?:now|really|necessary|needed|this|that|at all|yet|today|anymore|for me)|"
    r"rather not|i'd rather not|absolutely not|of course not|better not|certainly not|definitely not|mejor no|"
    r"ahora no|para nada|de ninguna manera|claro que no|nein|nee|ne|nicht (?:nötig|merken|speichern|jetzt|notwendig)|"
    r"lieber nicht|auf keinen fall|bloß nicht|besser nicht|keinesfalls|kein bedarf|lass (?:es|das|mal)|"
    r"brauchst du nicht|non(?! seulement\b)|nan(?=$|[,.!])|pas (?:besoin|la peine|maintenant|du tout|nécessaire)|"
    r"surtout pas|inutile|laisse tomber|(?:ce n'est|c'est) pas la peine|não(?! (?:tem problema|há problema|faz mal|"
    r"se preocupe|te preocupes|tem de quê|há de quê|(?:se |te )?esque[cç]as?)\b)|melhor não|agora não|nem pensar|"
    r"de jeito nenhum|нет(?! (?:проблем|слов|вопросов)\b)|неа|не (?:надо|нужно|стоит|хочу|запоминай|сохраняй|сейчас|"
    r"обязательно|записывай|делай|требуется)(?:те)?|лучше не|ни в коем случае|не, |لا(?! (?:مشكلة|بأس|مانع|شكر|أحد|"
    r"شيء|عليك|شك|تقلق|يهم|تنس|تنسي|تنسى)\b)|كلا(?! ال)|ليس (?:الآن|ضروريا?)|مش لازم|नहीं|ना|मत (?:करो|करना|रखो|रखना|"
    r"याद|कीजिए)|रहने (?:दो|दीजिए|दें)|अभी नहीं|ज़रूरत नहीं|कोई ज़रूरत नहीं|याद मत)"
)
REFUSED_UNSPACED = (
    r"不用(?!谢|客气)|不要(?!紧)|不必|不需要|不行|不可以|不了|不是(?!不)|不(?=$|[\s,.!。！])|不想|不记|"
    r"别(?![人的处墅])|没必要|算了|否(?!则)|先不|暂时不|👎|❌|🙅"
)

OFFERED = (
    r"\b(?:(?:would you like|do you want|want|would you prefer|did you want) me to|should i|shall i|may i|can i|"
    r"could i|(?:is it|would it be) ok(?:ay)? if i|do you mind if i|how about i)(?: (?:also|please|just|always|then|"
    r"perhaps|maybe))? (?:remember\b|memori[sz]e\b|(?:keep|bear) .{0,80}\bin mind\b|(?:make|take|keep) (?:a )?note\b|"
    r"note (?:that|this|it|down)\b|write (?:that|this|it) down\b|(?:save|store|keep|put|add) .{0,120}\b(?:memory|"
    r"for later|for next time|in the future)\b)",
    r"\b(?:quieres|quiere|queréis|quieren|querés|te gustaría|le gustaría|deseas|desea|prefieres|prefiere) que (?:lo |"
    r"la |te |me )?(?:recuerde|anote|memorice|apunte|acuerde|tome nota|no olvide|tenga (?:en cuenta|presente)|"
    r"guarde)\b|\b(?:debo|debería|puedo|podría) (?:recordar|anotar|memorizar|apuntar|tener en cuenta|tomar nota)",
    r"\b(?:soll|sollte|darf|kann) ich (?:mir|das im|daran|es mir)\b.{0,200}\b(?:merken|notieren|aufschreiben|behalten|"
    r"denken)\b|\b(?:möchtest|willst) du,? dass ich mir\b.{0,200}\b(?:merke|notiere)\b|\b(?:möchten|"
    r"wollen) sie,? dass ich mir\b.{0,200}\b(?:merke|notiere)\b",
    r"(?:veux-tu|voulez-vous|tu veux|vous voulez|souhaites-tu|souhaitez-vous|aimerais-tu|aimeriez-vous|voudrais-tu|"
    r"voudriez-vous|tu aimerais) que je (?:m'en |me |le |la |l')?(?:retienne|souvienne|rappelle|note|mémorise|"
    r"garde .{0,60}(?:en mémoire|en tête|à l'esprit))|\b(?:dois-je|puis-je|devrais-je|est-ce que je (?:dois|"
    r"peux)) (?:m'en |me |le |la )?(?:retenir|souvenir|noter|mémoriser|garder .{0,60}(?:en mémoire|en tête|"
    r"à l'esprit))",
    r"\b(?:quer|queres|gostaria|gostarias|deseja|desejas|prefere) (?:de )?que eu (?:me |o |a )?(?:lembre|anote|"
    r"memorize|recorde|guarde|tenha em mente)|\b(?:devo|posso|deveria|poderia) (?:me )?(?:lembrar|anotar|memorizar|"
    r"guardar isso)\b",
    r"\b(?:хочешь|хотите|желаете|надо|нужно),? (?:чтобы|чтоб) я .{0,40}(?:запомнил|записал|учел|учёл|помнил)|(?:^|"
    r"\b(?:мне|стоит ли мне|нужно ли мне|можно мне|можно|может|давайте?) )(?:запомнить|записать это|запомню|учесть)\b",
    r"(?:تريد|تريدين|تريدون|تود|تودين|ترغب|ترغبين|تحب|تحبين|يمكنني|يجب علي|ينبغي|بإمكاني|علي)(?: مني|"
    r" في)?(?: أن)? (?:أتذكر|أحفظ|أسجل|أدون|أضع)|هل (?:أتذكر|أحفظ|أسجل|أدون)|أن أتذكر",
    r"(?:मैं|मुझे)\b.{0,200}(?:याद (?:रखूँ|रख लूँ|रख सकता|रख सकती|रखना चाहिए)|नोट (?:करूँ|कर लूँ)|ध्यान में रखूँ)",
)
OFFERED_UNSPACED = (
    r"(?<!不)(?<!不需)(?<!不想)(?:要不要|需不需要|需要|是否要|希望|想让|想要|要|让)(?:我|帮你|"
    r"为你)[^不别]{0,6}(?:[记記]住|[记記]下|[记記]着|[记記]一下)|我(?:可以|应该|要不要|是否应该|能|该|来)(?:帮你|为你|"
    r"替你)?(?:[记記]住|[记記]下|[记記]着|[记記]一下)"
)
# "Soll ich mir das nicht merken?" offers the contrary.
OFFER_TAKEN_BACK = r"\b(?:nicht|nichts|не)\b"
# Waits for a word without asking: "let me know whether", "reply yes to …".
WAITING = (
    r"\b(?:whether|let me know|reply|respond|say (?:yes|so|the word)|tell me|confirm|your call|just say|dime|avísame|"
    r"confirma|sag mir|sag bescheid|bestätige|antworte|dis-moi|confirme|réponds|diga|me avise|responda|скажи|подтверди|"
    r"ответь|дай знать)|أخبرني|أكد|बताओ|बताइए|告诉我|回复|确认"
)
AND_MORE = r"\b(?:and|or|und|oder|y|o|et|ou|e|и|или|also|then)\b| و|और|या |和|并|或"
