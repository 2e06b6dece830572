"""The words of orders in nine languages: what the finder of orders matches, one row per language, and no logic.

Every field is a regular expression that is matched without case, accents and Arabic vowel signs; write letters as they
are spelled. `\\b` knows the vowel signs of Devanagari. Nothing here may repeat without a limit inside a repetition:
messages are hostile. A false order is worse than a missed one, so a verb that may also tell a story is listed where
a "that" must follow it.
"""

from dataclasses import dataclass

NEVER = r"(?!)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """How people of one language order. A field that a language does not need never matches."""

    openers: str  # may stand before an order and change nothing
    please: str  # may also stand inside and after it
    remember: str = NEVER  # an order even if the fact follows at once
    remember_that: str = NEVER  # an order only with "that" or a colon; alone it asks for a deed or tells a story
    explain: str  # as the former, and only as the first words of a message: later it is how people explain things
    asked: str  # an order clad in a question, only with "that"
    that: str
    not_after: str = NEVER  # what follows a bare verb that asks, reminisces, negates or points at something said
    not_last: str = NEVER  # the same, as the last word
    taken_back: str  # anywhere in the fact: it says not to keep something
    said: str  # ", said my boss" at the end: somebody else's words
    now_on: str
    always: str  # with its verb, because the word alone tells habits too
    forget: str = NEVER
    forget_that: str  # an order only with "that", "about" or a colon
    about: str = NEVER
    not_forgotten: str  # "it", "what I said": never mind
    last: str = NEVER  # the verb stands at the end; the one group is the fact
    forget_last: str = NEVER
    asks: str = NEVER  # last words that ask without a question mark
    spaced: bool = True  # words stand apart


ENGLISH = Speech(
    openers=r"please|hey|hi|hello|ok|okay|yes|yeah|sure|so|well|oh|and|also|but|now|just|actually|keepsake|by the way|"
    r"btw|thanks|thank you|i want you to|i need you to|i would like you to|i'd like you to",
    please=r"please|pls|thanks|thank you",
    remember=r"(?:(?:can|could|would|will) you (?:please )?)?(?:(?:always )?remember|keep in mind|bear in mind|"
    r"make a note|take note)|don't forget|do not forget|never forget",
    explain=r"note",
    asked=r"(?:can|could|would|will) you (?:please )?(?:remember|keep in mind|bear in mind|make a note|take note)",
    that=r"that\b(?!'|\s+(?:is|was)\b)|this(?=\s*[:,])|the following(?=\s*:)",
    not_after=r"when|how|who|what|where|why|which|if|whether|to|me|him|her|us|them|not|nothing|none|no|that (?:is|was|"
    r"time|day|one)|the (?:time|day|days)s? (?:when|that|we|i|you)|(?:that|this|it|these|those|"
    r"the following)(?: (?:please|now|then|for \w{1,9}|forever|too)){0,2}$",
    taken_back=r"(?:don'?t|do not|never|stop|without|no longer|not to)\s+(?:remember|stor|sav|keep|record|memori)",
    said=r"said|says|wrote|writes|told me|tells me|goes",
    now_on=r"from now on|from today on|from this day on|starting now",
    always=r"always (?:answer|reply|respond|set|use|send|call|remind|write|speak|talk|give|show|tell|ask|book|put|add|"
    r"include|start|address|translate|format|round|assume|check|treat|order|sign|avoid|greet|schedule|keep|make|let|"
    r"notify|warn|wake|confirm|explain|summari[sz]e|begin|suggest|recommend|list|mention|convert|plan|choose|pick)",
    forget=r"(?:you (?:can|may|should|must) |(?:can|could|would) you )?(?:please |just )?forget|stop remembering",
    forget_that=r"(?:delete|erase|remove|drop|clear) (?:the|your|that|my) (?:fact|note|memory|information|info|entry)|"
    r"(?:delete|erase|remove|forget) (?:what|everything|all) (?:you know|i told you|you remember|you have)",
    about=r"about|of",
    not_forgotten=r"it|me|us|you|about it|(?:this|that|him|her|them|everything|all)(?: (?:please|now|then|"
    r"for now)){0,2}$|to|how|where|when|(?:what\s|that\s)?(?:i|we|you) (?:just |ever |even )?(?:asked|said|mentioned|"
    r"told you)(?: (?:it|that|this|so))?$",
)
SPANISH = Speech(
    openers=r"por favor|hola|oye|oiga|mira|vale|bueno|sí|claro|pues|y|también|además|ahora|gracias|buenos días|buenas",
    please=r"por favor|porfa|gracias",
    remember=r"(?:recuerda|recuerde|memoriza|memorice|anota|apunta)(?=\s+(?:mi|mis|nuestr[oa]s?)\b)",
    remember_that=r"recuerda|recuerde|recuerden|recordad|recordá|acuérdate|acuérdese|acordate|anota|anote|anotá|"
    r"apunta|apunte|memoriza|memorice|no (?:te |se |os )?olvid(?:es|e|éis|en)|ten(?:ga)? (?:presente|en mente)|"
    r"tom[ae] nota|(?:quiero|necesito|me gustaría) que (?:recuerdes?|anotes?|memorices?|no olvides|"
    r"tengas? (?:en cuenta|presente))",
    explain=r"ten(?:ga|gan)? en cuenta|note|observa",
    asked=r"¿?\s?(?:puedes|puede|podrías|podría|podés) (?:por favor )?(?:recordar|anotar|apuntar|memorizar|"
    r"tener (?:en cuenta|presente)|tomar nota)",
    that=r"(?:de )?que\b|(?:esto|lo siguiente)(?=\s*:)",
    not_after=r"no|cuando|cómo|quién|nada",
    not_last=r"no",
    taken_back=r"no (?:lo |la |me |te )?(?:recuerd|guard|anot|memori|registr|apunt)|sin (?:guard|record)|"
    r"dej[ae] de (?:record|guard)|^(?:te |me |le )?(?:dije|dijo|dijiste)\b",
    said=r"dijo|dice|dijeron|escribió|escribe|decía",
    now_on=r"(?:de|desde) ahora en adelante|a partir de (?:ahora|hoy)|desde ahora|de hoy en adelante",
    # "Siempre habla" is also what he does: only forms that can be nothing but an order.
    always=r"siempre (?:resp[oó]nd[ae]me|responda|contéstame|conteste|use|pon|ponga|ponme|llámame|llámeme|recuérdame|"
    r"avísame|escriba|escríbeme|háblame|hable|dime|dígame|dame|envíame|mándame|incluya|traduzca|trátame|pregúntame)|"
    r"(?:responde|respóndeme|responda|contesta|contéstame|use|pon|ponga|ponme|llámame|llámeme|recuérdame|avísame|"
    r"escríbeme|escriba|háblame|hable|dime|dame|envíame|incluya|trátame|pregúntame) siempre",
    forget=r"(?:puedes |puede )?(?:olvídate de|olvídese de|olvidate de|olvidar(?:te|se) de)|deja de recordar",
    forget_that=r"olvida|olvide|olvidad|olvidá|(?:puedes|puede|quiero que) olvid(?:ar|es|e)|(?:borra|elimina|quita|"
    r"borre|elimine) (?:el (?:hecho|dato|recuerdo)|la (?:información|nota)|de tu memoria|lo que sabes)",
    about=r"sobre|acerca de|de(?! que\b)",
    not_forgotten=r"eso|esto|ello|todo|mí$|lo|(?:lo )?que (?:te )?(?:lo )?dije$",
)
GERMAN = Speech(
    openers=r"bitte|hallo|hey|hi|ok|okay|ja|gut|also|so|und|auch|aber|nun|jetzt|ach|übrigens|danke",
    please=r"bitte|danke|mal|doch|gut",
    remember=r"merke? dir|merken sie sich|merkt euch|notiere? dir|notieren sie sich|schreib dir auf",
    remember_that=r"denke? (?:immer )?da?ran|denken sie da?ran|vergiss (?:bitte )?nicht|"
    r"vergessen sie (?:bitte )?nicht|vergesst nicht|notiere?|notieren sie|erinnere dich(?: daran)?|"
    r"erinnern sie sich(?: daran)?|speichere?|halte? fest|behalte? (?:bitte )?im (?:kopf|hinterkopf|gedächtnis)|"
    r"(?:du sollst|ich möchte, dass du) dir (?:merken|merkst)",
    explain=r"beachten? sie|beachte|bedenke",
    asked=r"(?:kannst|könntest|würdest|magst) du dir (?:bitte )?(?:merken|notieren|aufschreiben)|(?:können|könnten|"
    r"würden) sie sich (?:bitte )?(?:merken|notieren|aufschreiben)",
    that=r"dass\b|(?:das|dies|folgendes)(?=\s*:)",
    not_after=r"nicht|nichts|nie|niemals|kein\w{0,3}|bloß nicht|wann|wie|wer|was|wo|warum|ob|welche\w?|das nicht|"
    r"(?:das|dies|es|ihn|sie|folgendes)(?: (?:gut|mal|alles|bitte))?$",
    not_last=r"nicht|nichts|nie",
    taken_back=r"(?:nichts?|nie|kein\w{0,3})\s+(?:\w{1,20}\s+){0,2}(?:merk|speicher|notier|behalt|aufschreib)|(?:merk|"
    r"speicher|notier|behalt)\w{0,5}\s+(?:\w{1,20}\s+){0,3}(?:nichts?|nie|kein\w{0,3})\b",
    said=r"sagte|sagt|meinte|meint|schrieb|schreibt",
    now_on=r"ab jetzt|von jetzt an|ab sofort|von nun an|ab heute|von heute an",
    always=r"(?:antworte|antworten sie|verwende|verwenden sie|benutze|benutzen sie|nenne?|nennen sie|setze?|schreibe?|"
    r"schreiben sie|sprich|sprechen sie|erinnere|erinnern sie|gib|geben sie|zeige?|frag|fragen sie|stelle?|"
    r"stellen sie|plane|sage?|duze|sieze|schicke?|übersetze)(?: (?:mir|mich|uns|bitte|alle)){0,2} immer(?! (?:noch|"
    r"mehr|wieder)\b)|immer (?=.{1,200} (?:antworten|verwenden|benutzen|schreiben|nennen|stellen|fragen)$)",
    forget=r"(?:vergiss|vergesst|vergessen sie)(?! (?:bitte |ja |bloß |mir )?(?:nicht|nie)\b)",
    forget_that=r"(?:du kannst|sie können|du darfst) (?:jetzt |ruhig )?vergessen|hör auf,? dir zu merken|(?:lösche?|"
    r"löschen sie|streiche?|entferne) (?:die (?:tatsache|information|info|erinnerung|notiz)|den eintrag|was du)",
    about=r"über|an|daran",
    not_forgotten=r"es|mich|(?:das|dies|ihn|sie|alles)(?: bitte| jetzt)?$|(?:was ich (?:gesagt|sagte)(?: habe)?|"
    r"dass ich (?:gefragt|das gesagt) habe|ich (?:gefragt|das gesagt) habe)$|zu",
)
FRENCH = Speech(
    openers=r"s'il (?:te|vous) pla[iî]t|stp|svp|bonjour|salut|oui|bon|alors|donc|et|aussi|mais|ah|au fait|merci",
    please=r"s'il (?:te|vous) pla[iî]t|stp|svp|merci|bien",
    remember=r"(?:retiens|retenez|mémorise|mémorisez|note|notez)(?=\s+(?:mon|ma|mes|notre|nos)\b)",
    remember_that=r"retiens|retenez|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|mémorise|mémorisez|"
    r"(?:n')?oublie(?:z)? (?:pas|jamais)|garde(?:z)? (?:en tête|à l'esprit|en mémoire)|prends note|prenez note|"
    r"je (?:veux|voudrais) que tu (?:retiennes|te souviennes|notes)",
    explain=r"notez|note|sache|sachez",
    asked=r"(?:peux-tu|pourrais-tu|tu peux|tu pourrais|pouvez-vous|pourriez-vous|"
    r"vous pouvez) (?:s'il te plaît )?(?:retenir|te souvenir|vous souvenir|noter|mémoriser|garder (?:en tête|"
    r"à l'esprit))",
    that=r"(?:de ce )?que\b|qu'|(?:ceci|cela|ça)(?=\s*:)",
    not_after=r"pas|jamais|rien|quand|comment|qui|où|pourquoi",
    not_last=r"pas",
    taken_back=r"(?:ne\s|n')(?:le |la |les |te |t'|l'|m')?(?:retiens|retenez|souviens|note|enregistre|garde|mémorise|"
    r"retiendras)|sans (?:retenir|enregistrer|garder)|ne (?:pas|plus|rien) (?:le |la )?(?:retenir|enregistrer|noter|"
    r"garder|mémoriser)|(?:retiens|enregistre|mémorise|note) (?:pas|plus|rien)\b",
    said=r"dit|a dit|disait|a écrit|écrit|dit-il|dit-elle|m'a dit",
    now_on=r"à partir de maintenant|à partir d'aujourd'hui|désormais|dorénavant|à compter (?:de maintenant|"
    r"d'aujourd'hui)",
    always=r"(?:réponds|répondez|utilise|utilisez|appelle|appelez|écris|écrivez|parle|parlez|donne|donnez|mets|mettez|"
    r"rappelle|rappelez|envoie|envoyez|traduis|traduisez|tutoie|vouvoie|commence|commencez|programme|demande|"
    r"demandez)(?:-(?:moi|nous|le|la|les)){0,2} toujours|toujours (?:répondre|utiliser|mettre|écrire|parler|appeler)",
    forget=r"(?:oublie|oubliez)(?! (?:pas|jamais|surtout pas)\b)|(?:tu peux|vous pouvez) oublier|"
    r"arr[eê]te(?:z)? de (?:te souvenir|vous souvenir|retenir)",
    forget_that=r"(?:efface|effacez|supprime|supprimez|enlève) (?:le (?:fait|souvenir)|l'info(?:rmation)?|la note|"
    r"de ta mémoire|ce que tu sais)",
    about=r"sur|à propos de",
    not_forgotten=r"ça|cela|ceci|tout|moi|le|ce que (?:je (?:viens de dire|t'ai dit)|j'ai dit)$|de|(?:j'ai dit|"
    r"je t'ai dit) ça$",
)
PORTUGUESE = Speech(
    openers=r"por favor|olá|oi|ei|olha|sim|claro|tá|bom|então|e|também|mas|agora|ah|aliás|obrigad[oa]",
    please=r"por favor|obrigad[oa]|bem|aí",
    remember=r"(?:memorize|memoriza|anote|anota|guarde)(?=\s+(?:(?:o|a|os|as)\s+)?(?:meus?|minhas?|nossos?|nossas?)\b)",
    remember_that=r"lembre-se|lembra-te|lembrem-se|lembre|lembra|se lembre|anote|anota|memorize|memoriza|guarde|"
    r"recorde|(?:tenha|tem) em mente|tom[ae] nota|não (?:se |te )?esque(?:ça|ças|ce)|"
    r"quero que (?:você )?(?:se )?(?:lembre|anote)",
    explain=r"note|repare|observe|leve em conta",
    asked=r"(?:você )?(?:pode|poderia|podes|podias) (?:por favor )?(?:se lembrar|lembrar-se|lembrar|anotar|memorizar|"
    r"ter em mente|guardar)",
    that=r"(?:de )?que\b|(?:isto|isso|o seguinte)(?=\s*:)",
    not_after=r"não|quando|como|quem|nada|de mim",
    not_last=r"não",
    taken_back=r"não (?:se |o |a |me )?(?:lembr|guard|anot|memori|grav|regist)|sem (?:guard|grav|lembr)|(?:pare|para|"
    r"deix[ae]) de (?:lembr|guard)|^(?:te |lhe |me )?(?:disse|falei|contei)\b",
    said=r"disse|diz|falou|escreveu|dizia",
    now_on=r"de agora em diante|a partir de (?:agora|hoje)|daqui (?:em diante|para (?:a )?frente)|de hoje em diante",
    always=r"sempre (?:me )?(?:responda|use|fale|escreva|ponha|coloque|envie|mande|chame|lembre|avise|marque|agende|"
    r"traduza|inclua|pergunte|comece)|(?:me )?(?:responda|responde|use|fale|escreva|ponha|coloque|envie|mande|chame|"
    r"lembre|avise|marque|agende|traduza|inclua|pergunte|comece)(?:-me)? sempre",
    forget=r"(?:por favor )?(?:esqueça|esqueçam|se esqueça d[eo]|esqueça-se d[eo])|(?:você )?(?:pode|podes) esquecer",
    forget_that=r"esquece|(?:par[ae]|deix[ae]) de (?:se )?lembrar|(?:apague|apaga|exclua|remova|elimine) (?:o (?:fato|"
    r"facto)|a (?:informação|nota|memória|lembrança)|da (?:sua |tua )?memória|o que (?:você )?sabe)",
    about=r"sobre|a respeito de|de(?! que\b)",
    not_forgotten=r"isso|isto|tudo|mim|disso|(?:o que )?(?:eu )?(?:disse|falei)(?: isso)?$",
)
RUSSIAN = Speech(
    openers=r"пожалуйста|привет|здравствуйте?|ок|окей|да|ну|так|и|а|но|также|ещё|кстати|теперь|слушай(?:те)?|хорошо|"
    r"спасибо|добрый день|тогда|просто",
    please=r"пожалуйста|плиз|спасибо|хорошенько|себе",
    remember=r"(?:запомни|запомните|запиши|запишите)",
    remember_that=r"помни|помните|учти|учтите|не забудь|не забудьте|не забывай|не забывайте|сохрани|(?:я )?(?:хочу|"
    r"прошу|надо|нужно),? (?:чтобы|чтоб) (?:ты|вы) запомнил[аи]?",
    explain=r"имей(?:те)? в виду|заметь|заметьте|обрати(?:те)? внимание|прими(?:те)? во внимание",
    asked=r"(?:ты )?(?:можешь|мог бы|могла бы|сможешь) (?:пожалуйста )?(?:запомнить|записать|учесть)|"
    r"(?:вы )?(?:можете|могли бы|сможете) (?:пожалуйста )?(?:запомнить|записать|учесть)",
    that=r"(?:то|о том),? что\b|что\b|(?:это|следующее)(?=\s*:)",
    not_after=r"не|ничего|никогда|когда|как|кто|где|куда|зачем|почему|какой|какая|сколько|ли|меня|(?:это|его|её|их|"
    r"всё|следующее)(?: (?:пожалуйста|всё))?$",
    not_last=r"не надо|не нужно|нельзя",
    taken_back=r"не (?:надо |нужно |стоит )?(?:запомина|запомн|сохраня|сохрани|запис|помни)|ничего не (?:запом|сохран|"
    r"запис)|(?:перестань|хватит|прекрати) (?:запом|сохран)|^(?:я|он|она|мы) (?:тебе |вам )?(?:сказал|говорил|"
    r"писал)[аи]?(?: (?:тебе|вам))?$",
    said=r"сказала?|говорит|сказали|пишет|написала?|говорила?",
    now_on=r"с этого момента|отныне|впредь|с сегодняшнего дня|начиная с этого момента|с этих пор",
    always=r"всегда (?:отвечай|пиши|говори|используй|называй|ставь|напоминай|присылай|предлагай|спрашивай|добавляй|"
    r"начинай|переводи|показывай|проверяй)(?:те)?|всегда обращай(?:ся|тесь)|(?:отвечай|пиши|говори|используй|называй|"
    r"ставь|напоминай|присылай|предлагай|спрашивай|добавляй|начинай|переводи|показывай|"
    r"проверяй)(?:те)?(?: мне)? всегда",
    forget=r"забудь|забудьте|(?:ты )?можешь забыть|(?:вы )?можете забыть|(?:перестань|хватит) помнить",
    forget_that=r"(?:удали|удалите|сотри|сотрите|убери)(?: (?:факт|запись|информацию|заметку|из памяти|то))",
    about=r"о|об|про|обо",
    not_forgotten=r"(?:об? |про |обо )?(?:это|этом|всё|всём|всем|меня|мне|его|её|их)|то|не|"
    r"(?:что )?я (?:это )?(?:сказал|спросил|говорил)а?$",
)
ARABIC = Speech(
    openers=r"من فضلك|من فضلكم|لو سمحت[ي]?|رجاء|أرجوك|مرحبا|أهلا|السلام عليكم|نعم|حسنا|طيب|يا|شكرا|أيضا|و|بالمناسبة|"
    r"أريدك أن|أريد منك أن|اريدك ان",
    please=r"من فضلك|لو سمحت[ي]?|رجاء|شكرا|جيدا|دائما",
    remember_that=r"[وف]?(?:تذكر|تذكري|تذكروا|تتذكر|تتذكري|لا تنس|لا تنسي|لا تنسى|لا تنسوا|احفظ|احفظي|سجل|سجلي|دون|"
    r"دوني|ضع[ي]? في (?:اعتبارك|بالك|الحسبان)|خذ[ي]? في (?:الاعتبار|اعتبارك)|خلي في بالك|خليك فاكر|افتكر)",
    explain=r"لاحظ|لاحظي|اعلم|اعلمي|انتبه|يرجى ملاحظة",
    asked=r"هل (?:يمكنك|تستطيع|بإمكانك) (?:من فضلك )?(?:أن )?(?:تتذكر|تتذكري|تذكر|تحفظ|تسجل|حفظ|تسجيل)",
    # "that I" is one word: the fact keeps it.
    that=r"ب?أن\b|إن\b|(?=ب?[أإ]ن(?:ني|ي|ك|ه|ها|نا|هم|كم|و)\b)|(?:هذا|ما يلي|التالي)(?=\s*:)",
    taken_back=r"(?:لا|ألا|لن|دون أن|بدون أن) (?:ت?تذكر|تحفظ|تسجل|تخزن|تدون)|ألا ت(?:حفظ|سجل|تذكر)|توقف عن (?:حفظ|"
    r"تذكر)|(?:بدون|دون) (?:حفظ|تسجيل|تخزين)",
    said=r"قال|قالت|يقول|تقول|قالوا|كتب|كتبت",
    now_on=r"من الآن (?:و|ف)صاعدا|من اليوم (?:و|ف)صاعدا|ابتداء من (?:الآن|اليوم)|بدءا من (?:الآن|اليوم)|من الآن",
    always=r"(?:دائما|دوما) (?:أجب|أجيبي|استخدم|استخدمي|ضع|ضعي|نادني|ناديني|خاطبني|خاطبيني|اكتب|اكتبي|اسألني|ذكرني|"
    r"ذكريني|تحدث معي|تكلم معي|رد علي|ردي علي)|(?:أجب|أجيبي|استخدم|استخدمي|ضع|ضعي|نادني|ناديني|خاطبني|اكتب|اكتبي|"
    r"اسألني|ذكرني|ذكريني|تحدث معي|تكلم معي|رد علي|ردي علي)(?: (?:علي|لي))? (?:دائما|دوما)",
    # Without its vowels "forget!" with ى is also "I forget": that spelling is left out.
    forget=r"انس|انسي|انسوا|توقف عن تذكر|توقفي عن تذكر|يمكنك (?:أن تنسى|أن تنسي|نسيان)",
    forget_that=r"(?:احذف|احذفي|امسح|امسحي|أزل)(?: (?:حقيقة|معلومة|المعلومة|ذكرى|ملاحظة|ما تعرفه|من ذاكرتك))?",
    about=r"عن|حول|أمر",
    not_forgotten=r"الأمر|الموضوع|ذلك|هذا|كل شيء|ما قلته?(?: لك)?$|(?:أنني|أني) قلت(?: ذلك)?$",
)
REMEMBER_HINDI = (
    r"याद (?:रखो|रखना|रखिए|रखिएगा|रखिये|रखें|रख|रख लो|रख लेना|रख लीजिए|रखियेगा)|नोट (?:करो|करना|करें|कर लो|कर लें|कर लेना|कीजिए|"
    r"कर लीजिए)"
)
FORGET_HINDI = r"भूल (?:जाओ|जाना|जाइए|जाइये|जाएं|जाएँ|जा|जाइएगा)"
DO_HINDI = (
    r"दो|देना|दें|दीजिए|करो|करना|करें|कीजिए|रखो|रखना|रखें|रखिए|बोलो|बोलना|लिखो|लिखना|बताओ|बताना|लगाओ|लगाना|भेजो|भेजना|बुलाओ|"
    r"बुलाना|बुलाएं"
)
# A clause that is over: "मुझे याद रखना" alone is what I must do.
CLAUSE_HINDI = r"(?:(?<=\sहै)|(?<=\sहैं)|(?<=\sहूँ)|(?<=\sहो)|(?<=\sथा)|(?<=\sथी)|(?<=\sथे)|(?<=गा)|(?<=गी)|(?<=गे))\s{1,9}"
THIS_HINDI = r"(?:यह बात|ये बात|इस बात को|यह|ये|इसे|कृपया|प्लीज)"
HINDI = Speech(
    openers=r"कृपया|प्लीज|नमस्ते|नमस्कार|हाँ|जी|ठीक है|अच्छा|और|सुनो|सुनिए|देखो|तो|बस|अरे|आप|तुम|वैसे|धन्यवाद",
    please=r"कृपया|प्लीज|धन्यवाद|शुक्रिया|ज़रा|अच्छे से",
    remember=rf"(?:{REMEMBER_HINDI})(?=\s*,)",
    remember_that=rf"(?:(?:{THIS_HINDI}|इतना) )?(?:हमेशा )?(?:{REMEMBER_HINDI}|मत (?:भूलो|भूलना|भूलिए)|भूलना (?:मत|नहीं)|"
    r"भूलिए मत|न भूलें|न भूलना|ध्यान (?:में )?(?:रखो|रखना|रखिए|रखें))|इस बात का ध्यान (?:रखो|रखना|रखिए|रखें)",
    explain=r"ध्यान (?:रहे|दें|दो|दीजिए)",
    asked=r"क्या (?:आप|तुम) (?:यह |ये )?याद रख (?:सकते|सकती) (?:हैं|हो)",
    that=r"कि\b|यह(?=\s*:)",
    not_after=r"कब|कैसे|कौन|क्या|कहाँ|क्यों|मत|न|नहीं",
    not_last=r"मत|न|नहीं|ना",
    taken_back=r"(?:याद|नोट|सेव|दर्ज|ध्यान) (?:मत|न|नहीं)\b|(?:मत|न|नहीं) (?:याद|नोट|सेव|दर्ज)",
    said=r"कहा|कहा था|बोला|बोली|कहते हैं|कहती है|कहता है|लिखा",
    now_on=r"अब से|आज से|आगे से",
    always=rf"हमेशा (?=.{{1,200}}\s(?:{DO_HINDI})$)",
    forget_that=rf"(?:{THIS_HINDI} )?(?:{FORGET_HINDI})|(?:यह |ये )?याद रखना (?:बंद करो|छोड़ दो)",
    not_forgotten=r"(?:यह|ये|इसे|उसे|सब|सब कुछ|छोड़ो|मुझे|वो|वह)$|क्या",
    last=rf"(.{{1,300}}?)(?:\s*,\s*(?:{THIS_HINDI} )?|\s+{THIS_HINDI} |{CLAUSE_HINDI})(?:{REMEMBER_HINDI})",
    # Only my own things, or a whole clause: "वह सब भूल जाना" tells a story.
    forget_last=rf"((?:मेर|हमार).{{1,200}}?)(?: के बारे में)? (?:{FORGET_HINDI})|(.{{1,300}}?)(?:\s*,\s*(?:{THIS_HINDI} )?|"
    rf"\s+{THIS_HINDI} |{CLAUSE_HINDI})(?:{FORGET_HINDI})",
    asks=r"क्या|ना",
)
CHINESE = Speech(
    openers=r"请你?|請|好的?|嗯|你好|您好|哦|那么?|麻烦你?|麻煩你?|拜托你?|帮我|幫我|帮忙|你(?:一定)?要|你得|你帮我|"
    r"您要|对了|另外|还有|顺便说?|一定要?|务必|要|也要|谢谢|我(?:要|希望|想让|想要)你",
    please=r"一下|下来|好|清楚|谢谢|吧",
    remember=r"[记記]住(?![了没沒吗嗎的过過])|牢[记記](?!了)|[谨謹][记記]|[记記]下[来來]?(?!了)|[记記]一下|[记記]着|"
    r"[记記](?=[\s:,])|别忘[了记](?=[\s:,]*[我他她它咱])|不要忘[了记記](?=[\s:,]*[我他她它咱])|"
    r"[记記]得(?=[\s:,]*[我他她它咱])(?!.{0,40}(?:时候|那天|那年|那次|當時|当时|以前|曾经))",
    explain=r"注意",
    asked=r"你?(?:能不能|能|可以|可不可以)(?:请)?(?:帮我)?[记記](?:住|下)",
    that=r"(?:这一?点|这件事|以下(?:内容|信息)?|一下|下来)(?=[:,])",
    not_after=r"了|没|吗|什么|谁|哪|怎么|为什么|为何|多少|是否|不要|别|要|去|带|买|把|给|(?:这个?|那个?|它|"
    r"这[一点些件事]{1,3}|以下.{0,4}|我们?|他们?|她们?|我说的话?|我的话)[吧哦啊]?$",
    taken_back=r"(?:不要|别|不用|不必|不许|不准|不再|勿|别再|停止)(?:再|帮我|把.{0,4}|给我|去){0,2}(?:[记記](?!得)|"
    r"保存|存[储下]|忘)",
    said=r"说|說|写道|讲|说道",
    now_on=r"[从從][现現]在(?:[开開]始|起)|[从從]今(?:以后|往后|天起|天开始)|今后(?=[请都你叫用别不])|"
    r"(?<!从今)以后(?=[,\s]*(?:请|都|你要|你都|叫我|用|别|不要|一律|每))|今后,",
    always=r"(?:总是|始终|永远|一律|每次都)(?:要)?用.{1,30}(?:回答|回复|交流|答复)|(?:总是|始终|永远|一律|"
    r"每次都)(?:提醒我|称呼我)",
    forget=r"忘掉|(?:忘记|忘了)(?=我)(?!.{0,200}了$)|不要再[记記][住着得]?|别再[记記][住着得]?|可以忘[掉记了]",
    forget_that=r"(?:删除|删掉|清除|抹掉)(?=关于|有关)",
    about=r"关于|有关",
    not_forgotten=r"(?:吧|它|这个?|那个?|这件事|这事|我|我们|他|她|一切|我说的话?|我刚才说的话?|刚才的话?|了)吧?$",
    last=r"(.{1,300}?),\s*(?:请|你?要|你?帮我|麻烦你?|一定要?){0,2}(?:[记記]住|[记記]一下|[记記]下来)(?:这一?点|"
    r"这件事)?[吧哦啊]?",
    forget_last=r"把(.{1,300}?)(?:这件事)?(?:都|给我)?(?:忘掉|忘了|忘记|删掉|删除)吧?",
    asks=r"[吗嗎么麼呢]|没有?|沒有",
    spaced=False,
)

SPEECHES = (ENGLISH, SPANISH, GERMAN, FRENCH, PORTUGUESE, RUSSIAN, ARABIC, HINDI, CHINESE)
