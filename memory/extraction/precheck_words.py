"""How people tell something about themselves in five Latin languages: what the precheck matches, and no logic.

The languages of other scripts stand in `precheck_scripts`.

Every field is a regular expression that begins at the edge of a word (of unspaced Chinese: anywhere) and is matched
without case, accents and Arabic vowel signs; write letters as they are spelled. Nothing here may repeat without a
limit: messages are hostile. A call of the model that finds nothing is better than a fact that is never found, so a
wide pattern with exceptions stands where a language has one.
"""

from dataclasses import dataclass

from memory.order_words import NEVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """How people of one language tell. A clause that asks or is about the chat itself tells nothing."""

    asks: str  # how a clause begins that asks, orders, or only supposes something
    asks_within: str = NEVER  # words that make a question or an order of a clause wherever they stand
    chat: str  # anywhere in a clause: it is about the work at hand
    tells: str
    speaks: str = (
        NEVER  # the first person with a verb of which little is known: tells, unless it is about a thing at hand
    )
    at_hand: str = NEVER
    bare: str = NEVER  # tells only as the first words of a clause, where "I" is left out
    cuts: str = NEVER  # words between two clauses; the first clause ends before them
    spaced: bool = True


ENGLISH = Telling(
    asks=r"(?:what|whats|which|who|whose|whom|why|how|where|when (?:is|are|was|were|do|does|did|will|should|can)|can|"
    r"could|would|will|should|shall|do|does|did|is|are|am i|(?:was|were|has) (?:it|he|she|there|that|this|the|i|you|"
    r"my|anyone)|have (?:you|i|we)|may i|please|pls|give|write|make|tell|show|explain|list|translate|fix|check|help|"
    r"find|create|generate|draft|rewrite|compare|convert|remind|set|let|imagine|suppose|assume|pretend|act|say (?:i|"
    r"you|we)|if|i(?:'d| would) like (?:an?|the|to (?:know|see|ask))|i want (?:you|an?|the|to (?:know|see|understand|"
    r"ask|learn (?:more|about|how)))|i need (?:an?|the|some|help|more|you|to (?:convert|know|find|write|fix|make|"
    r"understand|see|change|create|install))|need|i(?: was|'m|m| am) wonder\w*|i(?:'m|m| am) (?:looking for an?(?! "
    r"(?:new|job|flat|house|partner))|asking)|any (?:idea|tip)s?|in the (?:novel|film|book))\b",
    chat=r"error|exception|compil|traceback|syntax|stack ?trace|undefined|typo|crash|(?:this|that|your|the) (?:code|"
    r"answer|output|version|function|bug|line|file)|npm|pip\b|docker|numpy|lorem",
    tells=(
        r"my name|(?:name|it)'?s [a-z]{2,20} (?:with|not)\b|since (?:19|20)\d\d|\d ?(?:x|times) (?:a|per) week|"
        r"(?:i'm|im|i am) called|call me (?!when|if|later|back|crazy|an? )|(?:i|we) (?:named|called) |"
        # "My" of a thing at hand tells nothing.
        r"(?:my|our) (?!(?:bad|mistake|question|point|problem|issue|code|loop|query|function|script|program|app|"
        r"laptop|computer|pc|phone|screen|battery|internet|wifi|browser|printer|server|database|table|file|files|"
        r"head|eyes?|answer|guess|opinion|essay|homework|text|email|message|hovercraft|input|output|regex|page|site|"
        r"website|god|turn|pleasure|apologies|test|tests|build|repo|branch|class|array|list|string|data|model|"
        r"session|connection|download|upload|last|previous|first|second|own|thoughts?|understanding|keyboard|mouse|"
        r"account|password|link|order)\b)\w|(?:i'm|im|i am|we're|we are|i was|ive been|i've been|i have been)(?: "
        r"(?:also|actually|originally|just|still|currently|now|both|only|really|very|pretty|quite|happily|severely|"
        r"finally|strictly|not)){0,2} (?:an? (?!bit|little|lot|tad|second|moment)|from|vegan|vegetarian|pescatarian|"
        r"allergic|intolerant|lactose|coeliac|celiac|diabetic|asthmatic|autistic|pregnant|married|engaged|divorced|"
        r"widowed|single|gay|retired|unemployed|muslim|jewish|christian|catholic|hindu|buddhist|left.handed|colou?r "
        r"?blind|deaf|blind|born|raised|based in|into|fluent|\d\d\b(?! ?(?:%|min|percent))|training|learning|"
        r"studying|saving|expecting|moving|getting (?:married|divorced|a)|planning|working (?:at|for|as|on an?|part|"
        r"full|from|in)|living|turning|dating|seeing someone|doing (?:my|an?)|starting|writing (?:a|my)|building a|"
        r"applying|preparing|allowed|afraid of|scared of|responsible for|in charge)|(?:i|we)(?:'ve|'d|'ll| have| "
        r"just| also| finally| recently| only| both| already| then){0,2} (?:work|live|own|drive|speak|study|studied|"
        r"teach|collect|wear|commute|grew up|moved|graduated|quit|retired|married|joined|adopted|volunteer|smoke|"
        r"vape|earn|coach|manage|lead|worked|lived|owned|lost my|broke up|split up|bought|sold|run (?:an?|my|our|"
        r"marathons|every|\d)|play (?!it|this|that)|passed|got (?:married|engaged|divorced|promoted|hired|fired|laid "
        r"off|accepted|an? (?!error|question|message|warning|segfault|404|timeout|weird|strange|blank)|into|my)|"
        r"started (?:an?|my|work|school|learning|going|at)|used to|decided to|plan to|hope to|hate (?!this|that|it\b|"
        r"mondays|when|how|your|the)|enjoy (?!this|that|it\b)|rather|dislike|adore|detest|met my|have been|been "
        r"\w+ing|go to|go \w+ing|get up|wake up|start(?:ed)? at|believe in|follow|support|switched|cook|bake|train|"
        r"use (?!the|this|that|it|your)|practi[sc]e|take (?:insulin|medic|pills|the (?:bus|train)))|(?:i|we)(?:'ve "
        r"got| have| got|'ve| have got)(?: also| both| only)? (?:(?:an?|two|three|four|five|six|\d+|no|only) "
        r"(?!(?:\w+ )?(?:question|problem|issue|idea|headache|cold|error|bug|list|table|file|function|string|lists|"
        r"dict|array|dataframe|row|column|class|minute|second|moment|doubt|feeling|hunch|clue|time|meeting|apple|"
        r"choice|request|task|point|follow.?up)s?\b)|(?:type|celiac|coeliac|asthma|adhd|add|autism|dyslexia|diabetes|"
        r"epilepsy|migraines|kids|children|siblings|twins|insomnia|anxiety|ibs|high blood))|"
        r"(?:i|we) (?:don't|dont|do not|never|no longer|can't|cant|cannot|won't|quit|stopped|gave up) (?:\w+ly "
        r")?(?:eat|drink|smok|drive|cook|own|speak|stand |tolerate|digest|work|live|use|have (?:kids|a|any (?:kids|"
        r"pets))|fly|swim|like (?!it|this|that|the|these|those|how|your)|do (?:well|mornings|meat|dairy))|(?:i|"
        r"we)(?: (?:really|absolutely|also|do|just|still|so|much|generally|always)){0,2} (?:like|love|prefer) "
        r"(?!it\b|this|that|these|those|the (?:first|second|third|last|other|idea|way|sound|look|one|new|old|"
        r"previous|blue|red|green)|your|you|how|what|them|both|option|version)|"
        r"(?:i|we) (?:usually|always|often|mostly|normally|rarely|typically|regularly|never|sometimes) (?!get (?:an|"
        r"the)|said|asked|got|mind|thought|knew|heard)|"
        r"(?:i|we|my|our)\b[^\n]{0,60} (?:every (?:day|morning|evening|night|week|month|year|summer|winter|mon|tue|"
        r"wed|thu|fri|sat|sun)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|tues|wednes|thurs|fri|satur|"
        r"sun)day (?:morning|evening|afternoon|night)s|(?:once|twice|times) a (?:day|week|month|year))|(?:i|we)(?:'d|"
        r" would)? (?:want|love|hope|am trying|are trying|'m trying|m trying|trying|dream)(?: of| to|ing){1,2} "
        r"(?:becom|be an?|lose|buy|mov|quit|run|stop|start(?! over)|marry|retire|travel|save|study|visit|get (?:fit|"
        r"pregnant|married|into|better|healthier|a (?:job|dog|cat|house))|learn(?! more| about| how)|cut|eat|open|"
        r"live|own|finish my)|goal|resolution|trying to (?:lose|quit|conceive|eat|save|cut)|give up (?:smok|drink|"
        r"sugar|meat)|(?:birthday|wedding|anniversary|appointment|exam|flight|deadline|interview|surgery|due date|"
        r"graduation|holiday|vacation|trip|funeral|conference|move)\b[^\n]{0,40}(?:\d|january|february|march|april|"
        r"may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|"
        r"sunday|next|tomorrow)|turn(?:s|ing|ed) \d|\d\d ?(?:y/?o|yrs? old|years? old)\b|\d\d ?[mf] (?:here|from)|"
        r"since (?:my|our|i was|we|the (?:kids|baby|twins|move|divorce|accident|birth|surgery))|as an? \w{2,20}(?: "
        r"\w{1,20}){0,3} (?:i|we|my)\b|makes? me (?:sick|ill|bloated|sneeze|itch)|allerg|diagnosed|(?:left|joined|"
        r"runs|leads|quit) (?:the|our) (?:\w+ )?(?:team|company|department|firm|office|group)|moved to the \w+ "
        r"(?:team|office|department|group)"
    ),
    speaks=r"(?:i|we)(?: (?:just|also|finally|recently|still|actually|really|only|then|both|already|kinda)){0,2}+ "
    r"(?!(?:'|m|am|are|have|had|has|do not|don|dont|did|didn|didnt|can|cant|cannot|could|couldn|couldnt|will|would|"
    r"should|may|might|must|shall|was|were|think|thought|guess|know|knew|see|saw|mean|meant|want|wanted|need|needed|"
    r"understand|understood|get|got|try|tried|agree|believe|hope|wish|wonder|say|said|tell|told|ask|asked|read|heard|"
    r"hear|feel|felt|appreciate|changed|copied|copy|ran|run|clicked|click|updated|keep|forgot|deleted|suppose|"
    r"noticed|notice|found|find|look|looked|wait|waited|like|love|hate|prefer|accidentally|followed|added|add|put|"
    r"set|call|called|use|used|assume|doubt|imagine|disagree|swear|promise|bet|remember|recall|typed|tested|"
    r"installed|restarted|expected|expect|noted|watched|made|missed|give|skip|come|came|opened|open|close|pressed|"
    r"entered|pasted|removed|fixed|fix|solved|figured|realized|realised|made|never|always|enjoyed|if|was|"
    r"do)\b)\w{2,20}+(?! (?:it|this(?! (?:summer|year|week|month|spring|fall|winter|autumn))|that|these|those|them|"
    r"you|your|one|the (?:first|second|third|last|other|same))\b)|(?:i|we) do (?!not|n't|think|know|it|that|this|"
    r"want|need|have|understand)|(?:i'm|im|i am|we're|we are) (?:more|mostly|mainly|usually|always|never|no longer|"
    r"the (?!one|same|first)|on (?:the night|a diet|my|medication|insulin|\w+ leave)|in (?:my|the (?:army|navy|"
    r"process)|therapy|recovery|love|charge|year|grade)|with (?!you)|at (?:uni|college|university|school)|flying|"
    r"travell?ing|visiting|renovating|raising|staying|seeing|hosting|recovering|leaving|switching|taking (?:a|my)|"
    r"joining|hoping|selling|buying|\w+ing (?:my|our|to (?:\w+ )?on the))|(?:doctor|gp|therapist)\b.{0,20} me\b",
    at_hand=r"segfault|lists?\b|arrays?|rows?\b|columns?|excel|spreadsheet|tables?\b|session|python|script|"
    r"functions?|method|variable|json|api\b|button|click|link|page|files?\b|folder|branch|commit|git\b|deploy|server|"
    r"install|upgrade|version|paragraph|sentence|word\b|answer|question|option|example|step|docs|output|equation|"
    r"level|minutes?\b|documentary|talking|joke|photo|image|picture|somewhere|update|app\b|settings",
    bare=r"(?:(?:just|finally|recently|currently|still|also|now) )?(?:got (?:engaged|married|a (?:new|job|dog|cat|"
    r"puppy)|promoted|hired|fired|accepted)|getting married|moved|moving (?!on)|started (?:a|my)|starting (?:a|my)|"
    r"quit|passed|turning|working (?:at|as|for|in|on an?)|been (?:an?|vegan|vegetarian|\w+ing)|got (?:two|three|four|"
    r"\d|my)|living|doing (?:my|a)|studying|learning|training for|(?:was )?(?:born|raised)|married|divorced|retired|"
    r"allergic|vegan|vegetarian|mother of|father of|mum of|mom of|dad of|parent of|single (?:mum|mom|dad))",
    cuts=r"but|because|although|(?:and|so)(?= (?:i|we|my|our|no)\b)",
)
SPANISH = Telling(
    asks=r"cuál|qué\b|quién|cómo (?!\w{1,9}[oae]s?\b)|cuándo|dónde|por qué|cuánt|puede|podrías|me (?:puede|ayuda)|"
    r"quiero (?:saber|ver|que|un|una|la|el|solo)|quisiera|necesito|dime|dame|haz\b|escribe|traduce|explica|ayud|"
    r"imagina|supón|si |hay\b|es verdad|cuéntame|busca|corrige|resume",
    chat=r"error|código|compila|archivo|función|respuesta|instalar|script|(?:mi|tu) (?:pregunta|mensaje)",
    tells=(
        r"me llamo|me (?!aburro|refiero|pregunto|alegro|quedo con|imagino|temo|siento|río)\w{2,12}o\b|llev(?:o|amos) "
        r"\w+ (?:años|meses)|hago (?!clic|esto|eso|una pregunta)|(?:leo|escribo|canto|bailo|cocino|viajo|cuido|"
        r"colecciono|enseño|monto|nado|practico|doy clases|cobro|crío|fui|nos vamos a|tuve|tuvimos|perdí|conocí a|"
        r"compré|compramos|vendí|adopt|me (?:operaron|diagnosticaron|contrataron|despidieron|ascendieron))\b|mi "
        r"nombre|llámame|me dicen|soy (?!yo|consciente|nuevo en esto)|somos |nací|crecí|vivo|vivimos|nos mudamos|me "
        r"mud[eé]|me cas|nos casa|me jubil|me divorci|me separ|estudi[oeé]\b|juego al|toco (?:el|la)|hablo \w+ (?:y|"
        r"e)\b|conduzco|trabaj[oéa](?:mos)? |gano|entreno|corro|fumo|suelo|dejé|lo dejé|ya no \w{2,}o\b|empec[eé]|"
        r"empiezo|aprendí|"
        r"(?:tengo|tenemos) (?!(?:que|(?:una?|dos|\d+) (?:pregunta|duda|problema|idea|consulta|listas?|tabla|momento|"
        r"array|archivos?|minutos?|filas?|columnas?)|hambre|sed|sueño|"
        r"frío|calor|prisa|miedo|ganas|razón|dolor|dudas|problemas|esto?|esta|el|la|fiebre|sin)\b)|(?:estoy|estamos|"
        r"ando) (?:estudiando|aprendiendo|casad|embarazad|divorciad|jubilad|entrenando|ahorrando|preparando|"
        r"trabajando (?:en|como|de|para)|viviendo|en (?:paro|segundo|tercero|primero)|buscando (?:trabajo|piso|casa)|"
        r"planeando|a dieta|soltera?)|"
        r"(?:me (?:gustan?|encantan?)|odio|detesto|prefiero|adoro|no soporto|amo)(?: (?:nada|mucho|más)){0,2} "
        r"(?!(?:esto?|eso|esa|la (?:primera|segunda|idea|otra|última)|el (?:primero|segundo|otro|último)|tu|cómo|así|"
        r"más|lo)\b)\w|siempre |nunca \w+o\b|normalmente|todos los (?:días|lunes|martes|miércoles|jueves|viernes|"
        r"sábados|domingos|años)|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos|fines)|cada (?:día|"
        r"semana|mañana|noche|año|verano)|no (?:como|bebo|fumo|puedo comer|tolero|conduzco)|alergi|alérgic|intoleran|"
        r"vegan|vegetarian|celíac|diabét|embarazad|desde que|cumplo|cumple \d|quiero (?:ser|aprender (?!más|sobre|"
        r"cómo)|comprar|mudar|dejar|correr|adelgazar|bajar|montar|viajar)|voy a (?:ser|casar|mudar|estudiar|tener)|"
        r"mis? (?!(?:código|pregunta|problema|internet|ordenador|computadora|móvil|celular|correo|texto|archivo|"
        r"error|cabeza|pantalla|mensaje|tarea|programa|respuesta|función|lista|opinión)\b)\w|nuestr[oa]s? |"
        r"(?:cumpleaños|boda|cita|examen|vuelo|entrevista|aniversario|viaje|operación|entrega)\b[^\n]{0,40}\d"
    ),
    cuts=r"pero|porque|así que|aunque|y(?= (?:yo|mi|me|no|soy|tengo|vivo)\b)",
)
GERMAN = Telling(
    asks=r"was\b(?! (?:born|raised|diagnosed))|wie\b|wer\b|wo\b|wann|warum|wieso|welche|kannst|könn(?:en|test)|kann "
    r"ich|ich (?:möchte|will|würde gern) (?:wissen|nur|eine?n?|die|das)|ich brauche|mach\b|schreib|übersetz|erklär|"
    r"gib\b|nenn (?!mich)|zeig|hilf|bitte|wenn ich|stell dir|angenommen|ist\b|sind\b|hast\b|gibt\b|soll\b|muss ich|"
    r"fasse|erzähl|such\b",
    chat=r"fehler|code\b|kompilier|funktion|datei|skript|installier|docker|(?:die|das|deine) (?:antwort|version|"
    r"variante)|drucker",
    tells=(
        r"(?:ich |wir )?hei(?:ß|ss)en? |mein name|nenn mich|(?:ich )?bin (?:\w+ )?(?:eine? (?!bisschen|wenig)|aus |"
        r"\d\d\b|vegan|veget|allerg|verheirat|ledig|schwanger|geschieden|verlobt|single|student|azubi|rentner|in "
        r"rente|\w*lehrer|\w*pfleger|\w*arzt|\w*ärztin|\w{3,20}(?:erin|istin|iker|ologe|login|eur|eurin|ist|ent|"
        r"entin)\b|geboren|aufgewachsen|mutter|vater|mama|papa|linkshänder|seit)|"
        r"(?:arbeite|wohne|studiere|trainiere|verdiene|unterrichte|pendle|jobbe|vertrage) |(?:wir )(?:arbeiten|"
        r"wohnen|leben|heiraten|ziehen|erwarten) |(?:ich|wir)(?: (?:\w+ )){0,1} ?(?:lebe|lerne|spiele|fahre|spreche|"
        r"sammle|esse|trinke|rauche|hasse|jogge|laufe|spare|ziehe|heirate|mache (?:eine? )?(?:ausbildung|diät|sport|"
        r"yoga)|gehe (?:jed|immer|gern|oft|zur|in die)|stehe? (?:\w+ )?(?:auf|um)|fahre?|koche|reise|plane|kündige|"
        r"werde \d\d|werde vater|werde mutter)\b|(?:fahr|geh|steh|lern|spiel|mach)e? ich\b|steh(?:e)? ich|(?:ich|"
        r"wir) (?:liebe|mag|mögen|lieben)(?: \w+)? (?!(?:es|das|die (?:erste|zweite|idee)|den (?:ersten|zweiten)|"
        r"diese\w?|dich|deine?)\b)\w|ich mag (?:kein|nur)|"
        r"(?:(?:ich|wir) (?:habe?n?|hab|bin|sind)|(?:habe?n?|hab|bin|sind) (?:ich|wir)) [^\n]{0,60}(?:gezogen|"
        r"geheiratet|gekündigt|bestanden|studiert|gekauft|adoptiert|verlobt|getrennt|aufgehört|angefangen|"
        r"entschieden|aufgewachsen|geboren|termin|prüfung)|"
        r"(?:ich|wir) (?:habe?n?|hab)(?: (?:auch|noch|leider))? (?:eine?n?|zwei|drei|vier|\d+|keine?n?|adhs|asthma|"
        r"diabetes|zöliakie|kinder) ?(?!frage|problem|idee|ahnung|liste|tabelle|hunger|durst|lust|zeit|bug|moment|"
        r"bitte|listen|minuten|tabellen|zeilen|\d|dateien)|(?:meine?|meinem|meinen|meiner|meines|unsere?|unserem|"
        r"unseren|unserer) (?!(?:frage|problem|code|rechner|laptop|computer|handy|internet|wlan|kopf|programm|text|"
        r"datei|mail|drucker|bildschirm|fehler|meinung|antwort|hausaufgaben|liste|skript|aufsatz|konto|"
        r"passwort)\b)\w|"
        r"jede[nsr]? (?:tag|morgen|abend|woche|monat|jahr|sommer|montag|dienstag|mittwoch|donnerstag|freitag|samstag|"
        r"sonntag)|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s\b|(?:esse|trinke|rauche|mag) "
        r"(?:\w+ )?kein|allerg|unverträglich|schwanger|(?:trink|ess|mag|rauch)e? ich|im (?:januar|februar|märz|april|"
        r"mai|juni|juli|august|september|oktober|november|dezember) (?:kommt|werde|ziehe|heirat|fliege|beginn|fang)|"
        r"seit (?:die|der|das|ich|wir|unser|mein|\d|zwei|drei|acht|zehn)|(?:ich|wir) (?:gehe|esse|mache|trinke|fahre|"
        r"bin|nehme) (?:immer|nie|meistens|oft|normalerweise|selten)|(?:ich|wir) (?:will|möchte|werde|wollen|möchten|"
        r"werden) [^\n]{0,50}(?:abnehmen|werden|lernen|ziehen|kaufen|aufhören|heiraten|kündigen|reisen|laufen|"
        r"studieren|gründen|bauen)\b|(?:geburtstag|hochzeit|termin|prüfung|flug|vorstellungsgespräch|jahrestag|"
        r"urlaub|abgabe)\b[^\n]{0,40}\d|\d[^\n]{0,20}(?:geburtstag|hochzeit)"
    ),
    speaks=r"(?:ich|wir) (?!(?:bin|sind|habe?|haben|hab|denke?|glaube?|weiß|weiss|wissen|meine?|meinte|verstehe?|"
    r"brauche?|brauchen|möchte|will|wollte|versuche?|bekomme?|kriege?|nehme?|sehe?|hätte|würde|kann|können|konnte|"
    r"muss|müssen|soll|sollen|finde?|frage?|hoffe?|wünsche?|danke?|probiere?|liebe|mag|werde|las|hörte|dachte|sage?|"
    r"warte|suche|nutze|schaue?|teste|rate|kenne|erwarte|lese|höre|sagte|bitte|schätze|vermute|stimme|gebe|komme|"
    r"klicke|öffne|starte|lade|war|nicht|auch|es|das|dann|mir|dir|jetzt|da|mal|so|nur|ja|dich)\b)\w{3,20}+|(?!(?:bin|"
    r"habe?|denke?|glaube?|möchte|will|kann|muss|soll|was|wie|wo|wenn|dass|ob|weil|und|würde|finde?|war|also|wollte|"
    r"konnte|sollte|brauche?|verstehe?|hätte|ja|da|aber|nehme?|bekomme?)\b)\w{2,12}[eknmtrhl] ich\b|(?:bin|hab|habe) "
    r"(?:jetzt |nun |seit )(?:bei|in|als|beim)",
    at_hand=r"listen?\b|tabelle|zeile|spalte|link|seite|frage|antwort|bahnhof|minuten|option|schritt|programm|"
    r"version|variante|beispiel|\w+ nicht$|(?:es|das|dies)$",
    bare=r"(?:hab(?:e)? (?:\w+ ){0,4}(?:job|stelle|gewechselt|gekündigt|geheiratet|bekommen)|fahre|gehe|laufe|lerne|"
    r"lebe|esse|trinke|hasse|liebe) (?!das|es|die zweite)",
    cuts=r"aber|weil|denn|obwohl|und(?= (?:ich\b|wir\b|mein))",
)
FRENCH = Telling(
    asks=r"quel|que |qu'|qui |comment|quand (?:est|c'est)|où\b|pourquoi|combien|est-ce|tu (?:peux|connais|sais|as|"
    r"pourrais)|peux|pouvez|c'est (?:quand|quoi|où|qui)|je (?:veux|voudrais|aimerais) (?:savoir|voir|une?|la|le|que)|"
    r"j'ai besoin d|écris|fais\b|donne\b|traduis|explique|aide(?!-soign)|montre|corrige|résume|dis\b|raconte|si j|"
    r"imagine|suppos|cherche",
    chat=r"erreur|code\b|compile|fichier|fonction|réponse|script|installer|plante|ordi\b",
    tells=(
        r"je m'appelle|appelle-moi|mon nom|j(?:e |'|e)suis (?!(?:fatigu|désol|perdu|d'accord|là|prêt|en train|sûre?|"
        r"pas sûr|bloqu|coinc|content|triste|malade|occup|confus|curieu|crev|stress|en retard|au |dans|allé|de "
        r"retour|énerv|déçu))|(?:j'habite|je vis|on (?:vit|habite)|nous (?:vivons|habitons)|je (?:travaille|bosse)|"
        r"j'étudie|j'apprends|je (?:joue|parle \w+ et|conduis|cours|collectionne|fume|dors|garde|prépare|m'entraîne|"
        r"me lève|me marie|déménage|démissionne|compte|économise))\b|je fais (?:du|de la|des|une? (?:doctorat|master|"
        r"thèse|régime|formation))|j'enseigne|(?:j'ai|on a|nous avons) (?:(?:une?|deux|trois|quatre|\d+|des) "
        r"(?!question|erreur|problème|bug|idée|doute|liste|tableau|souci|truc|peu|message|listes?|minutes|fichiers|"
        r"lignes)|déménagé|démissionné|arrêté|acheté|adopté|obtenu|grandi|rompu|eu mon|réussi|décidé|pas d'enfant|"
        r"toujours)|\d\d ans\b|je ne (?:mange|bois|fume|supporte|conduis|travaille|digère)|je (?:mange|bois|fume) "
        r"(?:pas|jamais)|"
        r"(?:j'aime|j'adore|je déteste|je préfère|je hais)(?: (?:bien|beaucoup|pas|trop|vraiment|surtout)){0,2} "
        r"(?!(?:ça|ce|cette|cela|ces|l'idée|la (?:première|deuxième|seconde|dernière)|le (?:premier|deuxième|second|"
        r"dernier)|ton|ta|quand)\b|bien$)\w|"
        r"(?:mon|ma|mes|notre|nos) (?!(?:code|question|problème|ordi|ordinateur|pc|téléphone|portable|internet|"
        r"fichier|erreur|tête|écran|texte|mail|message|programme|script|réponse|avis|devoirs?|liste|faute|compte|"
        r"imprimante)\b)\w|tou(?:s|tes) les (?:jours|matins|soirs|semaines|ans|lundis|mardis|mercredis|jeudis|"
        r"vendredis|samedis|dimanches|étés)|chaque (?:jour|matin|soir|semaine|lundi|mardi|mercredi|jeudi|vendredi|"
        r"samedi|dimanche|été)|depuis (?:la|que|le|mon|ma|\d|deux|trois|dix)|allergi|intoléran|enceinte|végétarien|"
        r"diabét|(?:je veux|j'aimerais|je vais|on va) (?:devenir|apprendre (?!plus|comment)|perdre|acheter|déménager|"
        r"arrêter|me marier|se marier|courir|ouvrir|avoir un|être (?:papa|maman))|"
        r"(?:anniversaire|mariage|rendez-vous|rdv|examen|vol|entretien|concours|voyage|opération)\b[^\n]{0,40}\d"
    ),
    speaks=r"(?:je |j')(?:me |m'|ne |n'|y |en )?(?!(?:suis|ai|pense|crois|sais|vois|veux|voudrais|voulais|comprends|"
    r"peux|dois|cherche|essaie|essaye|aime|préfère|trouve|demande|espère|viens|vais|lis|regarde|dis|disais|aimerais|"
    r"adore|déteste|teste|clique|lance|ouvre|utilise|souhaite|suppose|imagine|doute|attends|reviens|note|connais|"
    r"entends|pensais|croyais|arrive|reçois|obtiens|vous|te|le|la|les|pas|rien|ennuie|refuse|prends|cuisine quoi|"
    r"excuse)\b)\w{3,20}+|je me suis (?!tromp|perdu|demand|dit)",
    at_hand=r"listes?\b|tableau|lien|page|question|étape|minutes|version|option|exemple|écran|(?:ça|cela)$",
    cuts=r"mais|parce que|donc|(?:car|et)(?= (?:je|j|on|mon|ma|mes)\b)",
)
PORTUGUESE = Telling(
    asks=r"qual|o que|que |quem|como (?:se|faço|eu|é|posso|funciona)|quando é\b|onde|por que|quanto|você (?:pode|sabe)|"
    r"pode|quero (?:saber|ver|uma?|só|que)|preciso|gostaria|me (?:ajuda|diz|dá|conta|explica)|faz (?:uma?|o|a) |faça|"
    r"escreva|traduz|explique|dê (?:uma?|me|\d|dois|três|cinco|exemplos|ideias|dicas)\b|se eu|imagine|suponha|corrija|"
    r"resuma|mostre|tem como",
    chat=r"erro|código|compila|arquivo|função|resposta|script|instalar|travou",
    tells=(
        r"meu nome|faço (?!um|uma|isso|clique|o que)\w|(?:leio|escrevo|canto|danço|cozinho|viajo|cuido|coleciono|"
        r"ensino|nado|pratico|dou aula|perdi (?:meu|minha|o emprego)|ganhei|adotei|adotamos|vendi|fui (?:demitid|"
        r"promovid|contratad|diagnosticad)|me (?!aburro|refiero|refiro|pregunto|pergunto|lembro|sinto|"
        r"desculp)\w{2,12}o\b)|faz \w+ anos|me chamo|me chama|sou (?!eu\b)\w|somos |moro|moramos|vivo (?:em|com|na|"
        r"no)|trabalh(?:o|ei|amos) |estudo|nasci|cresci|jogo (?!a segunda)|toco|falo \w+ e\b|dirijo|corro|acordo|"
        r"treino|fumo|ganho\b|costumo|parei de|larguei|me (?:mudei|casei|formei|aposentei|separei|demiti)|casei|(?:a "
        r"gente|nós) (?:se |nos )?(?:mud|cas|mor|tem|vai ter)|comecei (?:a|um|uma|no|na)|passei n[oa]|comprei|"
        r"(?:tenho|temos|tem os) (?!(?:que|(?:uma?|duas|dois|\d+) (?:dúvida|pergunta|problema|ideia|questão|listas?|"
        r"tabela|arquivos?|linhas?|minutos?)|fome|sede|sono|frio|"
        r"pressa|medo|dúvidas|certeza|razão|dor|febre)\b)|"
        r"(?:tô|estou|estamos|ando) (?:estudando|aprendendo|grávida|noiv|casad|treinando|juntando|economizando|"
        r"fazendo (?:faculdade|mestrado|curso|dieta)|planejando|morando|trabalhando|procurando (?:emprego|casa|apê)|"
        r"desempregad|de dieta|solteir)|"
        r"(?:odeio|detesto|adoro|amo|gosto (?:muito )?de|prefiro|não suporto|curto)(?: mais| muito)? (?!(?:isso|"
        r"essa?|esta|a (?:segunda|primeira|outra|última|ideia)|o (?:segundo|primeiro|outro|último)|assim|seu|sua|"
        r"saber|como)\b)\w|(?:meus?|minhas?|nossos?|nossas?) (?!(?:código|pergunta|dúvida|problema|internet|"
        r"computador|celular|pc|notebook|email|texto|arquivo|erro|cabeça|tela|mensagem|programa|resposta|lista|"
        r"opinião|deus|trabalho de casa|senha)\b)\w|tod[oa] (?:dia|manhã|noite|semana|mês|ano|segunda|terça|quarta|"
        r"quinta|sexta|sábado|domingo|verão)|tod[oa]s (?:os|as) (?:dias|manhãs|segundas|terças|quartas|quintas|"
        r"sextas|sábados|domingos|anos)|sempre \w+(?:o|amos)\b|nunca \w+o\b|desde que|não (?:como|bebo|fumo|posso "
        r"comer|tolero|dirijo)|alergi|alérgic|intoler|vegan|vegetarian|celíac|diabét|grávida|faço \d|faz \d+ anos|"
        r"(?:quero|vou|pretendo) (?:ser|aprender (?!mais|sobre|como)|comprar|me mudar|mudar|parar|casar|correr|"
        r"emagrecer|perder|abrir|viajar|ter um)|"
        r"(?:aniversário|casamento|consulta|prova|voo|entrevista|viagem|cirurgia|prazo)\b[^\n]{0,40}\d"
    ),
    cuts=r"mas|porque|então|e(?= (?:eu|meu|minha|moro|sou|tenho)\b)",
)
LATIN = (ENGLISH, SPANISH, GERMAN, FRENCH, PORTUGUESE)
