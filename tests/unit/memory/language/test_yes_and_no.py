"""Answers: what is a plain yes, what refuses, and which question offers to remember."""

from hypothesis import given
from hypothesis import strategies as st

from memory.language.yes_and_no import is_plain_yes, offers_to_remember, questions_in, starts_with_no
from tests.tables import table


@table(
    "message",
    [
        *(
            "yes",
            "Yes!",
            "yep",
            "sure",
            "OK",
            "please do",
            "Yes, please.",
            "go ahead",
            "👍",
            "👍🏽",
            "yes 👍",
            "Of course!",
        ),
        *("yes, remember that", "Yes please do, thank you!", "ok, thanks", "Sure thing 🙂", "okay okay"),
        *("sí", "Si, por favor", "claro que sí", "vale", "¡Por supuesto!", "sí, gracias", "De acuerdo."),
        *("ja", "Ja, bitte!", "na klar", "Gerne, danke", "in Ordnung", "mach das", "natürlich"),
        *("oui", "Oui, s'il te plaît", "d'accord", "bien sûr !", "vas-y", "oui merci", "D’accord"),
        *("sim", "Sim, por favor", "claro", "pode ser", "tá bom", "com certeza!", "sim, obrigada"),
        *("да", "Да, пожалуйста", "конечно", "Хорошо, спасибо", "давай", "ага", "да, конечно!"),
        *("نعم", "نعم، من فضلك", "حسنًا", "طبعا", "موافق", "أجل شكرا", "تمام"),
        *("हाँ", "हां", "जी हाँ", "ठीक है", "हाँ, कृपया", "बिल्कुल", "ज़रूर, धन्यवाद"),
        *("好", "好的", "是", "是的，谢谢", "可以", "好啊！", "嗯嗯", "对", "没问题", "好的，请记住"),
    ],
)
def test_nothing_but_agreement_is_a_plain_yes(message: str) -> None:
    assert is_plain_yes(message)


@table(
    "message",
    [
        *("yes, but not now", "yes I like tea", "ok whatever you say about that", "Yes?", "no", "", "...", "please"),
        *("yes and remember that I like tea", "thanks", "ok google", "yesterday", "sure? no", "yeah right", "🙂"),
        *("sí, pero no", "si tengo tiempo", "¿sí?", "vale la pena", "claro que no"),
        *("ja, aber nicht jetzt", "jagen", "ja?", "gern geschehen"),
        *("oui mais non", "oui ?", "d'accord avec toi sur le thé"),
        *("sim, mas não", "pode me ajudar", "claro que não"),
        *("да нет", "да, но потом", "дача", "хорошо?"),
        *("نعم ولكن", "نعم؟", "طيب لا"),
        *("हाँ लेकिन", "हाँ?", "ठीक नहीं"),
        *("好吗", "好不好", "是吗？", "不是", "可以但是", "好人"),
    ],
)
def test_agreement_with_anything_else_is_no_plain_yes(message: str) -> None:
    assert not is_plain_yes(message)


@table(
    "message",
    [
        *("No", "no, it's just for this task", "No thanks", "nope", "Please don't", "not now", "never mind", "nah."),
        *("Um, no", "No! Stop.", "don't remember that", "No need"),
        *("No, gracias", "no hace falta", "No lo recuerdes", "mejor no"),
        *("nein danke", "Nein", "lieber nicht", "nicht nötig", "Bitte nicht merken", "nö"),
        *("Non merci", "non", "pas besoin", "Surtout pas !"),
        *("Não", "não, obrigado", "Não precisa", "melhor não"),
        *("не надо", "Нет", "нет, спасибо", "Не нужно", "не запоминай"),
        *("لا", "لا، شكرا", "لا داعي", "كلا"),
        *("नहीं", "जी नहीं", "नहीं, धन्यवाद", "रहने दो"),
        *("不用", "不", "不要", "不，谢谢", "别记", "算了", "不用了，谢谢", "👎"),
    ],
)
def test_a_refusal_at_the_beginning_is_a_no(message: str) -> None:
    assert starts_with_no(message)


@table(
    "message",
    [
        *("No problem, go on", "no one came", "Nothing", "not bad", "Now", "note this", "yes", "", "No worries!"),
        *("Don't forget that I like tea", "don't worry", "No. 5 is mine", "I said no", "Nobody", "no-one"),
        *("No hay problema", "no pasa nada", "No olvides que soy vegano", "Noche"),
        *("Kein Problem", "nicht schlecht", "Neu"),
        *("Non seulement ça", "pas mal", "nonante"),
        *("Não tem problema", "não se esqueça de mim", "não faz mal"),
        *("нет проблем", "не за что", "Нетто", "не забудь"),
        *("لا مشكلة", "لا بأس", "لا تنس أنني هنا", "لازم"),
        *("कोई बात नहीं", "नाम", "हाँ"),
        *("不错", "不客气", "别人", "不过", "没关系", "不用谢", "别的"),
    ],
)
def test_what_only_looks_like_a_no_is_none(message: str) -> None:
    assert not starts_with_no(message)


@table(
    "sentence",
    [
        "Would you like me to remember that you are vegan?",
        "Should I remember that Alec is your boss?",
        "Shall I keep that in mind?",
        "Nice! Do you want me to make a note of that?",
        "Can I save this to memory?",
        "Want me to remember that? 😊",
        "¿Quieres que recuerde que eres vegano?",
        "¿Debo recordar eso?",
        "¿Te gustaría que lo anote?",
        "Soll ich mir das merken?",
        "Möchtest du, dass ich mir das merke?",
        "Soll ich mir merken, dass du nicht rauchst?",
        "Veux-tu que je m'en souvienne ?",
        "Voulez-vous que je retienne que vous fumez ?",
        "Dois-je le retenir ?",
        "Quer que eu me lembre disso?",
        "Gostaria que eu anote isso?",
        "Devo lembrar que você fuma?",
        "Хочешь, чтобы я это запомнил?",
        "Мне запомнить, что ты куришь?",
        "Запомнить это?",
        "هل تريد أن أتذكر أنك نباتي؟",
        "هل تود أن أحفظ ذلك؟",
        "هل أتذكر هذا؟",
        "क्या मैं यह याद रखूँ?",
        "क्या आप चाहते हैं कि मैं याद रखूँ कि आप शाकाहारी हैं?",
        "क्या मुझे याद रखना चाहिए कि आप यहाँ रहते हैं?",
        "要我记住这一点吗？",
        "你想让我记住你喜欢茶吗？",
        "需要我帮你记下来吗?",
    ],
)
def test_a_question_that_offers_to_remember_is_an_offer(sentence: str) -> None:
    assert offers_to_remember(sentence)


@table(
    "sentence",
    [
        "Do you remember when we met?",
        "Can you remember that I like tea?",
        "Should I remember that.",
        "I will remember that.",
        "Should I save the file?",
        "Would you like me to remind you?",
        "Should I forget that?",
        "¿Recuerdas cuando nos conocimos?",
        "¿Quieres que te ayude?",
        "Erinnerst du dich daran?",
        "Soll ich mir das nicht merken?",
        "Te souviens-tu de moi ?",
        "Puis-je te rappeler demain ?",
        "Você lembra de mim?",
        "Ты помнишь меня?",
        "Ты можешь это запомнить?",
        "هل تتذكر متى التقينا؟",
        "क्या आपको याद है?",
        "你记得我吗？",
        "不需要我记住吗？",
        "",
    ],
)
def test_other_questions_and_statements_offer_nothing(sentence: str) -> None:
    assert not offers_to_remember(sentence)


@table(
    ("text", "questions"),
    [
        ("Noted. Shall I remember that? Just say yes.", ["Shall I remember that?"]),
        ("Shall I? just say yes.", ["Shall I?"]),
        ("Really?! Why?", ["Really?!", "Why?"]),
        ("Hola. ¿Quieres que lo recuerde? Dime.", ["¿Quieres que lo recuerde?"]),
        ("好的。要我记住吗？谢谢。", ["要我记住吗？"]),
        ("حسنا. هل تريد أن أتذكر؟ شكرا", ["هل تريد أن أتذكر؟"]),
        ("ठीक है। क्या मैं याद रखूँ? धन्यवाद।", ["क्या मैं याद रखूँ?"]),
        ("See http://x.org/?a=1 for more.", []),
        ("", []),
    ],
)
def test_the_sentences_that_ask_are_found(text: str, questions: list[str]) -> None:
    assert questions_in(text) == questions


@given(st.text(max_size=300))
def test_any_text_is_understood_without_an_error(text: str) -> None:
    is_plain_yes(text)
    starts_with_no(text)
    offers_to_remember(text)
    assert all(question in text for question in questions_in(text))
