"""The words by which `sensitivity` tells what is private, in the languages we speak.

Parted by commas, case and accents do not matter. `diabet*` begins a word, `*krebs` ends one; Han needs neither.
An apostrophe or a hyphen is a space here: "I'm" reads "i m", "HIV-positive" reads "hiv positive".
"""

# Whoever is spoken of. Of the family only those one has few of: "children with asthma" are nobody we know.
KIN = """
mother, mom, mum, mommy, mama, father, dad, daddy, papa, son, daughter, brother, sister, wife, husband, spouse,
fiance, fiancee, boyfriend, girlfriend, grandmother, grandma, granny, grandfather, grandpa, aunt, uncle, cousin,
niece, nephew, stepson, stepdaughter, stepfather, stepmother, mother in law, father in law, sister in law,
brother in law, my ex, madre, padre, hijo, hija, hermano, hermana, esposa, esposo, marido, abuela, abuelo, tía, tío,
primo, prima, sobrino, sobrina, novio, novia, suegra, suegro, nieto, nieta, mutter, mutti, vater, vati, sohn, tochter,
bruder, schwester, ehefrau, ehemann, oma, opa, großmutter, großvater, tante, onkel, cousine, nichte, neffe, verlobte,
verlobter, schwager, schwägerin, schwiegermutter, schwiegervater, enkel, enkelin, mère, maman, père, fils, fille,
frère, sœur, soeur, épouse, époux, mari, grand mère, grand père, mamie, papi, oncle, neveu, compagnon, compagne, mãe,
pai, filho, filha, irmão, irmã, avó, sobrinho, sobrinha, namorado, namorada, sogra, sogro, neto, neta, мама, мамы,
маме, маму, мамой, мать, матери, матерью, папа, папы, папе, папу, папой, отец, отца, отцу, отцом, сын, сына, сыну,
сыном, дочь, дочери, дочерью, дочка, дочки, дочке, дочку, дочкой, жена, жены, жене, жену, женой, муж, мужа, мужу,
мужем, брат, брата, брату, братом, сестра, сестры, сестре, сестру, сестрой, бабушк*, дедушк*, тётя, тёти, тёте, тётю,
дядя, дяди, дяде, дядю, племянни*, внук, внука, внучк*, невест*, жених*, أمي, أبي, والدتي, والدي, ماما, بابا, أخي,
أختي, زوجي, زوجتي, ابني, ابنتي, بنتي, ولدي, جدي, جدتي, عمي, عمتي, خالتي, خطيبي, خطيبتي, والده, والدته, أمه, أبوه,
زوجته, زوجها, ابنه, ابنته, أخوه, أخته, माँ, मां, माता, माताजी, मम्मी, पिता, पिताजी, पापा, भाई, बहन, बेटा, बेटी, बेटे,
पति, पत्नी, दादी, दादा, नानी, नाना, चाचा, चाची, मामा, मौसी, बुआ, 妈, 媽, 爸, 母亲, 母親, 父亲, 父親, 儿子, 兒子, 女儿,
女兒, 妻子, 老婆, 老公, 丈夫, 哥哥, 弟弟, 姐姐, 妹妹, 奶奶, 爷爷, 爺爺, 外婆, 外公, 男友, 女友, 男朋友, 女朋友, 叔叔,
阿姨, 表哥, 表姐, 孙子, 孙女
"""
FAMILY = f"""
{KIN}, parents, sons, daughters, kid, kids, child, children, baby, twins, brothers, sisters, partner, mujer, hijos,
hijas, bebé, padres, pareja, frau, mann, kind, kinder, söhne, töchter, eltern, femme, enfant, enfants, filles, mulher,
filhos, filhas, дети, детей, детям, ребёнок, ребёнка, сыновья, дочери, طفلي, طفلتي, أطفالي, أولادي, बच्चे, बच्चों,
बच्चा, बच्ची, 孩子, 太太, 先生
"""
PERSONS = f"""
{KIN}, i, me, my, mine, myself, he, she, him, her, his, hers, himself, herself, our, ours, we have, we are, we re,
we both, you have, you are, you re, your, they have, they are, they re, friend, friends, colleague, colleagues,
coworker, boss, manager, neighbor, neighbour, roommate, flatmate, user, baby, yo, mi, mis, conmigo, ella, él tiene,
él es, él está, él toma, él sufre, tengo, soy, estoy, tomo, sufro, padezco, tuve, fui, gano, cobro, voy, voto, voté,
creo, rezo, vivo, nací, debo, amigo, amiga, jefe, jefa, vecino, vecina, compañero, compañera, ich, mich, mir, mein,
meine, meinem, meinen, meiner, meines, er, sie, ihn, ihm, ihr, ihre, ihrem, ihren, ihrer, seine, seinem, seinen,
seiner, wir haben, wir sind, unser*, freund, freundin, kollege, kollegin, chef, chefin, nachbar, nachbarin, je, j,
moi, mon, ma, m a, m ont, il, elle, lui, notre, nos, nous avons, nous sommes, ami, amie, copain, copine, collègue,
patron, patronne, voisin, voisine, meu, minha, meus, minhas, mim, comigo, ele, ela, dele, dela, tenho, sou, estou,
sofro, tive, ganho, devo, vou, votei, moro, preciso, faço, fiz, nosso, nossa, nasci, chefe, colega, vizinho, vizinha,
я, меня, мне, мной, мною, мой, моя, моё, моего, моей, моему, моим, мою, моих, он, она, ему, ей, у него, у неё, у них,
у нас, друг, друга, другу, подруга, подруги, подруге, коллега, коллеги, начальник, начальница, сосед, соседка, живу,
принимаю, болею, страдаю, болел, болела, лечусь, верю, голосую, голосовал, голосовала, родился, родилась, أنا, عندي,
لدي, لي, أعاني, أصبت, كنت, عنده, عندها, لديه, لديها, أتناول, آخذ, هو يعاني, هي تعاني, صديقي, صديقتي, مديري, زميلي,
زميلتي, جاري, أسكن, أعيش, ولدت, نحن, أتقاضى, أكسب, मैं, मैंने, मुझे, मुझको, मुझ, मेरा, मेरी, मेरे, हम, हमारा, हमारी,
हमारे, वह, वो, उसे, उसको, उसका, उसकी, उसके, उन्हें, उनका, उनकी, उनके, दोस्त, बॉस, पड़ोसी, सहकर्मी, 我, 他, 她, 朋友,
同事, 老板, 老闆, 邻居, 鄰居, 室友, 本人, 患有, 患上, 得了, 确诊, 確診, 查出
"""
# Somebody only where the matter follows at once: "su diabetes", but not "la diabetes y sus causas".
PERHAPS = """
their, take, takes, taking, su, sus, tu, tus, tomar, sein, dein, deine, deinem, deinen, deiner, sa, ses, ton, ta, tes,
votre, vos, leur, prendre, seu, sua, seus, suas, teu, tua, mes, его, её, их, твой, твоя, твоё, твоего, твоей, ваш,
ваша, ваше, свой, своя, своей, свою, принимать, пить, आपका, आपकी, आपके, तुम्हारा, तुम्हारी, 你, 你的, 您的, 你有, 吃,
服用
"""
MINE = """
my, our, his, her, your, mi, mis, su, nuestro, nuestra, mein, meine, meinem, meinen, meiner, unser, unsere, unserem,
unserer, ihr, ihre, sein, seine, mon, ma, mes, notre, nos, sa, ses, meu, minha, meus, minhas, nosso, nossa, seu, sua,
мой, моя, моё, моего, моей, моему, мою, моих, наш, наша, его, её, मेरा, मेरी, मेरे, हमारी, हमारे
"""
COPULAS = """
is, was, am, m, being, isn t, are both, es, era, está, fue, ist, war, est, était, suis, foi, sou, был, была, это,
является, كان, كانت, هو, هي, 是
"""
# What stands after a name, besides; and what alone opens a note: "takes insulin".
LINKS = "s, a, e, é, à, को, का, की, के, ने"
VERBS = """
has, had, takes, took, suffers, suffered, got, lost, tested, converted, identifies, prays, earns, owes, joined, voted,
votes, supports, believes, lives, lived, moved, makes, tiene, tuvo, toma, sufre, padece, gana, vive, votó, reza,
apoya, hat, hatte, nimmt, leidet, bekam, bekommt, wurde, verdient, schuldet, wählt, betet, wohnt, prend, souffre,
gagne, habite, prie, soutient, tem, teve, sofre, ganha, mora, apoia, beat, survived, died, needs, sees, болен, больна,
болеет, болел, болела, страдает, принимает, имеет, зарабатывает, верит, живёт, родился, родилась, голосует, голосовал,
голосовала, مصاب, مصابة, مريض, مريضة, يعاني, تعاني, يتناول, تتناول, يسكن, تسكن, يعيش, تعيش
"""
FILLERS = "a, an, very, openly, not, now, also, really, un, una, ein, eine, sehr, une, très, um, uma, muito, очень, не"
# Words before which no name stands, and words that open a sentence and are no names.
ARTICLES = """
the, an, this, that, these, those, der, die, das, dem, den, des, ein, eine, einen, einem, einer, el, la, los, las, un,
una, le, les, l, une, du
"""
NO_NAMES = """
it, this, that, there, here, what, which, who, why, how, where, when, everyone, everybody, someone, nobody, anyone,
people, many, most, some, all, one, if, because, and, but, or, so, not, work, treatment, research, patients, doctors,
women, men, children, science, society, life, nothing, something, everything, to, the, a, of, in, on, for, with, at,
no, yes, then, que, esto, eso, aquí, todo, nada, gente, mucha, muchos, si, y, pero, como, hay, se, donde, quien, was,
wer, wie, wo, wann, warum, das, dies, hier, es, man, alles, nichts, viele, und, oder, aber, wenn, leute, patienten,
der, ce, c, ça, cela, qui, quoi, où, quand, tout, rien, gens, beaucoup, et, mais, ceci, isto, isso, tudo, muita,
muitos, e, mas, quem, onde, o, today, tomorrow, yesterday, monday, tuesday, wednesday, thursday, friday, saturday,
sunday, heute, morgen, gestern, hoy, mañana, ayer, aujourd, demain, hoje, amanhã, ontem, это, что, кто, как, где,
когда, все, люди, многие, и, но, или, если, ничего, то, сегодня, завтра, вчера, هذا, هذه, ما, من, أين, متى, كل, كثير,
الناس, هو, هي, في, على, إن, اليوم, غدا, أمس, क्या, यह, ये, कौन, कहाँ, कब, सब, लोग, लोगों, कई, बहुत, सरकार, देश,
डॉक्टर, डॉक्टरों, बच्चों, महिलाओं, मरीजों, आज, कल
"""
# Set phrases that name a person or a matter and mean neither.
ASIDES = """
tell me, explain to me, show me, give me, let me, remind me, help me, send me, find me, teach me, i o, sick of,
sick and tired, that s sick, that is sick, this is sick, union jack, technical debt, tech debt, gradient descent,
great depression, cloud agnostic, addicted to coffee, addicted to chocolate, addicted to tea, addicted to this,
during covid, since covid, before covid, after covid, trans fat*, therapy dog, probation period, prayer flag*,
income tax return, income statement*, browser fingerprint*, key fingerprint*, ssh fingerprint*, work at the hospital,
works at the hospital, work in a hospital, works in a hospital, i want to know, i wonder, low income, basic income,
dime, explícame, recuérdame, muéstrame, ayúdame, dame, sag mir, erklär mir, erkläre mir, zeig mir, hilf mir, gib mir,
erinnere mich, krebsforschung*, il y a, il faut, il est important, dis moi, explique moi, montre moi, aide moi,
donne moi, rappelle moi, enceinte bluetooth, enceinte connectée, une enceinte, me diga, me explique, me lembre,
me mostre, me ajude, genetic algorithm*, kidney bean*, diagnosed the, diagnose the, code lives in, config lives in,
file lives in, data lives in, service lives in, preso no trânsito, presa no trânsito, golf handicap, blind to,
a history of, können sie, könnten sie, mir erklären, a stroke of, расскажи мне, объясни мне, напомни мне, покажи мне,
помоги мне, дай мне, قل لي, اشرح لي, أخبرني, ذكرني, मुझे बताओ, मुझे बताइए, मुझे समझाओ, मुझे दिखाओ, याद दिलाना मुझे,
告诉我, 告訴我, 给我, 給我, 帮我, 幫我, 提醒我, 请问, 让我, 其他, 吉他, 自我
"""
# Works on a matter: what follows is the world's, unless a person turns up in it; and those that follow the matter.
WORKS = """
essay, essays, article, articles, novel, paper, thesis, lecture, documentary, film, movie, podcast, history, research,
chapter, presentation, poem, news, definition of, quiz, dataset, course on, blog post, headline, what is, what are,
meaning of, word for, translate, ensayo, artículo, libro, novela, historia, investigación, documental, película,
noticia*, tesis, curso de, curso sobre, qué es, aufsatz, artikel, buch, roman, geschichte, forschung, vortrag, doku,
referat, studie, nachrichten, was ist, essai, livre, histoire, recherche, documentaire, exposé, qu est ce que, ensaio,
artigo, livro, pesquisa, documentário, filme, o que é, the book, a book, this book, book on, book about, books, эссе,
статья, статью, статьи, книга, книгу, книги, роман, история, историю, истории, исследован*, реферат*, фильм*, лекци*,
доклад*, новост*, что такое, مقال*, كتاب*, تاريخ, بحث*, فيلم*, محاضرة, رواية, ما هو, ما هي
"""
STUDIES = """
research, researcher*, documentary, essay, studies, conference, museum, charity, awareness, fundraiser, dataset,
software, industry, ward, booking, निबंध, लेख, इतिहास, किताब, शोध, फिल्म, क्या है, क्या होता है, पर निबंध, पर लेख,
का इतिहास, पर किताब, के बारे में
"""
# What a person is. After "is", or a name where the language needs no "is", it is said of somebody.
TRAITS = """
gay, lesbian, bisexual, homosexual, heterosexual, asexual, pansexual, transgender, trans, queer, nonbinary,
non binary, polyamorous, pregnant, asthmatic, autistic, bipolar, schizophrenic, bulimic, suicidal, depressed,
hiv positive, infertile, in rehab, in therapy, hospitalized, hospitalised, deaf, paralyzed, paralysed, terminally ill,
vaccinated, unvaccinated, on antidepressants, on medication, jewish, catholic, protestant, hindu, sikh, mormon,
bankrupt, insolvent, communist, socialist, libertarian, anarchist, left wing, right wing, latina, latino, hispanic,
biracial, mixed race, kurdish, african american, native american, incarcerated, in prison, in jail, on parole,
on probation, convicted, lesbiana, transexual, embarazada, diabétic*, asmátic*, epiléptic*, autista, alcohólic*,
deprimid*, esquizofrénic*, discapacitad*, minusválid*, católic*, musulm*, judío, judía, ateo, atea, budista,
evangélic*, comunista, socialista, anarquista, sindicalista, gitano, gitana, indígena, mestizo, mestiza, en la cárcel,
en prisión, en bancarrota, en quiebra, endeudad*, vacunad*, estéril, enfermo, enferma, sordo, sorda, ciego, ciega,
schwul, lesbisch, transsexuell, schwanger, autistisch, autist, autistin, magersüchtig, alkoholiker*, drogensüchtig,
alkoholabhängig, krank, behindert, schwerbehindert, querschnittsgelähmt, hiv positiv, muslim*, jüdisch, jüdin,
katholi*, evangelisch, buddhist*, atheist*, gläubig, religiös, kommunist*, sozialist*, vorbestraft, verschuldet,
überschuldet, pleite, unfruchtbar, geimpft, taub, gehörlos, kurdisch, homosexuel*, lesbienne, bisexuel*, transgenre,
hétérosexuel*, enceinte, diabétique, asthmatique, épileptique, autiste, bipolaire, alcoolique, schizophrène,
handicapé*, séropositi*, catholique, juif, juive, chrétien, chrétienne, bouddhiste, athée, communiste, socialiste,
syndiqué*, endetté*, surendetté*, vacciné*, malade, sourd, sourde, aveugle, lésbica, bissexual, homossexual,
heterossexual, grávida, alcoólatra, deficiente, muçulman*, judeu, espírita, cristão, cristã, ateu, ateia, petista,
bolsonarista, preso, endividad*, falido, falida, vacinad*, doente, surdo, surda, cego, cega, dépressif, dépressifs,
depressive, depressiv, moslem, anorexique, schizophren, epileptiker*, toxicomane, anoréxic*, гей, геем, лесбиянк*,
бисексуал*, гомосексуал*, трансгендер*, беремен*, диабетик*, астматик*, эпилептик*, аутист*, алкоголик*, наркоман*,
шизофреник*, инвалид*, мусульман*, христианин*, христианка, христиане, православн*, католик*, католичк*, протестант*,
еврей, еврейка, иудей, буддист*, индуист*, атеист*, баптист*, верующ*, коммунист*, социалист*, банкрот*, судим,
судима, судимость, привит, привита, бесплодн*, глухой, глухая, цыган*, татарин, татарка, чеченец, чеченка, болен,
больна, биполярник, مثلي الجنس, مثلية, مثلية الجنس, حامل, مدمن*, معاق*, مكتئب*, مسلم, مسلمة, مسيحي, مسيحية, يهودي,
يهودية, شيعي, شيعية, ملحد*, درزي*, قبطي*, بوذي*, هندوسي*, شيوعي, شيوعية, مفلس*, سجين*, عقيم, كردي, كردية, أمازيغي*,
مريض, مريضة, مصاب*, متحول جنسي*, समलैंगिक, गर्भवती, विकलांग, दिव्यांग, शराबी, नशेड़ी, अवसादग्रस्त, मुसलमान, मुस्लिम,
हिंदू, हिन्दू, सिख, ईसाई, बौद्ध, नास्तिक, यहूदी, दलित, आदिवासी, ब्राह्मण, दिवालिया, बांझ, उभयलिंगी, ट्रांसजेंडर,
बीमार, मधुमेह, बाइसेक्शुअल, लेस्बियन, 同性恋, 同性戀, 双性恋, 雙性戀, 跨性别, 跨性別, 怀孕, 懷孕, 孕妇, 残疾, 殘疾,
基督徒, 天主教, 基督教, 穆斯林, 佛教, 伊斯兰, 道教, 无神论, 無神論, 党员, 黨員, 破产, 破產, 抑郁, 憂鬱, 自闭, 自閉,
酗酒, 酒鬼, 吸毒, 出柜, 出櫃, 少数民族, 回族, 维吾尔, 藏族, 满族, 蒙古族, 苗族, 壮族, 汉族
"""
# Illness, cure, body; bed; belief; politics and origin; crime; money: private once a person stands beside it.
MATTERS = """
diabet*, cancer, cancers, epilepsy, hiv, anxiety, panic attack*, ptsd, ocd, adhd, autism, bipolar disorder,
schizophrenia, anorexia, bulimia, eating disorder, burnout, insomnia, suicid*, self harm, alcoholism, addict*, rehab,
overdos*, pregnan*, miscarr*, abortion, ivf, infertility, menopaus*, endometriosis, disabilit*, wheelchair, tumour,
leukemia, leukaemia, lymphoma, melanoma, heart attack, heart disease, heart condition, heart failure, blood pressure,
hypertension, cholesterol, arthritis, migraine*, allerg*, celiac, coeliac, hepatitis, herpes, chlamydia, syphilis,
tuberculosis, covid, covid19, flu, pneumonia, infection, disease, illness, syndrome, mental health, dementia,
alzheimer*, parkinson*, multiple sclerosis, lupus, dialysis, transplant, kidney*, surgery, radiotherapy, therapy,
therapist, psychiatr*, psychotherap*, oncolog*, gynecolog*, urolog*, cardiolog*, diagnosis, diagnosed, medication*,
pills, prescription, prescribed, insulin, metformin, antidepress*, antibiotic*, painkiller*, prozac, zoloft, xanax,
ritalin, adderall, ibuprofen, birth control, contracepti*, viagra, erectile, impotent, hospital, blood type, sick,
ill, symptoms, sexual orientation, sex life, sex with, porn*, fetish, libido, masturbat*, prostitut*, religion,
religious, islam, islamic, buddhism, judaism, mosque, synagogue, ramadan, halal, kosher, prayer, prayers, praying,
pray, baptized, baptised, ethnic*, ancestry, descent, trade union, labor union, labour union, union member*,
union rep, party member*, member of the party, political view*, political opinion*, political belief*,
political party, felony, felon, criminal record, arrested, jail, prison, sentenced, dui, shoplifting,
restraining order, refugee, asylum, salary, wage, wages, income, net worth, mortgage, debt, debts, bankruptcy,
credit score, paycheck, overdraft, student loan*, dna, genetic*, genome, brca*, fingerprint, fingerprints,
retina scan, face scan, iris scan, voiceprint, asma, epilepsia, vih, sida, depresión, ansiedad, autismo, tdah,
esquizofrenia, adicción, adict*, aborto, discapacidad, tumor*, infarto, hipertensión, tensión alta, alergi*,
enfermedad, demencia, cirugía, operaron, quimio*, terapia, terapeuta, psiquiatr*, medicación, pastillas, insulina,
antidepresiv*, orientación sexual, mezquita, sinagoga, misa, rezo, rezar, opinión política, ideas políticas,
antecedentes penales, cárcel, prisión, condenad*, salario, sueldo, nómina, ingresos, deuda, deudas, hipoteca,
bancarrota, adn, huella dactilar, huellas dactilares, etnia, origen étnico, *krebs, krebs*, asthma*, epilepsie,
depression*, angststörung*, panikattacke*, autismus, schizophrenie, magersucht, essstörung*, alkoholproblem*,
alkoholismus, entzug, schwangerschaft*, fehlgeburt, abtreibung, behinderung, herzinfarkt, schlaganfall, bluthochdruck,
blutdruck*, migräne, *allergie*, krankheit*, *erkrankung, demenz, operiert, therapie, therapeut*, psychiater*,
psychologe, psychologin, onkolog*, medikament*, tabletten, krankenhaus, krankgeschrieben, sexuelle orientierung,
moschee, synagoge, gottesdienst, politische meinung, gewerkschaft*, partei, parteimitglied, vorstrafe*, verurteilt,
gefängnis, haft, verhaftet, gehalt, lohn, einkommen, nettoeinkommen, schulden, kredit, hypothek, insolvenz,
privatinsolvenz, gentest, fingerabdruck*, abstammung, asthme, anxiété, angoisse*, autisme, anorexie, alcoolisme,
grossesse, fausse couche, avortement, handicap, tumeur, infarctus, avc, tension artérielle, maladie*, démence,
chimio*, psychologue, psy, cancérologue, médicament*, insuline, hôpital, ordonnance, orientation sexuelle, mosquée,
opinion politique, opinions politiques, syndicat, casier judiciaire, condamné*, arrêté par la police, incarcér*,
salaire, revenu, revenus, dette*, crédit immobilier, faillite, surendettement, test génétique, empreintes digitales,
origine ethnique, cancro, depressão, ansiedade, vício, viciad*, gravidez, deficiência, pressão alta, hipertensão,
enxaqueca, doença*, cirurgia, psicóloga, psicólogo, remédio*, comprimidos, orientação sexual, religião, mesquita,
missa, umbanda, candomblé, opinião política, sindicato, antecedentes criminais, ficha criminal, prisão, cadeia, renda,
dívida*, empréstimo, falência, impressão digital, psychologist*, spielsucht, drogensucht, alkoholsucht, süchtig,
notoperation, diagnose, diagnosen, diagnostiziert, diagnosticaron, diagnosticado, diagnosticada, diagnóstico, operado,
operada, opéré, opérée, sous traitement, traitement médical, detenido, detenida, embarazo, medicine,
member of a union, member of the union, union dues, a stroke, jehova*, crohn*, chemo*, gout, psoriasis, eczema,
thyroid, anemia, anaemia, seizure, seizures, fibromyalgia, copd, tinnitus, glaucoma, ssri*, methadone, cocaine,
heroin, chronic pain, dyslexi*, tourette*, hpv, hormone therapy, mastectomy, vasectomy, hysterectomy, pacemaker,
psychosis, sertraline, lexapro, ozempic, meds, raped, rape, sexual assault, sexually abused, domestic violence,
hinduism, christianity, scientolog*, shabbat, opus dei, house arrest, on the spectrum, burglary, esclerosis, ictus,
gripe, migraña, artritis, diálisis, trastorno, trastornos, silla de ruedas, leucemia, violación, violaron, jeová,
adhs, multiple sklerose, bulimie, zwangsstörung*, borderline, ptbs, posttraumatisch*, psychose, rheuma, arthrose,
neurodermitis, schilddrüse*, grippe, leukämie, herzkrank*, herzfehler, herzschrittmacher, dialyse, rollstuhl,
pflegegrad, reha, bürgergeld, arbeitslosengeld, vergewaltig*, boulimi*, sclérose, arthrite, hépatite,
fauteuil roulant, désintox*, fiv, ivg, violée, agression sexuelle, garde à vue, leucémie, esclerose, derrame,
cadeira de rodas, enfarte, estupr*, abuso sexual, рак, рака, раком, диабет*, астм*, эпилепси*, вич, спид, спидом,
депресси*, аутизм*, шизофрени*, анорекси*, алкоголизм*, выкидыш*, аборт*, инвалидност*, опухол*, инфаркт*, инсульт*,
гипертони*, давление, мигрен*, аллерги*, гепатит*, болезн*, заболевани*, деменци*, химиотерапи*, терапи*, терапевт*,
психиатр*, психотерап*, онколог*, диагноз*, лекарств*, таблетк*, инсулин*, антидепрессант*, больниц*,
сексуальная ориентация, религи*, мечет*, молюсь, молитв*, рамадан*, ислам*, политические взгляды, профсоюз*,
судимост*, тюрьм*, арестован*, осужд*, зарплат*, оклад, доход, доходы, долг, долги, долга, долгов, ипотек*, кредит,
кредиты, днк, генетическ*, национальност*, операцию, операция, тревожное расстройство, тревожность, отпечатки пальцев,
наркозависим*, зависимость от алкоголя, психолог, психолога, психологу, психологом, альцгеймер*, паркинсон*, склероз*,
сдвг, птср, биполярн*, булими*, псориаз*, артрит*, артроз*, ковид*, грипп*, туберкул*, бесплоди*, климакс*, изнасил*,
в партию, в партии, наркотик*, передозировк*, условный срок, иеговы, гормон*, лейкеми*, пневмони*, язва, язвы, سكري,
سرطان, ربو, صرع, إيدز, اكتئاب*, قلق مزمن, توحد, فصام, إدمان, إجهاض, إعاقة, ورم, جلطة, ضغط الدم, حساسية, مرض, أمراض,
خرف, عملية جراحية, علاج نفسي, كيماوي, طبيب نفسي, طبيبي النفسي, تشخيص*, دواء, أدوية, أنسولين, مضادات, مستشفى,
ميول جنسي*, مسجد, صلاة, أصلي, أصوم, رمضان, آراء سياسية, آرائي السياسية, نقابة, سجن, سوابق, اعتقل*, راتب, دخل شهري,
ديون, دين للبنك, قرض, إفلاس, حمض نووي, بصمة, شيعة, إسلام, زهايمر*, باركنسون, نقص المناعة, كورونا, شلل, صداع نصفي,
صداع, سكتة, اضطراب*, انفصام, وسواس, عقم, كرسي متحرك, اغتصاب, مخدرات, علاج كيميائي, مسجون*, معتقل*, ضغط دم, कैंसर,
डायबिटीज, शुगर की बीमारी, अस्थमा, दमा, मिर्गी, एचआईवी, एड्स, अवसाद, डिप्रेशन, चिंता विकार, ऑटिज्म, लत, गर्भपात,
विकलांगता, ट्यूमर, दिल का दौरा, दिल की बीमारी, रक्तचाप, ब्लड प्रेशर, बीपी, माइग्रेन, एलर्जी, बीमारी, रोग, ऑपरेशन,
कीमोथेरेपी, थेरेपी, मनोचिकित्सक, मनोवैज्ञानिक, दवा, दवाई, दवाइयाँ, दवाएं, गोलियां, इंसुलिन, अस्पताल, यौन, धर्म,
मस्जिद, नमाज, नमाज़, इस्लाम, रमजान, जाति, राजनीतिक विचार, यूनियन, जेल, गिरफ्तार, सजा, वेतन, सैलरी, तनख्वाह, आमदनी, आय,
कर्ज, कर्ज़, ऋण, लोन, डीएनए, फिंगरप्रिंट, ऑटिस्टिक, अल्जाइमर, पार्किंसन, लकवा, कोरोना, कोविड, टीबी, थायराइड, गठिया,
एडीएचडी, बलात्कार, व्हीलचेयर, इलाज, सर्जरी, डायलिसिस, हार्ट अटैक, बांझपन, शिया, सुन्नी, निमोनिया, 糖尿病, 癌, 肿瘤,
腫瘤, 哮喘, 癫痫, 艾滋, 愛滋, 焦虑症, 焦慮症, 躁郁, 精神分裂, 厌食, 成瘾, 流产, 堕胎, 人流, 中风, 心脏病, 心臟病,
高血压, 高血壓, 偏头痛, 过敏, 過敏, 肝炎, 疾病, 生病, 住院, 手术, 手術, 化疗, 化療, 心理医生, 心理咨询, 精神科, 医院,
醫院, 诊断, 診斷, 吃药, 降压药, 胰岛素, 抗抑郁, 失眠症, 痴呆, 性取向, 信教, 信佛, 宗教, 信仰, 清真寺, 教会, 教會,
做礼拜, 祷告, 政治立场, 政治观点, 工会, 工會, 坐牢, 犯罪记录, 前科, 被捕, 判刑, 工资, 工資, 月薪, 年薪, 收入, 债, 債,
贷款, 貸款, 房贷, 民族, 基因, 指纹, 新冠, 流感, 肺结核, 肺炎, 阿尔茨海默, 帕金森, 多动症, 强迫症, 双相, 精神病,
白血病, 尿毒症, 透析, 痛风, 甲亢, 不孕, 试管婴儿, 更年期, 性病, 轮椅, 戒毒, 毒瘾, 强奸, 性侵, 家暴, 负债, 低保, 拘留,
入党, 摩门, 犹太, 病历, 复诊, 心脏搭桥
"""
# Private as they stand: the person is in the phrase.
SAYINGS = """
i am black, i m black, i am asian, i m asian, i am white, i m white, black woman, black man, i am disabled,
i m disabled, he is disabled, she is disabled, am christian, m christian, is christian, devout christian, an agnostic,
am agnostic, have aids, has aids, go to church, goes to church, my church, our church, my faith, attend mass,
go to mass, believe in god, believes in god, prays, tested positive for, family history of, my medical history,
i m legally blind, am blind, m blind, my politics, i am a liberal, i m a liberal, i am a conservative,
i m a conservative, am a democrat, m a democrat, is a democrat, am a republican, m a republican, is a republican,
my meds, card carrying, undocumented immigrant, soy cristiano, soy cristiana, es cristiano, es cristiana, soy negro,
soy negra, voy a misa, creo en dios, bin christ, bin christin, ist christ, ist christin, glaube an gott,
in die kirche gehe, gehe in die kirche, geht in die kirche, aus der kirche ausgetreten, in der kirche aktiv,
bin schwarz, crois en dieu, vais à la messe, suis noir, suis noire, acredito em deus, vou à igreja, sou negro,
sou negra, vou à missa, ist jude, bin jude, je prie, ich bete, er betet, am a virgin, m a virgin, is a virgin,
he is blind, she is blind, cheated on me, cheated on my, cheated on her, cheated on him, cheated on his,
am a christian, m a christian, is a christian, s a christian, joined the union, joined a union, had sex, having sex,
slept with, having an affair, had an affair, pleaded guilty, habe ms, hat ms, hatte corona, habe corona, hat corona,
vote à gauche, vote à droite, soy del opus, верю в бога, хожу в церковь, ходит в церковь, ходит в мечеть, я молюсь,
أؤمن بالله, أذهب إلى الكنيسة, ديني هو, راتبي, ديوني, أدويتي, دوائي, ميولي الجنسية, أنا سني, أنا سنية, أصولي كردية,
عندي سكر, عندي السكر, عنده سكر, عندها سكر, سجنت, مديون للبنك, أنا مديون, भगवान में विश्वास, मंदिर जाता हूँ,
मंदिर जाती हूँ, चर्च जाता, चर्च जाती, पूजा करता, पूजा करती, की पूजा, गे हूँ, गे है, 去教堂, 去做礼拜, 信上帝, 信耶稣,
信基督, 欠了, 信奉, 我是同志, 是拉拉
"""
EARNS = """
earn, earns, earning, owe, owes, paid monthly, get paid, gets paid, am paid, gano, gana, cobro, cobra, verdiene,
verdient, schulde, schuldet, gagne, ganho, ganha, recebo, зарабатыва*, получаю, задолжал*, أكسب, أتقاضى, يتقاضى, مدين,
مديون, أدين, कमाता, कमाती, कमाते, 挣, 赚, 掙, 賺, 欠
"""
STANDS = """
vote, votes, voted, voting, support, supports, member, joined, donate*, campaign*, wähle, wählt, gewählt, mitglied,
voto, vota, apoyo, apoya, afiliad*, miembro, milite, militant*, membre, soutien*, adhér*, filiad*, apoio, apoia,
membro, votei, голос*, поддержива*, член, сторонни*, انتخب*, أؤيد, صوت, صوتت, عضو, انضم*, वोट, समर्थक, समर्थन, सदस्य,
投票, 支持, 加入, 投给, 投給, 成员
"""
PARTIES = """
democrats, republicans, republican party, democratic party, labour, labour party, tories, tory, conservatives,
lib dem*, greens, green party, trump, biden, kamala, obama, brexit, ukip, snp, psoe, podemos, vox, sindicato*, sumar,
spd, cdu, csu, fdp, afd, grünen, grüne, linke, linken, bsw, macron, le pen, mélenchon, parti socialiste, du parti,
un parti, au parti, syndicat, rassemblement national, lfi, cgt, lula, bolsonaro, pt, psdb, partido popular,
partido socialista, partido comunista, partido político, partido dos trabalhadores, путин*, навальн*, единую россию,
единой россии, лдпр, кпрф, парти*, профсоюз*, حزب*, إخوان, نقابة, भाजपा, बीजेपी, कांग्रेस, मोदी, आम आदमी पार्टी,
पार्टी, यूनियन, 国民党, 國民黨, 民进党, 民進黨, 共产党, 共產黨, 党派, 工会, 工會
"""
# Papers and accounts: private where a number of theirs follows.
PAPERS = """
passport*, ssn, social security, national id, id card, identity card, national insurance, driver s license,
driving licence, tax id, iban, account number, bank account, routing number, sort code, pasaporte, dni, curp,
seguridad social, cuenta bancaria, número de cuenta, reisepass*, ausweis*, personalausweis*,
sozialversicherungsnummer, steuer id, kontonummer, passeport, carte d identité, sécurité sociale, compte bancaire,
passaporte, cpf, rg, carteira de identidade, conta bancária, паспорт*, снилс, инн, номер счёта, جواز, جواز سفري,
جواز السفر, رقم الهوية, هويتي, رقم قومي, حساب بنكي, حسابي البنكي, पासपोर्ट, आधार, पैन, खाता संख्या, खाता नंबर, 护照,
護照, 身份证, 身分證, 社保, 银行账号, 银行卡, 账号
"""
