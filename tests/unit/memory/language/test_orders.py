"""Orders: which sentences of a user store something, and which words of them."""

from hypothesis import given
from hypothesis import strategies as st

from memory.language.orders import find_forget_orders, find_orders
from tests.tables import table


@table(
    ("message", "words"),
    [
        ("remember that Alec is my boss", ["Alec is my boss"]),
        ("Remember Alec is my boss.", ["Alec is my boss"]),
        ("Please remember: the door code changes on Mondays!", ["the door code changes on Mondays"]),
        ("note that I prefer tea", ["I prefer tea"]),
        ("Don't forget that my flight is at 9", ["my flight is at 9"]),
        ("from now on, answer in French", ["answer in French"]),
        ("keep in mind that Dr. Smith is my dentist.", ["Dr. Smith is my dentist"]),
        ("Hi! Remember that I have a cat. What is new?", ["I have a cat"]),
        ("Remember that I have a cat. Remember that I have a dog.", ["I have a cat", "I have a dog"]),
        ("I like it.\nremember that I like it", ["I like it"]),
        ("remember that version 3.5 is out", ["version 3.5 is out"]),
        ("remember that my flight is at 9 a.m. Monday", ["my flight is at 9 a.m. Monday"]),
        ("remember that the author is J. R. R. Tolkien.", ["the author is J. R. R. Tolkien"]),
        ("remember that the U.S. Embassy is closed", ["the U.S. Embassy is closed"]),
        ("Remember Prof. Smith is my tutor", ["Prof. Smith is my tutor"]),
        ("Hi, remember that I like tea", ["I like tea"]),
        ("Yes, just remember that I like tea", ["I like tea"]),
        ("Can you remember that I am allergic to nuts?", ["I am allergic to nuts"]),
        ("I'd like you to remember that I am vegan", ["I am vegan"]),
        ("remember that when it rains, I take the bus", ["when it rains, I take the bus"]),
        ("remember the time zone is CET", ["the time zone is CET"]),
        ("Er sagte „nein“. Remember that he is stubborn.", ["he is stubborn"]),
        ('She said "hello". Remember that she is nice.', ["she is nice"]),
    ],
)
def test_an_order_gives_the_words_to_keep(message: str, words: list[str]) -> None:
    assert [order.words for order in find_orders(message)] == words


@table(
    "message",
    [
        "Alec is my boss",
        "don't remember that Alec is my boss",
        "please do not remember this",
        "do you remember that Alec is my boss?",
        "remember when we went to Rome",
        "Remember me?",
        '"remember that Alec is my boss" is what she said',
        "She said: remember that Alec is my boss",
        "what should I remember?",
        "remember",
        "remember that",
        "",
        'Translate into French: "I left. Remember that the key is under the mat."',
        "Übersetze: „Ich ging. Remember that the key is under the mat.“",
        "She wrote:\nremember that Alec is the boss",
        "```\nremember that x is 1\n```",
        "> remember that Alec is the boss",
        "The API changed. Note that it is slow.",
        "Remember nothing of this",
        "From now on, don't remember anything",
        "Remember not to store this",
        "can you remember my birthday?",
        "could you remember what I said?",
        "please never remember this",
    ],
)
def test_what_is_no_order_stores_nothing(message: str) -> None:
    assert find_orders(message) == []


ORDERS = {
    "English": [
        ("From today on, call me Bob", "call me Bob"),
        ("Always set reminders for 9am", "Always set reminders for 9am"),
        ("Please always answer in French.", "always answer in French"),
        ("Remember that I like tea, please.", "I like tea"),
        ("make a note that the garage is full", "the garage is full"),
        ('He said "I left." Remember that he is stubborn.', "he is stubborn"),
        ('My TV is 55" wide. Remember that it is new.', "it is new"),
        ("It's the kids' room. Remember that it's blue.", "it's blue"),
    ],
    "Spanish": [
        ("Recuerda que Alec es mi jefe.", "Alec es mi jefe"),
        ("Por favor, recuerde que soy alérgico a las nueces", "soy alérgico a las nueces"),
        ("¡Recordá que vivo en Rosario!", "vivo en Rosario"),
        ("No olvides que mi vuelo sale a las 9", "mi vuelo sale a las 9"),
        ("Ten en cuenta que no como carne", "no como carne"),
        ("a partir de ahora, respóndeme en francés", "respóndeme en francés"),
        ("Anota: la puerta se cierra a las ocho, por favor", "la puerta se cierra a las ocho"),
        ("Siempre respóndeme en español", "Siempre respóndeme en español"),
        ("¿Puedes recordar que soy vegano?", "soy vegano"),
        ("Hola, acuérdate de que la Sra. López es mi médica.", "la Sra. López es mi médica"),
    ],
    "German": [
        ("Merk dir, dass Alec mein Chef ist.", "Alec mein Chef ist"),
        ("Bitte merken Sie sich, daß ich keine Nüsse esse!", "ich keine Nüsse esse"),
        ("Denk daran, dass mein Flug um 9 geht", "mein Flug um 9 geht"),
        ("Merk dir bitte: Mein Geburtstag ist am 3. Mai.", "Mein Geburtstag ist am 3. Mai"),
        ("Vergiss nicht, dass ich Tee mag", "ich Tee mag"),
        ("Denk dran, dass ich Tee mag", "ich Tee mag"),
        ("ab jetzt: antworte auf Französisch", "antworte auf Französisch"),
        ("Antworte immer auf Deutsch", "Antworte immer auf Deutsch"),
        ("Kannst du dir merken, dass ich allergisch bin?", "ich allergisch bin"),
        ("Notiere, dass ich nicht rauche", "ich nicht rauche"),
    ],
    "French": [
        ("Retiens que je suis végétarien.", "je suis végétarien"),
        ("Retenez qu'Alec est mon patron", "Alec est mon patron"),
        ("S'il te plaît, souviens-toi que j'habite à Lyon !", "j'habite à Lyon"),
        ("n’oublie pas que mon vol est à 9h", "mon vol est à 9h"),
        ("Note que je préfère le thé", "je préfère le thé"),
        ("À partir de maintenant, réponds en anglais", "réponds en anglais"),
        ("Réponds-moi toujours en français", "Réponds-moi toujours en français"),
        ("Gardez à l'esprit que le code change le lundi, s'il vous plaît.", "le code change le lundi"),
    ],
    "Portuguese": [
        ("Lembre-se de que Alec é meu chefe.", "Alec é meu chefe"),
        ("lembra que eu moro em Lisboa", "eu moro em Lisboa"),
        ("Por favor, anota aí que sou alérgica a nozes", "sou alérgica a nozes"),
        ("Não se esqueça de que meu voo é às 9", "meu voo é às 9"),
        ("Tenha em mente que não como carne", "não como carne"),
        ("De agora em diante, responda em inglês", "responda em inglês"),
        ("Sempre responda em português", "Sempre responda em português"),
        ("Anote: a porta fecha às oito, por favor", "a porta fecha às oito"),
    ],
    "Russian": [
        ("Запомни, что Алекс мой начальник.", "Алекс мой начальник"),
        ("Запомните, пожалуйста, что я не ем мясо", "я не ем мясо"),
        ("Учти, что я живу на ул. Ленина", "я живу на ул. Ленина"),
        ("имей в виду, что у меня аллергия", "у меня аллергия"),
        ("Не забудь, что рейс в 9", "рейс в 9"),
        ("Привет! Запомни: дверь закрывается в восемь!", "дверь закрывается в восемь"),
        ("С этого момента отвечай по-английски", "отвечай по-английски"),
        ("Всегда отвечай по-русски", "Всегда отвечай по-русски"),
        ("Запомни, я люблю чай, пожалуйста", "я люблю чай"),
    ],
    "Arabic": [
        ("تذكر أن أحمد مديري.", "أحمد مديري"),
        ("تذكّر أنّ رحلتي في التاسعة", "رحلتي في التاسعة"),
        ("من فضلك تذكري أنني أحب الشاي", "أنني أحب الشاي"),
        ("لا تنس أن موعدي يوم الاثنين!", "موعدي يوم الاثنين"),
        ("ضع في اعتبارك أن الباب يغلق في الثامنة", "الباب يغلق في الثامنة"),
        ("من الآن فصاعدا، أجب بالفرنسية", "أجب بالفرنسية"),
        ("سجل أن رقم الغرفة ٥، من فضلك", "رقم الغرفة ٥"),
        ("دائما أجب بالعربية", "دائما أجب بالعربية"),
    ],
    "Hindi": [
        ("याद रखो कि मैं शाकाहारी हूँ।", "मैं शाकाहारी हूँ"),
        ("कृपया याद रखिए कि मेरी उड़ान नौ बजे है", "मेरी उड़ान नौ बजे है"),
        ("यह याद रखो कि अलेक मेरा बॉस है", "अलेक मेरा बॉस है"),
        ("मुझे चाय पसंद है, याद रखना", "मुझे चाय पसंद है"),
        ("मैं दिल्ली में रहता हूँ यह याद रखना।", "मैं दिल्ली में रहता हूँ"),
        ("ध्यान रहे कि दरवाज़ा आठ बजे बंद होता है", "दरवाज़ा आठ बजे बंद होता है"),
        ("अब से हिंदी में जवाब दो", "हिंदी में जवाब दो"),
        ("हमेशा हिंदी में जवाब देना", "हमेशा हिंदी में जवाब देना"),
        ("मत भूलना कि कल छुट्टी है", "कल छुट्टी है"),
    ],
    "Chinese": [
        ("记住我喜欢茶。", "我喜欢茶"),
        ("请记住，小王是我的老板！", "小王是我的老板"),
        ("帮我记住我对花生过敏", "我对花生过敏"),
        ("记得我不吃肉", "我不吃肉"),
        ("你好。请记一下：门八点关。", "门八点关"),
        ("从现在开始，用英文回答", "用英文回答"),
        ("别忘了我明天九点的飞机", "我明天九点的飞机"),
        ("我对花生过敏，请记住。", "我对花生过敏"),
        ("请总是用中文回答", "总是用中文回答"),
        ("今天很好。記住我住在台北。再见", "我住在台北"),
    ],
}
NEGATIONS = {
    "English": [
        "don't remember that I like tea",
        "Do not keep in mind that I like tea",
        "Never remember this",
        "From now on, stop remembering my orders and never store them",
    ],
    "Spanish": [
        "no recuerdes que soy vegano",
        "Por favor no recuerde esto",
        "Recuerda que no guardes nada",
        "A partir de ahora no guardes nada",
    ],
    "German": [
        "merk dir das nicht",
        "Merk dir bitte nicht, dass ich Tee mag",
        "Bitte nicht merken, dass ich Tee mag",
        "Ab jetzt merk dir nichts mehr",
    ],
    "French": [
        "ne retiens pas que j'aime le thé",
        "N'enregistre pas que j'habite ici",
        "À partir de maintenant ne retiens rien",
        "Retiens pas que je fume",
    ],
    "Portuguese": [
        "não lembre que eu moro aqui",
        "Não anote que sou vegano",
        "A partir de agora não guarde nada",
        "Por favor, não se lembre disso",
    ],
    "Russian": [
        "не запоминай, что я люблю чай",
        "Пожалуйста, не запоминайте это",
        "не надо запоминать, что я курю",
        "С этого момента ничего не запоминай",
    ],
    "Arabic": [
        "لا تتذكر أنني أحب الشاي",
        "من فضلك لا تحفظ أن رقمي ٥",
        "لا تسجل أنني هنا",
        "من الآن فصاعدا لا تحفظ شيئا",
    ],
    "Hindi": [
        "याद मत रखो कि मैं यहाँ रहता हूँ",
        "मुझे चाय पसंद है, याद मत रखना",
        "यह मत याद रखो कि मैं बीमार हूँ",
        "अब से कुछ भी याद मत रखो",
    ],
    "Chinese": ["不要记住我喜欢茶", "别记我喜欢茶", "请不要记住我的名字", "从现在开始，不要再记录我说的话"],
}
QUOTATIONS = {
    "English": [
        "She said 'I left. Remember that the key is under the mat.'",
        "My boss says: remember that the door is locked",
        "> I left. Remember that the key is here.",
        "My boss says: be on time. Remember that the door is locked.",
        "She wrote:\nI left.\nRemember that the key is under the mat.",
        "Remember that you must die, he said.",
    ],
    "Spanish": [
        "Ella dijo: «Me fui. Recuerda que la llave está aquí.»",
        "Mi jefe dice: recuerda que la puerta está cerrada",
        "«Recuerda que soy tu jefe», dijo",
        "Recuerda que la puerta está cerrada, dijo mi jefe.",
    ],
    "German": [
        "Sie sagte: „Ich ging. Merk dir, dass der Schlüssel hier liegt.“",
        "Er schrieb: »Ich ging. Merk dir, dass der Schlüssel hier liegt.«",
        "Mein Chef sagt: merk dir, dass die Tür zu ist",
        "‚Ich ging. Merk dir, dass er hier liegt.‘",
    ],
    "French": [
        "Elle a dit : « Je pars. Retiens que la clé est là. »",
        "Mon chef dit : retiens que la porte est fermée",
        "> Retiens que la clé est là",
    ],
    "Portuguese": [
        "Ela disse: “Saí. Lembre-se de que a chave está aqui.”",
        "Meu chefe diz: lembre que a porta está fechada",
        "`Lembre-se de que x é 1`",
    ],
    "Russian": [
        "Она сказала: «Я ушла. Запомни, что ключ здесь.»",
        "Начальник говорит: запомни, что дверь закрыта",
        "— Запомни, что ключ здесь",
        "Она сказала: «запомни, что ключ здесь»",
    ],
    "Arabic": [
        "قالت: «ذهبت. تذكر أن المفتاح هنا.»",
        "مديري يقول: تذكر أن الباب مغلق",
        "كتبت:\nتذكر أن المفتاح هنا",
    ],
    "Hindi": [
        "उसने कहा: “मैं गया। याद रखो कि चाबी यहाँ है।”",
        "मेरे बॉस कहते हैं: याद रखो कि दरवाज़ा बंद है",
        "उसने कहा कि चाबी यहाँ है, याद रखना",
    ],
    "Chinese": [
        "她说：“我走了。记住钥匙在这里。”",
        "她说：「记住钥匙在这里」",
        "老板说：我走了。记住钥匙在这里。",
        '他写道："我走了。"记住钥匙在这里。"',
    ],
}
QUESTIONS = {
    "English": ["Do you remember that I like tea?", "Remember that I told you?!", "Always set it for 9?"],
    "Spanish": [
        "¿Recuerdas que soy vegano?",
        "¿recuerda que soy vegano?",
        "Recuerda que soy vegano?",
        "Recuerda qué te dije",
    ],
    "German": [
        "Erinnerst du dich, dass ich Tee mag?",
        "Merken Sie sich, dass ich hier wohne?",
        "Kannst du dich erinnern, dass ich Tee mag?",
    ],
    "French": [
        "Te souviens-tu que j'aime le thé ?",
        "Tu te rappelles que j'habite ici ?",
        "Note que j'ai quoi ?",
    ],
    "Portuguese": ["Você lembra que eu moro aqui?", "Lembra que te contei?", "Lembra quê te disse"],
    "Russian": ["Ты помнишь, что я люблю чай?", "Помните, что я говорил?", "Запомнил, что я люблю чай?"],
    "Arabic": ["هل تتذكر أنني أحب الشاي؟", "أتذكر أن رقمي ٥؟", "تذكر أن أحمد هنا؟"],
    "Hindi": ["क्या तुम्हें याद है कि मैं कौन हूँ?", "याद रखो कि मैं कौन हूँ?", "क्या याद रखना है?"],
    "Chinese": ["你记得我喜欢茶吗？", "记得我喜欢茶吗", "记住我喜欢茶了吗?我不知道"],
}
STATEMENTS = {
    "English": [
        "I remember that Alec is my boss",
        "Always is a long time",
        "Always happy to help",
        "You always answer in French",
        "He told me to remember that I like tea",
        "remember that is my favourite place",
        "Remember this for later please",
        "Please remember the following:\nmilk",
    ],
    "Spanish": [
        "Me acuerdo de que soy vegano",
        "Siempre habla de fútbol",
        "Recuerda a su padre",
        "Recuérdame que tengo que llamar",
        "Él recuerda que vivo aquí",
    ],
    "German": [
        "Ich erinnere mich, dass ich Tee mag",
        "Er hat sich gemerkt, dass ich Tee mag",
        "Immer noch müde",
        "Denk daran, die Blumen zu gießen",
        "Ich merke mir, dass du Tee magst",
    ],
    "French": [
        "Je me souviens que j'aime le thé",
        "Toujours content",
        "Il retient que je fume",
        "N'oublie pas de venir",
    ],
    "Portuguese": ["Eu lembro que moro aqui", "Sempre chove aqui", "Ele anota que chove", "Não esqueça o leite"],
    "Russian": [
        "Я помню, что люблю чай",
        "Он запомнил, что я люблю чай",
        "Всегда рад помочь",
        "Не забудь купить молоко",
    ],
    "Arabic": ["أتذكر أنني أحب الشاي", "تذكرت أن الباب مفتوح", "دائما سعيد", "تذكر أحمد أن الباب مفتوح"],
    "Hindi": ["मुझे याद है कि वह यहाँ था", "मुझे याद रखना चाहिए", "हमेशा खुश", "मुझे सब याद रखना"],
    "Chinese": ["我记得你喜欢茶", "记得小时候我们住在这里", "记住了", "总是下雨", "记得要买牛奶", "以后我想去北京"],
}
FORGET = {
    "English": [
        ("forget that Alec is my boss", "Alec is my boss"),
        ("Delete the fact that I live in Rome.", "I live in Rome"),
        ("Stop remembering that I like tea", "I like tea"),
        ("please forget my birthday", "my birthday"),
        ("You can forget about Alec", "Alec"),
        ("Forget that you are called Bob", "you are called Bob"),
        ("Forget everything you know about me", "everything you know about me"),
    ],
    "Spanish": [
        ("Olvida que Alec es mi jefe", "Alec es mi jefe"),
        ("Por favor, olvídate de mi cumpleaños", "mi cumpleaños"),
        ("Borra el hecho de que vivo en Roma", "vivo en Roma"),
    ],
    "German": [
        ("Vergiss, dass Alec mein Chef ist", "Alec mein Chef ist"),
        ("Bitte vergessen Sie meinen Geburtstag", "meinen Geburtstag"),
        ("Lösch die Information, dass ich in Rom wohne", "ich in Rom wohne"),
    ],
    "French": [
        ("Oublie que j'habite à Lyon", "j'habite à Lyon"),
        ("Tu peux oublier mon anniversaire", "mon anniversaire"),
        ("Efface le fait que je fume, s'il te plaît", "je fume"),
    ],
    "Portuguese": [
        ("Esqueça que eu moro em Lisboa", "eu moro em Lisboa"),
        ("Por favor, esqueça meu aniversário", "meu aniversário"),
        ("Apague o fato de que eu fumo", "eu fumo"),
    ],
    "Russian": [
        ("Забудь, что Алекс мой начальник", "Алекс мой начальник"),
        ("Пожалуйста, забудьте про мой день рождения", "мой день рождения"),
        ("Удали из памяти, что я курю", "я курю"),
    ],
    "Arabic": [
        ("انس أن أحمد مديري", "أحمد مديري"),
        ("من فضلك احذف معلومة أن رقمي ٥", "رقمي ٥"),
        ("توقف عن تذكر أنني أحب الشاي", "أنني أحب الشاي"),
    ],
    "Hindi": [
        ("भूल जाओ कि मैं शाकाहारी हूँ", "मैं शाकाहारी हूँ"),
        ("कृपया मेरा पता भूल जाइए", "मेरा पता"),
        ("मैं दिल्ली में रहता हूँ, यह भूल जाओ", "मैं दिल्ली में रहता हूँ"),
    ],
    "Chinese": [
        ("请忘掉我喜欢茶", "我喜欢茶"),
        ("把我的生日忘掉吧", "我的生日"),
        ("不要再记住我喜欢茶", "我喜欢茶"),
        ("请删除关于我老板的记忆", "我老板的记忆"),
    ],
}
NOTHING_TO_FORGET = {
    "English": [
        "don't forget that I like tea",
        "I forget where I live",
        "forget it",
        "Never mind",
        "Forget about it!",
        "Forget that, let's talk",
        "Forget it please",
        "forget it. let's go",
        "Can you forget that I like tea?",
        '"Forget that I like tea" is a song',
        "Forget pizza, I want sushi",
        "forget that I asked",
    ],
    "Spanish": [
        "No olvides que soy vegano",
        "Olvídalo",
        "¿Olvidas que soy vegano?",
        "Olvida siempre las llaves",
        "Olvida qué comida me gusta",
        "Olvida que\u0301 comida me gusta",
    ],
    "German": ["Vergiss nicht, dass ich Tee mag", "Vergiss es", "Ich vergesse, wo ich wohne", "Vergessen Sie das?"],
    "French": ["N'oublie pas que je fume", "Oublie pas que je fume", "Oublie ça", "J'oublie que je fume"],
    "Portuguese": [
        "Não esqueça que eu fumo",
        "Esqueça isso",
        "Eu esqueço onde moro",
        "Esqueça que eu disse isso",
        "Esquece quê comida eu gosto",
    ],
    "Russian": ["Не забудь, что я курю", "Забудь об этом", "Я забыл, что курю", "Забудь"],
    "Arabic": ["لا تنس أنني هنا", "انس الأمر", "نسيت أن الباب مفتوح", "هل نسيت أن الباب مفتوح؟"],
    "Hindi": ["मत भूलो कि मैं यहाँ हूँ", "मैं भूल गया कि वह कौन है", "भूल जाओ", "इसे भूल जाओ"],
    "Chinese": ["别忘了我喜欢茶", "我忘了带钥匙", "忘了吧", "忘记带钥匙了", "我把钥匙忘了"],
}


def told(sentences: dict[str, list[str]]) -> list[str]:
    return [sentence for every in sentences.values() for sentence in every]


@table(("message", "words"), [order for every in ORDERS.values() for order in every])
def test_an_order_of_any_of_nine_languages_gives_the_words_to_keep(message: str, words: str) -> None:
    assert [order.words for order in find_orders(message)] == [words]


@table("message", told(NEGATIONS))
def test_an_order_not_to_remember_stores_nothing(message: str) -> None:
    assert find_orders(message) == []


@table("message", told(QUOTATIONS))
def test_words_of_somebody_else_store_nothing(message: str) -> None:
    assert find_orders(message) == []


@table("message", told(QUESTIONS))
def test_a_question_stores_nothing(message: str) -> None:
    assert find_orders(message) == []


@table("message", told(STATEMENTS))
def test_a_sentence_that_merely_contains_the_words_stores_nothing(message: str) -> None:
    assert find_orders(message) == []


@table(("message", "words"), [order for every in FORGET.values() for order in every])
def test_an_order_to_forget_gives_what_is_to_be_forgotten(message: str, words: str) -> None:
    assert [order.words for order in find_forget_orders(message)] == [words]
    assert find_orders(message) == []


@table("message", told(NOTHING_TO_FORGET))
def test_what_is_no_order_to_forget_forgets_nothing(message: str) -> None:
    assert find_forget_orders(message) == []


def test_an_order_to_forget_and_one_to_remember_stand_side_by_side() -> None:
    message = "Forget that I like tea. Remember: I like coffee."

    assert [order.words for order in find_forget_orders(message)] == ["I like tea"]
    assert [order.words for order in find_orders(message)] == ["I like coffee"]


@given(st.text(max_size=200))
def test_the_span_is_where_the_words_stand(text: str) -> None:
    message = f"Well. Remember that {text}"
    for order in find_orders(message):
        start, end = order.span
        assert message[start:end] == order.words


OPENINGS = [
    "",
    "Remember that ",
    "merk dir ",
    "запомни, что ",
    "記住",
    "याद रखो कि ",
    "تذكر أن ",
    "forget that ",
    "¡recuerda que ",
]


@given(
    st.sampled_from(OPENINGS),
    st.text(max_size=200),
    st.sampled_from(["", ", याद रखना", "，记住", ", please", "\u0301?"]),
)
def test_whatever_the_text_spans_are_where_the_stripped_words_stand(opening: str, text: str, ending: str) -> None:
    message = opening + text + ending
    for order in [*find_orders(message), *find_forget_orders(message)]:
        start, end = order.span
        assert 0 <= start < end <= len(message)
        assert message[start:end] == order.words == order.words.strip() != ""


@given(
    st.lists(st.sampled_from([*told(QUOTATIONS), *"\"'«»„“”‘’`>:.。\n ¿?…", "remember that ", "记住", "e\u0301", "ﷺ"]))
)
def test_pieces_in_any_order_break_nothing(pieces: list[str]) -> None:
    message = "".join(pieces)
    for order in [*find_orders(message), *find_forget_orders(message)]:
        assert message[slice(*order.span)] == order.words == order.words.strip() != ""


def test_words_keep_their_letters_however_they_are_composed() -> None:
    message = "Retie\u0301n... Recuerda que soy ale\u0301rgico \u200f"

    assert [order.words for order in find_orders(message)] == ["soy ale\u0301rgico"]


@table(
    "message",
    [
        "Remember that the dentist is on 12.11.2026 10:30",
        "Remember that dinner is on Friday (12.11.2026 19:30) at Luigi's",
        "Please remember that I translate letters for a living.",
    ],
)
def test_a_date_or_a_task_inside_an_order_does_not_make_it_somebody_elses(message: str) -> None:
    assert len(find_orders(message)) == 1


@table(
    "header",
    [
        "Bob, [16.11.2026 12:03]",
        "16/11/2026, 12:03 - Bob: hi",
        "From: Bob",
        "-------- Weitergeleitete Nachricht --------",
        "Переслано от Боба",
        "请翻译下面的话。",
    ],
)
def test_after_a_header_or_a_task_about_a_text_nothing_is_an_order(header: str) -> None:
    assert find_orders(f"{header}\nRemember that you owe Bob 500 euros.") == []
