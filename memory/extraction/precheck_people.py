"""How people tell of others, and of a life they share, in five Latin languages: what the precheck matches, no logic.

The languages of other scripts stand in `precheck_people_scripts`. Patterns as in `precheck_words`.
"""

from dataclasses import dataclass

from memory.order_words import NEVER

# Written with a capital like a name, and much talked about.
THINGS = (
    r"london|paris|berlin|madrid|lisboa|lisbon|roma|rome|moscow|viena|wien|münchen|hamburg|barcelona|tokyo|tokio|"
    r"china|india|russia|ukraine|france|francia|frankreich|germany|deutschland|alemania|allemagne|spain|españa|"
    r"espagne|spanien|portugal|italy|italia|italie|italien|brasil|brazil|brésil|brasilien|argentina|méxico|mexico|"
    r"europe|europa|usa|america|américa|amérique|österreich|schweiz|suisse|suiza|switzerland|japan|japón|austria|"
    r"england|inglaterra|angleterre|canada|kanada|австралия|россия|москва|китай|сша|европа|украина|франция|германия|"
    r"питер|netflix|amazon|facebook|instagram|whatsapp|telegram|chatgpt|claude|gpt|windows|linux|ubuntu|python|java|"
    r"javascript|typescript|rust|excel|word|powerpoint|google|apple|chrome|firefox|safari|postgres|docker|"
    r"kubernetes|django|react|android|microsoft|tesla|spotify|youtube|github|git|bayern|flamengo|спартак|виндовс|"
    r"messi|trump|putin|shakespeare|einstein|goethe|cervantes|mozart|napoleon|пушкин|толстой|error|file|code|text|"
    r"water|coffee|life|love|milch|wasser|kaffee|house|kids"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """How people of one language tell of others. Many a first word has a capital: a name needs a verb of people."""

    no_name: str = NEVER  # words that begin a sentence or are always written with a capital, and name nobody
    steps: str = NEVER  # may stand between who and what they do
    does: str = NEVER  # what is told of somebody after their name, or after he and she
    he: str = NEVER
    acts: str = NEVER  # what is told of a name that begins its clause: wide, with what is said of things left out
    kin: str  # family, pets and homes without "my", as the first words of a clause
    kin_does: str  # what makes a statement of it; begins with its own space
    lives: str  # tells anywhere, whoever it is
    spaced: bool = True


ENGLISH = Others(
    no_name=r"i|we|he|she|if|when|then|as|in|on|at|to|for|with|because|while|after|before|also|just|not|only|it|"
    r"this|that|these|those|there|here|what|which|who|the|an?|my|your|our|their|its|everything|everyone|everybody|"
    r"nobody|nothing|something|somebody|someone|anyone|today|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"january|february|march|june|july|august|september|october|november|december|one|none|you|they|water|coffee|"
    r"nice|great|perfect|yes|no|and|but|so|or|code|text|god",
    steps=r"(?:from|in|at|over in|over at) \w{2,15}|now|just|also|still|already|recently|finally|actually|only|both|"
    r"really|always|never|usually|often|currently|then|probably|once|mostly|absolutely|totally|either|too",
    does=r"(?:works?|worked|working) (?:at|in|on|for|as|with|from|nights|part|full|there|here|remotely|two|three|"
    r"four)|(?:lives?|lived|living|grew up|moved|relocated|emigrated|commutes?|retired|quit|resigned|graduated|"
    r"enrolled|studies|studied|majors|teaches|taught|volunteers|coaches|drives|smokes|vapes|snores|adopted|"
    r"inherited|married|divorced|hates|loves|likes|dislikes|prefers|enjoys|adores|collects|speaks|earns|owns|rents|"
    r"bought|sold|wants to|plans to|hopes to|used to|passed (?:away|her|his)|died|turned \d|turns \d|joined|left "
    r"(?:the|her|his|us|school|work)|runs (?:an?|the|marathons|her|his|every)|plays (?:the|in|for|guitar|piano|"
    r"football|chess|tennis)|started (?:at|an?|her|his|school|uni|college|work|learning|going)|starts (?:at|school|"
    r"uni|work|her|his|kindergarten)|got (?:married|engaged|divorced|promoted|hired|fired|laid|accepted|an?|into|"
    r"her|his|pregnant)|goes (?:to|by)|doesn't (?:eat|drink|like|drive|smoke|work|live|speak|want|have)|can't "
    r"(?:eat|drink|stand|drive|have|swim)|don't (?:eat|drink|like|drive)|won't eat|never (?:eats|drinks|learned)|"
    r"eats|drinks|is (?:my|our)|was (?:my|our|born|diagnosed|raised))\b|(?:is|was|'s|has been|are|were|'s been|"
    r"became|will be)(?: (?:now|also|still|actually|really|very|just|both|not|finally|severely|a bit)){0,2} (?:an? "
    r"(?:\w+ ){0,2}(?:teacher|nurse|doctor|lawyer|engineer|student|vegan|vegetarian|designer|developer|programmer|"
    r"manager|driver|chef|cook|artist|writer|journalist|musician|scientist|dentist|pilot|farmer|accountant|"
    r"electrician|plumber|consultant|architect|therapist|psychologist|soldier|muslim|\w{3,12}ist|twin|mum|mom|dad|"
    r"father|mother|widow|smoker|runner|friend|colleague)|vegan|vegetarian|pescatarian|allergic|lactose|intolerant|"
    r"coeliac|celiac|diabetic|autistic|pregnant|married|engaged|divorced|single|gay|retired|unemployed|jewish|"
    r"muslim|from|based in|together|expecting|moving|getting (?:married|divorced)|studying|working|living|learning|"
    r"training|turning|dating|starting (?:school|uni|college|an?|her|his|at|work)|in (?:hospital|the hospital|"
    r"charge|rehab|labou?r|her|his|grade|year|college)|afraid|scared|terrified|left.handed|deaf|blind|\d{1,2}(?: "
    r"(?:now|years|months)|$))|(?:has|have|had|'s got|got)(?: (?:also|now|just|only)){0,1} (?:(?:an?|two|three|four|"
    r"five|\d|no|twin|another) (?:\w+ ){0,2}(?:kids?|children|sons?|daughters?|boys?|girls?|bab(?:y|ies)|dogs?|"
    r"cats?|pupp(?:y|ies)|brothers?|sisters?|siblings|house|flat|apartment|cabin|farm|car|boat|horses?|job|degree|"
    r"phd|allergy|exam|interview|surgery|appointment|twins)|kids|children|twins|diabetes|asthma|adhd|cancer|"
    r"dementia|epilepsy|been (?:an?|in|at|with|vegan|working|living|married|together|sick)|moved|started|retired|"
    r"quit)",
    he=r"he|she",
    acts=r"(?:is|was|'s|has|had|will be) (?!(?:(?:much|far|way|even|so|a bit|very|really|too|not|always|still) "
    r")?(?:more|less|better|worse|the|too|\w{2,12}er (?:than|now)|slow|fast|expensive|cheap|down|broken|working|"
    r"running|typing|used|called|written|known|located|built|made|an? (?:\w+ )?(?:good|great|nice|city|country|"
    r"capital|language|town|type|kind|form|film|movie|book|river|word|framework|library|planet|name|setting|bug|"
    r"million)|crash|stuck|released|fine|ok|okay|over|missing|required|good|bad|great|amazing|terrible|awful|cool|"
    r"nice|beautiful|million|\d{3}|weird|wrong|right|true|nothing|been (?:released|updated))\b)\w|(?!(?:works|keeps|"
    r"fails|crashes|says|shows|seems|looks|needs|means|gives|returns|throws|raised|announced|released|wrote|says|"
    r"reads|makes|sounds|helps|restarts|supports|requires|contains|costs|comes|runs|starts|stops|uses|worked|helped|"
    r"failed|changed|stopped|opens|closes|loads|takes|adds|drains|prices|ideas|does|thanks|has|is|was|this|needed|"
    r"based|related|used|invented|discovered|painted|composed|exists|depends|matters|hurts|sucks|rocks|rules|tips|"
    r"jokes|names|news|games|notes|files|tests|tables|series|stars)\b)\w{2,13}(?:[^s\W]s|ed)\b (?!it\b|this|that\b|"
    r"again)\w|(?:got|went|took|met|broke|gave|can't|cannot|doesn't|didn't|won't|and (?:i|me|his|her)|came|found|"
    r"lost (?:her|his)|had|speaks) \w|'s (?:\w+ )?(?:wife|husband|kids?|son|daughter|mom|mum|dad|parents|brother|"
    r"sister|girlfriend|boyfriend|partner|dog|cat|birthday|wedding|job|boss|baby|fianc[eé]e?) (?:is|was|has|had|"
    r"\w+s\b|\w+ed\b)",
    kin=r"(?:the |both |all |little |older |younger |ex.|aunt |uncle |cousin |grandma |grandpa |step.?)?(?:wife|"
    r"wifey|husband|hubby|kids?|children|son|sons|daughters?|boys|girls|twins|toddler|newborn|baby|mom|mum|mommy|"
    r"mama|dad|daddy|parents|grandma|granny|nana|grandpa|grandad|granddad|nan|gran|little one|eldest|youngest|"
    r"oldest|girls|lads|grandparents|grandmother|grandfather|brothers?|sisters?|siblings|aunt|uncle|auntie|cousins?|"
    r"nephew|niece|in.laws|mother.in.law|father.in.law|girlfriend|boyfriend|gf|bf|fianc[eé]e?|partner|roommate|"
    r"flatmate|landlord|landlady|ex|dogs?|puppy|cats?|kitten|commute|rent|mortgage|salary|car payments?|family|"
    r"(?:aunt|uncle|grandma|grandpa|cousin) \w{2,15})(?: and (?:i|the (?:kids|dog|cat)|kids|me))?",
    kin_does=r"(?: (?:now|just|also|still|already|recently|finally|both|all|only|always|never|usually|really|on "
    r"both sides))?(?:'s|'re|'ve| (?:is|are|was|were|has|have|had|works?|worked|lives?|lived|loves?|hates?|likes?|"
    r"prefers?|moved|got|gets|goes|go|went|wants?|speaks?|comes?|came|starts?|started|turns?|turned|eats?|drinks?|"
    r"drives?|plays?|studies|study|teaches|teach|sleeps?|retired|left|died|passed|can't|cant|don't|dont|doesn't|"
    r"doesnt|won't|bought|sold|runs?|owns?|does|do|takes?|took|named|called|eats|pays?|costs?|snores?|stays?|stayed|"
    r"raised|grew|quit|lost|used to|calls?|wakes?|needs? (?:glasses|surgery|insulin)))\b",
    lives=r"(?!(?:who|which|that|it|people|he who)\b)\w{2,15} (?:lives (?:in|with|at|near|on|alone)|moved (?:to|in "
    r"with)|works as an?|got (?:married|engaged|divorced)|is (?:allergic|vegan|pregnant))|[\w']{2,20} and (?:i|me) "
    r"(?!think|want|need|was wondering)\w|(?:rent|mortgage|salary|tuition|daycare|childcare|alimony)(?:'s| (?:is|"
    r"was|went|goes|costs?|eats|takes|of))|paying off|(?:we're|we are|i'm|im) (?:looking for|saving|renting|"
    r"expecting|both)|grew up (?:on|in|with|near|speaking)|(?:used to|lived|worked) (?:live|work|be an?|in|at|as|"
    r"there) |(?:the|a) (?:dog|cat|puppy|kitten|baby)(?:'s| is| was)? (?:called|named)|(?:bought|sold|inherited) "
    r"(?:a|the) (?:\w+ )?(?:house|flat|car|apartment|cabin|place|farm|boat)|(?:student|car|home|bank) loan|back "
    r"home in|took out a|where i (?:grew|live|work)",
)
SPANISH = Others(
    no_name=r"el|la|los|las|una?|est[eao]s?|es[eao]s?|que|quien|todo|nada|nadie|algo|alguien|hoy|ayer|lunes|martes|"
    r"miércoles|jueves|viernes|sábado|domingo|madrid|windows|excel|word|google|netflix|si|no|y|o|pero|aquí|ahí|hay|"
    r"esto|eso|usted|tú|vale|gracias",
    steps=r"ya|ahora|también|todavía|siempre|nunca|no|se|le|les|me|nos|acaba de|acaban de|por fin|hace poco|además",
    does=r"(?:trabaj(?:a|aba|ó|an)|viv(?:e|ía|ió|en|ían)|estudi(?:a|ó|aba|an)|nació|naciste|mud(?:ó|aron)|cas(?:ó|a|"
    r"aron|an)|divorci(?:ó|aron)|jubil(?:ó|a)|separ(?:ó|aron)|odia|adora|detesta|prefiere|gustan?|encantan?|habla "
    r"\w+|fuma|conduce|enseña|entrena|compró|compraron|vendió|adoptó|adoptaron|ganó la|dejó|empez(?:ó|aron)|empieza|"
    r"toca (?:el|la)|juega (?:al|en)|cumple|tuvo|tuvieron|murió|falleció|creció|emigró|regresó|volvió a|quiere ser|"
    r"come|bebe|cobra|gana|lleva|duele|operaron|diagnosticaron|contrataron|despidieron|ascendieron|graduó|"
    r"recibió)\b|(?:es|era|está|están|son) (?:muy |un poco |también )?(?:alérgic|celíac|vegan|vegetarian|diabétic|"
    r"intoleran|médic|enfermer|profesor|maestr|abogad|ingenier|estudiante|programador|arquitect|jubilad|casad|"
    r"divorciad|solter|embarazad|viud|de \w|mi |nuestr|zurd|autónom|camarer|cociner|hij[oa] únic|en paro|viviendo|"
    r"estudiando|trabajando|buscando (?:piso|trabajo))|(?:tiene|tienen|tenía) (?:\d|un (?:hijo|perro|gato|niño|"
    r"hermano|bebé|trabajo|piso|bar)|una (?:hija|niña|hermana|casa|gata|perra|tienda|finca)|dos |tres |cuatro |"
    r"hijos|alergia|diabetes|asma|cáncer|gemel|mellizos)",
    he=r"él|ella|ellos|ellas",
    acts=r"(?:vende|cocina|canta|baila|cuida|dirige|diseña|pinta|corre|nada|viaja|cría|busca (?:trabajo|piso|casa|"
    r"novi)|perdió|consiguió|conoció|salió|entró|aprobó|suspendió|rompió|sale con|sueña|sabe|teme|necesita (?:gafas|"
    r"silla|insulina)|usa (?:gafas|silla)|cree en|reza|vino|llegó|fundó|abrió un|montó|alquila|paga|debe|toma|hace "
    r"(?:yoga|deporte|un|dos)|colecciona|practica|duerme|madruga|ronca|espera)\b|(?:es|está|era|fue|tiene|tenía)(?! "
    r"(?:(?:muy|un poco|tan) )?(?:más|menos|mejor|peor|la|el|los|las|una? (?:\w+ )?(?:nombre|ciudad|país|lengua|"
    r"lenguaje|película|libro|buen|gran|capital)|lent|car[oa]|rápid|grande|bonit|buen|mal|bien|roto|caíd|millones|"
    r"\d{3})\w*) \w|(?:no|se|le|les|ya|va a|acaba de|ha|quiere|también|sigue|lleva|sale|y yo) (?!(?:funciona|va|"
    r"arranca|abre|carga|cuelga|cierra|subido|sacado|anunciado|ganado|perdido|puede|dice|escribe)\b)\w",
    kin=r"(?:(?:el|la|los|las) )?(?:mamá|mami|papá|papi|abuel[oa]s?|abuelit[oa]|suegr[oa]s?|niñ[oa]s?|nen[ae]s?|"
    r"peques?|pequeñ[oa]s?|hij[oa]s?|bebé|espos[oa]|marido|novi[oa]|pareja|herman[oa]s?|ti[oa]s?|prim[oa]s?|"
    r"cuñad[oa]|niet[oa]s?|sobrin[oa]s?|gemel[oa]s|melliz[oa]s|perr[oa]s?|gat[oa]s?|hipoteca|alquiler|coche|casera?|"
    r"familia)(?: y yo| y la niña| y los niños)?|(?:el|la|los|las) (?:chicos|chicas|padres|viej[oa]s?|ex|mayor|"
    r"menor)",
    kin_does=r" (?!(?:de|del|para|que|y|o|en|es (?:un|una) (?:palabra|animal|nombre)|más|menos|perfect|ideal|cuento|"
    r"modelo|con)\b)\w",
    lives=r"(?:vive|viven|vivía) (?:en|con|sol[oa])|se (?:mudó|mudaron|casó|casaron|casan|jubiló|divorció|"
    r"divorciaron|separaron)|trabaja (?:en|de|como|para)|[\w]{2,15} y yo|de (?:niñ[oa]|pequeñ[oa]|joven|chic[oa])\b|"
    r"cuando era|(?:vivía|trabajaba|estudiaba|jugaba|tenía|iba|iba a|era) (?:en|al?|de|como|un|una) |(?:pag(?:o|"
    r"amos|ando)|debemos|alquilamos|hipoteca|alquiler|letra del)|estamos (?:esperando|buscando|pensando en (?:mudar|"
    r"comprar|tener))|esperamos (?:un|una|gemelos|nuestr)|(?!(?:vamos|podemos|debemos|hacemos|usamos|ponemos|"
    r"quedamos|hablamos|necesitamos|queremos|seguimos|estamos|empezamos|cambiamos|vemos|decimos|sabemos|tenemos|"
    r"íbamos|dejamos|probamos|pasamos|hagamos|sigamos|pongamos|digamos|supongamos|veamos|volvamos|último|además|"
    r"extremos|ramos|hemos|habíamos|devemos|ficamos|falamos|precisamos|começamos|mudemos|sabemos|paramos|tentamos|"
    r"continuamos|colocamos|façamos|íamos|termos|mesmos|fazemos|mantemos)\b)\w{2,9}[aeií]mos\b|(?:hemos|habíamos) "
    r"(?:comprado|vendido|mudado|adoptado|alquilado|tenido|vivido|decidido|firmado)|nos (?:han dado|dieron|"
    r"concedieron|mud|cas|conocimos)|lo pagamos",
)
GERMAN = Others(
    no_name=r"der|die|das|ein|eine|es|dies\w*|was|wer|alles|nichts|niemand|jemand|man|heute|gestern|\w+tag|mittwoch|"
    r"windows|excel|word|google|python|docker|datei|programm|code|hier|dort|da|ich|du|wir|ihr|sie|er|und|aber|oder|"
    r"wenn|so|ja|nein|gut|danke|bitte|wo|wie|wann",
    steps=r"jetzt|auch|nun|noch|schon|seit \w+|gerade|immer|nie|nicht|leider|endlich|inzwischen|mittlerweile|früher|"
    r"übrigens|gern|gerne|neuerdings|wieder|bald",
    does=r"(?:arbeitet|wohnt|lebt|studiert|heiratet|zieht|zog|unterrichtet|jobbt|raucht|hasst|liebt|mag|spricht|"
    r"pendelt|heißt|kündigt|verdient|macht (?:eine|ihr|sein|jetzt|gerade|yoga|sport)|lernt|spielt (?:in|im|gern|"
    r"seit|klavier|geige|gitarre|fußball|tennis)|isst|trinkt|fährt|verträgt|wird (?:\d|bald|vater|mutter|papa|mama|"
    r"im|lehrer|arzt|\w+in)|fängt|geht (?:in|auf|zur|jetzt)|kommt (?:aus|in die)|arbeitete|wohnte|lebte|studierte|"
    r"bekommt|erwartet|wünscht sich|sammelt|kellnert|promoviert|wurde (?:\w+ ){0,4}(?:befördert|geboren|entlassen|"
    r"eingestellt|operiert))\b|(?:ist|war|sind)(?: (?:jetzt|auch|nun|noch|seit \w+|schon|gerade|leider|inzwischen|"
    r"sehr|übrigens)){0,2} (?:eine? \w+|vegan|veget|allerg|schwanger|verheirat|geschieden|verlobt|ledig|single|aus|"
    r"krank|in (?:rente|elternzeit|karenz|behandlung|kur)|arbeitslos|linkshänd|lactose|laktose|diabetik|mein|unser|"
    r"\d{1,2}\b|nach|umgezogen|gestorben|ausgezogen|eingezogen|\w{2,20}(?:erin|lehrer|pfleger|arzt|ärztin|istin|"
    r"iker|ologe|login|eur|ent|entin|meister|anwalt|berater|bäcker|koch|vegetarier|veganer)\b)|(?:hat|haben) "
    r"(?:[^\s]+ ){0,6}(?:kind|kinder|tochter|töchter|sohn|söhne|hund|katze|katzen|geburtstag|geheiratet|gekündigt|"
    r"studiert|gekauft|bestanden|diabetes|asthma|krebs|allergie|zwillinge|haus|job|stelle|angefangen|aufgehört|"
    r"geboren|gelebt|gewohnt|gearbeitet|bruder|schwester|termin|prüfung|verlobt|getrennt)\b",
    he=r"er|sie",
    acts=r"(?:ist|hat|war|hatte|wird)\b(?! (?:(?:viel|noch|immer|ja|doch) )?(?:größer|kleiner|besser|schlechter|zu|"
    r"die|das|der|den|sich|sehr|schön|teuer|gestern|kaputt|langsam|abgestürzt|gut|super|toll|schlecht|mehr|weniger|"
    r"\d{3}|\w+er als|offen|leer|falsch|richtig|nötig|wichtig)\b) \w|(?:will|möchte|darf|kann|geht|kommt|macht|"
    r"kriegt|bekommt|mag|und ich)\b \w|(?!(?:passt|klingt|funktioniert|stimmt|liegt|bedeutet|gibt|enthält|kostet|"
    r"startet|stürzt|fehlt|dauert|hilft|reicht|steht|zeigt|hängt|lädt|braucht|nicht|ist|hat|sagt|schreibt|gewinnt|"
    r"meint|bleibt|öffnet|haftet|mit|seit)\b)\w{2,12}[^s\W]t\b \w",
    kin=r"(?:(?:die|der|das|den|dem) )?(?:mama|mutti|mutter|papa|vati|vater|eltern|oma|opa|großeltern|omi|opi|frau|"
    r"mann|gatte|kinder|sohn|tochter|söhne|töchter|zwillinge|bruder|schwester|geschwister|tante|onkel|cousine?|"
    r"neffe|nichte|enkel\w*|schwiegermutter|schwiegervater|schwiegereltern|freundin|verlobter?|hund|katze|kater|"
    r"miete|kredit|hypothek|familie|mitbewohner\w*|vermieter|(?:tante|onkel|oma|opa) \w{2,15})(?: und ich)?|(?:die|"
    r"der|das|den|dem) (?:kids|kind|jungs|mädels|kleinen?|großen?|jüngster?|ältester?|baby|ex)",
    kin_does=r" (?!(?:von|des|der|im|für|aus|in der|haften|brauchen|und|oder|mit|zum|ohne|auf dem)\b)\w",
    lives=r"(?:ist|war) \w{2,15} (?:(?:jetzt|auch|seit \w+|schon) ){0,2}(?:veget|vegan|allerg|schwanger|verheirat|"
    r"geschieden|lehrer|arzt|ärztin|student|in rente|\w{2,15}erin\b)|(?:wohnt|arbeitet|lebt|studiert|heiratet) "
    r"\w{2,15} (?:jetzt|seit|in|bei|als|im|mit)\b|(?:wohnt|lebt) (?:\w+ )?(?:in|im|bei|mit|auf|allein)|arbeitet "
    r"(?:\w+ )?(?:bei|als|im krankenhaus)|[\w]{2,15} und ich (?!denk|glaub|woll|frag)|(?:früher|damals|als kind|mit "
    r"\d+|jahrelang) [^\n]{0,40}(?:gelebt|gewohnt|gearbeitet|gespielt|geraucht|studiert|gemacht)|(?:wir|ich) "
    r"(?:zahlen?|mieten?|bauen?|erwarten?|kauf(?:en|ten)|sparen?|leben?|wohnen?|ziehen?) |die miete|kredit|hypothek|"
    r"(?:bei|von) uns (?:zuhause|zu hause|daheim)|(?:ist|sind) (?:nach|zu) [^\n]{0,30}gezogen",
)
FRENCH = Others(
    no_name=r"le|la|les|une?|des|ce|cet|cette|ces|ça|cela|c|qui|que|quoi|tout|rien|personne|quelqu\w*|aujourd|hier|"
    r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|windows|excel|word|google|python|paris|lyon|il|elle|on|je|"
    r"tu|nous|vous|ils|elles|et|mais|ou|si|oui|non|merci|ok|voici|voilà",
    steps=r"maintenant|aussi|déjà|toujours|encore|enfin|ne|n'|se|s'|y|en|vient (?:de|d')|lui|récemment|désormais|"
    r"jamais",
    does=r"(?:travaill(?:e|ait)|boss(?:e|ait)|vi(?:t|vait)|habit(?:e|ait)|étudi(?:e|ait)|déménag(?:e|er)|enseigne|"
    r"déteste|adore|préfère|fume|parle \w+|joue (?:au|du|de|à)|conduit|collectionne|apprend|prépare|commence|entre "
    r"(?:en|au|à)|mange|boit|dort|gagne|loue|attend un|marie|quitte|cherche (?:un|du) (?:travail|boulot|appart\w*)|"
    r"fait (?:du|de la|des études|un|une|son|sa)|appelle|porte|va (?:à l|au|en|se marier|avoir|déménager|être))\b|"
    r"(?:est|était|sont|étaient)(?: (?:très|aussi|maintenant|devenue?|toujours|un peu)){0,2} (?:allergi|végétarien|"
    r"végane?|intoléran|diabéti|coeliaque|enceinte|marié|divorcé|célibataire|fiancé|retraité|à la retraite|au "
    r"chômage|médecin|infirm|prof\b|professeur|avocat|ingénieur|étudiant|instit|développeu|journaliste|cuisini|"
    r"comptable|née?\b|mort|décédé|parti|venu|arrivé|mon|ma|notre|de \w+|en (?:couple|terminale|première|cm\d|ce\d|"
    r"maternelle|stage|fac|congé)|malade|gaucher|boulang|musicien)|(?:a|ont|avait) (?:\d+ ans|\d|un (?:fils|chien|"
    r"chat|frère|bébé|enfant|poste|appart)|une (?:fille|soeur|sœur|maison|chatte)|deux|trois|quatre|des (?:enfants|"
    r"jumeaux|jumelles|allergies)|déménagé|acheté|vendu|démissionné|adopté|eu (?:un|une|son|sa)|quitté|commencé|"
    r"arrêté|épousé|grandi|obtenu|réussi|le diabète|du diabète|un cancer|de l'asthme|changé de)",
    he=r"elle|ils|elles",
    acts=r"(?:vend|cuisine|chante|danse|tient (?:un|une)|dirige|dessine|peint|court|nage|voyage|cherche (?:un|du|"
    r"une)|perd|trouvé|rêve|sait|craint|porte|croit|prie|ouvre un|monte (?:un|une|sa)|paie|paye|doit|prend|"
    r"collectionne|pratique|dort|ronfle|attend|enseigne|soigne|répare|connaît|suit (?:un|une|des)|redouble|rentre "
    r"en|termine|finit|souffre|supporte)\b|(?:est|était|a|avait)(?! (?:(?:très|trop|un peu|encore|bien|déjà) "
    r")?(?:plus|moins|mieux|la|le|les|l'|une? (?:\w+ )?(?:ville|pays|langue|nom|film|livre|belle|bon|grand|"
    r"capitale)|lent|cher|chère|rapide|grand|beau|belle|bien|planté|battu|gagné|perdu|écrit|sorti|annoncé|"
    r"\d{3})\w*) \w|(?:ne \w|n'\w|s'(?!ouvre|affiche)\w|se (?!lance|ferme|bloque)\w|va |vient d|veut |aime |sort "
    r"avec|passe (?:le|son|sa)|part |prend |garde |fête |élève |fait |et moi)",
    kin=r"(?:(?:le|la|les) |l')?(?:maman|papa|mamie|mamy|papy|papi|mémé|pépé|mère|père|enfants?|gosses|gamine?s?|"
    r"fils|filles?|bébé|jumeaux|jumelles|mari|femme|compagn\w+|conjointe?|copine|copain|chéri|frère|frangin|soeur|"
    r"sœur|frangine|tante|oncle|tonton|tata|cousine?s?|neveu|nièce|belle-mère|beau-père|beaux-parents|"
    r"grands-parents|grand-mère|grand-père|chien|chienne|loyer|crédit|proprio|(?:tante|oncle|tonton|tata|mamie|"
    r"papi) \w{2,15})(?: et moi)?|(?:(?:le|la|les) |l')(?:parents|petit(?:e|s|es)?|grande?s?|aîné(?:e|s)?|"
    r"cadet(?:te)?|ex|chat|chatte)",
    kin_does=r" (?!(?:de|d'|du|des|pour|qui|et|ou|en|au|est un (?:mot|animal)|prince|princesse|poucet|monde|cadeau|"
    r"idée|que|titre|modèle|problème|texte|question)\b)\w",
    lives=r"(?:vit|habite|vivait|habitait) (?:à|au|en|chez|dans|avec|seule?|toute? seule?)|s'est (?:mariée?|"
    r"installée?|séparée?)|se (?:marie|sont mariés|marient)|[\w]{2,15} et moi|(?:avec \w{2,15} )?on (?:vient (?:de|"
    r"d')|attend un|attend des|se (?:marie|sépare|lève|connaît)|s'est (?:mari|rencontr|install|sépar|pacs)|est "
    r"(?:mari|pacs|parents|végé|locataire|proprio|ensemble|cinq|six|quatre|trois|partis|tous|en couple)|paie|paye|"
    r"loue|vit|habite|élève|rembourse|déménage|emménage|divorce|garde les|gagne|travaille|bosse|cultive|fête (?:nos|"
    r"les)|adopte|part (?:en|à|tous|vivre)|mange (?:pas|sans|bio|halal|casher|végé)|vivait|habitait|avait|était|"
    r"allait|n'a pas (?:de|d')|cherche (?:un appart|une maison|à (?:acheter|louer|déménager|avoir))|a (?:pris|signé|"
    r"vendu|emménagé|deux|trois|un (?:chien|chat|bébé|crédit|jardin|enfant)|une (?:fille|maison|ferme)))|(?:quand|"
    r"lorsque) j'étais|(?:j'étais|j'avais|je vivais|j'habitais|j'allais|je travaillais|je jouais)|loyer|crédit "
    r"(?:immo|de la|sur)|nous (?:vivons|habitons|attendons|louons|payons|avons (?:acheté|vendu|adopté|deux|trois|un|"
    r"une))",
)
PORTUGUESE = Others(
    no_name=r"o|a|os|as|uma?|est[ea]s?|ess[ea]s?|isso|isto|que|quem|tudo|nada|ninguém|algo|alguém|hoje|ontem|"
    r"segunda|terça|quarta|quinta|sexta|sábado|domingo|windows|excel|word|google|brasília|lisboa|brasil|portugal|e|"
    r"mas|ou|se|não|sim|aqui|você|obrigad[oa]|eu",
    steps=r"já|agora|também|ainda|sempre|nunca|não|se|finalmente|acabou de|acabaram de|me|nos|lhe|só",
    does=r"(?:trabalh(?:a|ava|ou|am)|mor(?:a|ava|ou|am)|viv(?:e|ia|eu|em)|estud(?:a|ou|ava|am)|nasceu|nasceram|"
    r"mud(?:ou|aram|a)(?:-se)?|cas(?:ou|aram|a)(?:-se)?|separ(?:ou|aram)|divorciou|aposentou|formou|odeia|detesta|"
    r"adora|ama|prefere|gosta de|fala \w+|fuma|dirige|ensina|comprou|compraram|vendeu|adotou|adotaram|ganhou (?:um|"
    r"bebê|bolsa)|largou|começ(?:ou|a) (?:a|no|na|em|um|uma)|toca|joga (?:no|na|bola|futebol|vôlei)|faz (?:\d|"
    r"faculdade|medicina|direito|curso|anos|aniversário|estágio|aula)|teve (?:um|uma|bebê|gêmeos)|morreu|faleceu|"
    r"cresceu|entrou (?:na|no|pra)|passou (?:no|na|em)|quer ser|come|bebe|ganha|está (?:grávida|noiv|morando|"
    r"trabalhando|estudando|desempregad|namorando)|foi (?:morar|demitid|promovid|contratad|diagnosticad|pra|para)|"
    r"virou|arranjou|se chama)\b|(?:é|era|são|eram) (?:muito |também )?(?:alérgic|celíac|vegan|vegetarian|diabétic|"
    r"intoleran|bombeir|policial|médic|enfermeir|professor|advogad|engenheir|estudante|programador|arquitet|"
    r"dentista|motorista|aposentad|casad|divorciad|solteir|viúv|meu |minha |noss|canhot|de \w|evangélic|católic|"
    r"músic|cozinheir|psicólog|autista)|(?:tem|têm|tinha) (?:\d|um (?:filho|cachorro|gato|irmão|bebê|emprego|bar)|"
    r"uma (?:filha|irmã|casa|gata|loja)|dois |duas |três |quatro |filhos|alergia|diabetes|asma|câncer|gêmeos|medo "
    r"de)",
    he=r"ele|ela|eles|elas",
    acts=r"(?:vende|cozinha|canta|dança|cuida|dirige|desenha|pinta|corre|nada|viaja|cria|procura (?:emprego|casa)|"
    r"perdeu (?:o|a) (?!jogo|final|copa)|conseguiu|conheceu|saiu d|namora|noivou|terminou|sonha|sabe|teme|precisa "
    r"de (?:óculos|insulina)|usa (?:óculos|cadeira)|acredita|reza|veio d|chegou d|abriu (?:um|uma)|montou|aluga|"
    r"paga|deve|toma|faz|coleciona|pratica|dorme|ronca|espera|engravidou|parou de|voltou)\b|(?:é|está|tá|era|foi|"
    r"tem|tinha|ficou)(?! (?:(?:muito|um pouco|tão) )?(?:mais|menos|melhor|pior|o|a|os|as|uma? (?:\w+ )?(?:nome|"
    r"cidade|país|língua|filme|livro|bom|boa|grande|capital)|lent|car[oa]|rápid|grande|bonit|bo[ma]|ruim|longe|"
    r"perto|\d{3})\w*) \w|(?:não|se|já|vai|acabou de|quer|também|entrou|passou|terminou|conseguiu|arrumou|e eu) "
    r"(?!(?:abre|funciona|carrega|liga|travou|abriu|fechou|pode|dá|ganhou|perdeu)\b)\w",
    kin=r"(?:(?:o|a|os|as) )?(?:mamãe|mãe|papai|pai|avó|avô|vovó|vovô|avós|sogr[oa]s?|crianças?|menin[oa]s?|"
    r"filh[oa]s?|bebê|neném|espos[oa]|marido|namorad[oa]|noiv[oa]|irmã|irmão|irmãos|ti[oa]s?|prim[oa]s?|cunhad[oa]|"
    r"net[oa]s?|sobrinh[oa]s?|gêmeos|gêmeas|cachorr[oa]|cão|gat[oa]s?|aluguel|renda da casa|prestação|financiamento|"
    r"família|caçula|(?:tia|tio|vó|vô) \w{2,15})(?: e eu)?|os pais|(?:o|a|os|as) (?:pequen[oa]s?|moç[oa]|rapaz)|"
    r"velh[oa]",
    kin_does=r" (?!(?:de|do|da|dos|das|para|pra|que|e (?:o|a|os|as|filh\w*)|ou|em|é (?:um|uma) (?:palavra|animal|"
    r"nome)|mais|menos|perfeit|ideal|com|por)\b)\w",
    lives=r"(?:mora|moram|vive|vivem|morava) (?:em|no|na|com|sozinh|perto|numa?)|(?:se (?:mudou|mudaram|casou|"
    r"casaram|separou|aposentou)|(?:mudou|casou|mudaram|casaram)-se)|trabalha (?:em|no|na|num|numa|como|com|de|pra|"
    r"para)|eu e (?:o |a |os |as |meu |minha )?\w|\w{2,15} e eu|(?:quando|desde) (?:eu )?era|quando criança|"
    r"(?:morava|trabalhava|estudava|jogava|tinha|vivia|era) (?:em|no|na|como|um|uma|numa?|com) |(?:pag(?:o|amos|"
    r"ando)|aluguel|financiamento|prestação)|a gente (?:paga|aluga|mora|vive|comprou|vendeu|adotou|tem|tá esperando|"
    r"está esperando|espera|cria|namora|casou|mudou|ganhou|economiza|come|não come|cultiva|é)|estamos (?:esperando|"
    r"procurando (?:casa|apartamento|apê)|juntos|construindo|reformando)",
)
LATIN = (ENGLISH, SPANISH, GERMAN, FRENCH, PORTUGUESE)
