"""Sensitivity: what must be encrypted, what stays out of public channels, what is everyday, and how long it takes."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from db.vocabulary import Sensitivity
from memory.language.sensitivity import is_chinese_id, is_cpf, is_dni, is_iban, is_nir
from memory.privacy.classify import classify
from tests.tables import table

# A paragraph for each of English, Spanish, German, French, Portuguese, Russian, Arabic, Hindi and Chinese.
HIGH = """
I have diabetes / my mother has cancer / Alec is gay / alec is gay / I was diagnosed with ADHD last year /
Sarah takes antidepressants / remind me to take my insulin at 8pm / I'm pregnant, don't tell anyone /
My brother uses a wheelchair / I've been sober since I left rehab in March / I am a lesbian /
We go to church every Sunday because I believe in God / He's Muslim and fasts during Ramadan /
I voted for the Greens / Ben joined the union last month / Alec had a stroke /
my family has a history of heart disease / remind me to take my medicine / My grandparents are of Kurdish descent /
Tom has a criminal record / I earn $4,200 a month / my salary is 85k / She filed for bankruptcy /
my IBAN is DE89 3704 0044 0532 0130 00 / My passport number is C01X00T47 / SSN 123-45-6789 /
The DNA test says I carry the BRCA1 mutation / has diabetes / The user is allergic to penicillin / I HAVE ASTHMA /
I have a history of depression / When we met in the park after work, Alec told me that he is HIV-positive /
My doctor put me on Zoloft / Alec's depression got worse / I'm on the autism spectrum / Ben beat cancer twice /
My dad had a stroke last week / I get panic attacks in lifts / Maria is bisexual / my boyfriend and I had sex /
I'm an atheist / I'm Jewish / I'm a member of the Labour Party / I support Trump / I'm half Kurdish by descent /
I was arrested in 2015 / I owe the bank 12000 / I make 95k a year / My son has Down syndrome /
remind me to pick up my prescription / my therapist appointment is on Tuesday at 5 / Dave was in prison /
I had an abortion in 2019 / My account number is 12345678, sort code 20-00-00 / my knee surgery is in June /
Takes lithium for bipolar disorder / Emma told me she's pregnant

Tengo diabetes tipo 2 / Mi madre tiene cáncer de mama / Estoy embarazada de tres meses / Pablo es gay /
Tomo antidepresivos desde enero / Soy católica y voy a misa los domingos / Voté al PSOE en las últimas elecciones /
Gano 2.300 euros al mes / Mi hermano estuvo en la cárcel / Lucía fue al psiquiatra con su depresión /
Tengo una deuda de 12.000 euros con el banco / Mi pasaporte es AAB123456 / Mi DNI es 12345678Z / Padezco de ansiedad /
A mi padre le diagnosticaron Alzheimer / Carlos es alcohólico / Soy ateo / Mi sueldo es de 1800 euros /
Estoy afiliada al sindicato / Soy bisexual / Ella es judía / Me operaron del corazón

Ich bin schwanger / Meine Mutter hat Brustkrebs / Alec ist schwul / Ich nehme seit Mai Antidepressiva /
Ich leide an einer Angststörung / Anna ist Muslimin / Ich bin Mitglied der SPD /
Mein Gehalt beträgt 4500 Euro brutto / Ich habe 20000 Euro Schulden / Er ist vorbestraft /
Mein Bruder ist schwerbehindert / Meine Sozialversicherungsnummer ist 65 170839 J 003 /
Ich gehe jeden Sonntag in die Kirche, ich bin Christ / Ich habe Depressionen / Mein Vater hatte einen Herzinfarkt /
Ich bin bisexuell / Lukas ist Jude / Ich wähle die Grünen / Ich verdiene 3800 Euro netto /
Meine Schwester ist in Therapie / Ich war im Gefängnis / Ich bin gegen Nüsse allergisch /
Meine IBAN: DE89370400440532013000 / Ich bin in der Gewerkschaft / Meine Tochter hat ADHS

J'ai le diabète / Ma mère a un cancer / Je suis enceinte / Alec est homosexuel / Je prends des antidépresseurs /
Mon père est alcoolique / Je suis juive / J'ai voté Macron / Je gagne 2500 euros par mois /
Il a un casier judiciaire / J'ai des dettes / Mon numéro de sécurité sociale est le 1 85 05 78 006 084 91 /
Paul souffre d'épilepsie / Je suis dépressif / Mon fils est autiste / Je suis séropositif / Elle est musulmane /
Je suis syndiqué à la CGT / Marie est lesbienne / J'ai fait de la prison / Je touche un salaire de 1900 euros /
Je suis allergique aux arachides / Mon psy me voit lundi / Ma sœur est anorexique

Tenho diabetes / Minha mãe está com câncer / Estou grávida / O Pedro é gay / Tomo remédio para depressão /
Sou evangélica / Votei no Lula / Meu salário é de 5.000 reais / Meu irmão está preso / Meu CPF é 529.982.247-25 /
Faço terapia toda semana / Estou cheio de dívidas / Sou bissexual / Meu pai teve um infarto / A Maria é lésbica /
Sou católico / Sou filiado ao PT / Ganho 3000 reais por mês / Tenho ansiedade / Minha irmã tem epilepsia /
Fui preso em 2010 / Sou alérgico a camarão / Estou devendo 10 mil reais

У меня диабет / У мамы рак / Я беременна / Алексей гей / Я принимаю антидепрессанты / Мой брат алкоголик /
Я православный, хожу в церковь / Я голосовал за Навального / Моя зарплата 120 000 рублей / У него судимость /
Мой паспорт 4510 123456 / У Алексея эпилепсия / Я состою в профсоюзе / Я болен раком / У меня ВИЧ /
Мой муж мусульманин / Я атеист / Маша беременна / Я зарабатываю 150000 рублей / Я сидел в тюрьме /
У меня аллергия на орехи / Бабушка перенесла инсульт / Я лесбиянка / У меня долги по кредиту /
Мой СНИЛС 112-233-445 95

عندي مرض السكري / أختي لديها سكرى /
أمي مصابة بالسرطان / أنا حامل / أعاني من الاكتئاب / أحمد مصاب بالسكري / أنا مسلم / أنا مثلي الجنس /
راتبي 5000 ريال / أخي في السجن / أنا عضو في حزب العمال / آخذ الأنسولين كل صباح / رقم جواز سفري هو A12345678 /
زوجتي تعاني من الربو / أعاني من ارتفاع ضغط الدم / والدي مصاب بمرض القلب / زوجتي حامل في الشهر الثالث / أنا مسيحي /
صوت لحزب النهضة وأنا عضو فيه / عندي حساسية من الفول السوداني / أتقاضى 8000 درهم شهريا / سارة مريضة بالسرطان /
أنا ملحد / عندي ديون كثيرة

मुझे मधुमेह है / मेरी माँ को कैंसर है / मैं गर्भवती हूँ / मैं समलैंगिक हूँ / मैं डिप्रेशन की दवा लेता हूँ /
राहुल को मिर्गी है / मैं मुसलमान हूँ / मैंने भाजपा को वोट दिया / मेरा वेतन 50000 रुपये है / मेरे भाई को जेल हुई थी /
मुझ पर पाँच लाख का कर्ज है / मेरा आधार नंबर 1234 5678 9012 है / मुझे अस्थमा है / मेरे पिता को दिल का दौरा पड़ा /
मैं हिंदू हूँ / मेरी पत्नी गर्भवती है / मैं नास्तिक हूँ / मुझे मूंगफली से एलर्जी है / मैं महीने में 60000 कमाता हूँ /
मैं कांग्रेस का सदस्य हूँ / मेरे ऊपर बैंक का लोन है / मेरी बहन को डिप्रेशन है / मेरी दादी को अल्ज़ाइमर है

我有糖尿病 / 我妈妈得了癌症 / 我怀孕了 / 张伟是同性恋 / 我在吃抗抑郁药 / 我是基督徒 / 他是共产党员 / 我月薪25000元 /
我爸爸坐过牢，有前科 / 我欠银行二十万贷款 / 我的身份证号是11010519491231002X / 小明有哮喘 / 我对花生过敏 /
我爸有高血压 / 我是穆斯林 / 我妹妹怀孕三个月了 / 我有抑郁症 / 他被判刑三年 / 我年薪三十万 / 我信佛 / 我是工会会员 /
我老婆对海鲜过敏 / 我做了手术 / 李娜得了乳腺癌 / 我是双性恋 / 我的护照号码是E12345678 / 我得了新冠
"""

LOW = """
My email is ada@example.org / call me on +1 415 555 2671 / my number is 030 1234567 / I live at 12 Baker Street /
I live in Berlin / Sarah lives in Madrid / my birthday is on 3 May / I was born on 12 December 1990 /
my wife Anna likes tulips / Tom is my brother / my daughter's name is Mia / send it to 221 Old Kent Road

Vivo en la calle Mayor 15 / mi correo es ana@ejemplo.es / Mi cumpleaños es el 3 de mayo / Mi hija se llama Lucía /
mi teléfono es 612 345 678 / mi hermano Pablo viene mañana

Ich wohne in Hamburg / Die Adresse ist Hauptstraße 12 / Mein Geburtstag ist am 3. Mai / Mein Sohn heißt Paul /
Meine Frau Anna kommt mit / meine Handynummer ist 0151 23456789

J'habite à Lyon / 12 rue de la Paix / Mon anniversaire est le 3 mai / Ma fille s'appelle Chloé /
mon numéro : 06 12 34 56 78

Moro em Lisboa / Moro na rua Augusta 100 / Meu aniversário é dia 3 de maio / Meu filho se chama João /
meu telefone é 91234 5678

Я живу в Москве / ул. Ленина, д. 5 / Мой день рождения 3 мая / Мою дочь зовут Маша / мой телефон 8 912 345 67 89 /
Моя жена Анна любит чай

أسكن في القاهرة / عيد ميلادي في 3 مايو / ابني اسمه عمر / رقم هاتفي ٠١٢٣٤٥٦٧٨٩ / بريدي omar@example.com

मैं दिल्ली में रहता हूँ / मेरा जन्मदिन 3 मई को है / मेरी बेटी का नाम रिया है / मेरा फोन नंबर 9876543210 है

我住在上海 / 我的生日是五月三日 / 我女儿叫小红 / 我的电话是13812345678 / 南京路100号
"""

NONE = """
I like tea / my race is on Sunday / the project has a history of delays / it was a stroke of luck for me /
my parser supports union types / My script makes 500 requests / I find it depressing / my mom called yesterday /
remember that Alec is my boss / from now on always set reminders for 9am /
I prefer due dates on Fridays / Sarah works on the Platform team / my project uses Python 3.12 / I feel tired today /
I'm sick of meetings / the patient process / she is positive about it / cancel my subscription /
the budget of the project is 5k / dark mode in my editor / mass email / party on Friday / my Union Jack mug /
write an essay on the history of medicine / the church on the corner is old / diabetes is a disease /
Diabetes is a disease / Remind me to write my essay on diabetes / tell me what depression is /
I disabled the notifications / we have too much technical debt /
my code lives in src/main.py and my tests do too, that is all / I vote for option B /
Christian is my boss / I work in cancer research / I make 5 cakes every weekend / my passport expires on 31.05.2027 /
invoice 20260103 is open / Remind me to call the dentist / I use vim and my brother uses emacs /
My operation script failed / My diagnostics page is empty / Jude is my boss / the manager class has too many methods /
my favourite movie is Alien / I support the new design / I joined the party late on Friday /
We voted for the blue logo / I love Asian food / my phone is black / the company makes 5 products /
My flight lands at 18:45 / order 66 pizzas for my team / I pay 12 euros for Netflix /
My son has a football match on Saturday / Alec has a new laptop / he runs 10 km every morning /
I run on the road 3 times a week / She owns a cat called Milo / translate this for me: the weather is nice /
I drive 5 minutes to work / I have a cold beer / my gradient descent converges slowly / I'm blind to such things /
I'm positive that the test passes / my browser history is full / He's addicted to coffee

Me gusta el té / Recuérdame la reunión a las 9 / Mi proyecto usa Python / La diabetes es una enfermedad /
Escribe un ensayo sobre la historia de la medicina / Alec es mi jefe / Estoy cansado hoy /
La iglesia de la esquina es antigua / Me encanta el partido del viernes / Quiero aprender a cocinar /
Mi hermano juega al fútbol / Lo leí detenidamente / Fue un momento embarazoso para mí / Me gustan las judías verdes /
Mi reunión es el viernes / Mi jefe prefiere correos cortos

Ich mag Tee / Erinnere mich um 9 Uhr an das Treffen / Alec ist mein Chef / Diabetes ist eine Krankheit /
Schreib einen Aufsatz über die Geschichte der Medizin / Die Kirche an der Ecke ist alt / Ich bin heute müde /
Das Buch hat ein Kapitel über Krebs / Die Party ist am Freitag / Er sucht einen neuen Parkplatz /
Ich habe meine Oma besucht / Ich habe versucht, dich anzurufen / Ich fahre zur Messe nach Hannover /
Meine Mutter kocht gern / Mein Meeting ist am Freitag / Ich habe das Buch gelesen / Ich mache eine Party

J'aime le thé / Rappelle-moi la réunion à 9 h / Alec est mon chef / Le diabète est une maladie /
Écris un essai sur l'histoire de la médecine / L'église du coin est vieille / Je suis fatigué aujourd'hui /
Mon enceinte Bluetooth est en panne / Je suis bête / Je vous prie de répondre / Mon frère joue au foot /
Je cherche un nouveau vélo / Mon traitement de texte est lent / J'ai une réunion vendredi / Je suis parti hier

Gosto de chá / Me lembre da reunião às 9 / O Alec é meu chefe / Diabetes é uma doença /
Escreva um ensaio sobre a história da medicina / Estou cansado hoje / A igreja da esquina é antiga /
A festa é na sexta / Meu irmão joga bola / Estou preso no trânsito / Minha reunião é sexta /
Gosto de correr no parque / Meu projeto usa Python

Я люблю чай / Напомни мне о встрече в 9 / Алексей мой начальник / Диабет — это болезнь /
Напиши эссе об истории медицины / Я сегодня устал / Церковь на углу старая / Мне нужно долго ждать /
Моя операционная система Linux / Мои зависимости в проекте устарели / Мой брат играет в футбол /
У меня встреча в пятницу / Я купил новый ноутбук / Мне нравится эта партия чая

أحب الشاي / ذكرني بالاجتماع الساعة التاسعة / السكري هو مرض / اكتب مقالا عن تاريخ الطب / أنا متعب اليوم /
الاجتماع يوم الجمعة / مشروعي يستخدم بايثون / أحب السكر في الشاي / أخي يلعب كرة القدم / عندي اجتماع غدا /
اشتريت حاسوبا جديدا / أريد تعلم الطبخ

मुझे चाय पसंद है / मुझे 9 बजे बैठक याद दिलाना / मधुमेह एक बीमारी है / मैं मधुमेह पर निबंध लिख रहा हूँ /
मैं आज थका हुआ हूँ / राहुल मेरा बॉस है / मेरा प्रोजेक्ट पायथन में है / मेरा भाई क्रिकेट खेलता है /
मेरी बैठक शुक्रवार को है / मुझे नया लैपटॉप चाहिए / पूजा मेरी बॉस है / मैं पार्टी में जा रहा हूँ

我喜欢喝茶 / 提醒我九点开会 / 糖尿病是一种疾病 / 帮我写一篇关于糖尿病的文章 / 我今天很累 / 他是我的老板 /
我的项目用Python / 星期五有聚会 / 我弟弟喜欢踢足球 / 我星期五开会 / 我买了新电脑 / 我想学做饭 / 我在写关于癌症的论文 /
其他人都很好
"""


def sentences(block: str) -> list[str]:
    return [sentence.strip() for part in block.split("\n\n") for sentence in part.replace("\n", " ").split(" / ")]


@table("sentence", sentences(HIGH))
def test_what_is_nobodys_business_is_high(sentence: str) -> None:
    assert classify(sentence) is Sensitivity.HIGH


@table("sentence", sentences(LOW))
def test_where_and_whose_somebody_is_is_low(sentence: str) -> None:
    assert classify(sentence) is Sensitivity.LOW


@table("sentence", sentences(NONE))
def test_the_everyday_and_the_world_are_nothing_to_hide(sentence: str) -> None:
    assert classify(sentence) is Sensitivity.NONE


@table("written", [str.upper, str.lower, lambda text: f"Well, hello!\n{text}.\nSee you at nine."])
def test_case_and_other_sentences_do_not_hide_a_private_one(written: Callable[[str], str]) -> None:
    assert classify(written("my mother has cancer")) is Sensitivity.HIGH


def test_the_most_careful_sentence_decides() -> None:
    assert classify("I live in Berlin. The weather is fine. I have asthma.") is Sensitivity.HIGH
    assert classify("The weather is fine. I live in Berlin. I like tea.") is Sensitivity.LOW


def test_a_person_in_another_sentence_does_not_make_a_matter_private() -> None:
    assert classify("I like reading.\nCancer remains a common disease.") is Sensitivity.NONE


def test_a_person_far_away_in_an_endless_sentence_does_not_either() -> None:
    assert classify("my list holds " + "tea and milk and " * 40 + "cancer") is Sensitivity.NONE


def test_accents_written_apart_or_left_out_do_not_matter() -> None:
    assert classify("Estoy de baja por depresio\u0301n, mi jefe lo sabe") is Sensitivity.HIGH
    assert classify("ma mere a une depression") is Sensitivity.HIGH


@table(
    ("proves", "number", "valid"),
    [
        (is_iban, "DE89370400440532013000", True),
        (is_iban, "GB82 WEST 1234 5698 7654 32", True),
        (is_iban, "DE89370400440532013001", False),
        (is_iban, "ZZ89370400440532013000", False),
        (is_chinese_id, "11010519491231002X", True),
        (is_chinese_id, "110105194912310021", False),
        (is_cpf, "529.982.247-25", True),
        (is_cpf, "529.982.247-26", False),
        (is_cpf, "111.111.111-11", False),
        (is_dni, "12345678Z", True),
        (is_dni, "12345678A", False),
        (is_nir, "255081416802538", True),
        (is_nir, "255081416802539", False),
    ],
)
def test_a_checksum_proves_a_number(proves: Callable[[str], bool], number: str, valid: bool) -> None:
    assert proves(number) is valid


@given(st.text(max_size=1000))
def test_no_text_is_an_error(text: str) -> None:
    assert classify(text) in Sensitivity


TRIGGERS = ["I ", "DE89", "cancer", "我", "癌", "^", "#", "@ ", "\u0301", "سرطان", "1", "\ud800", "\n"]


@given(st.lists(st.sampled_from(TRIGGERS)))
def test_no_text_of_triggers_is_an_error(parts: list[str]) -> None:
    assert classify("".join(parts)) in Sensitivity
