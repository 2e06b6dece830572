"""What passes and what lasts: a state of the moment is told from an event that has a date."""

from hypothesis import given
from hypothesis import strategies as st

from memory.language.transient import MAX_STATEMENT_LENGTH, is_transient
from tests.tables import table

OF_THE_MOMENT = {
    "English": ["I'm tired today", "im so hungry right now", "I have a headache", "it's quiet at work today"],
    "Spanish": ["hoy estoy cansado", "tengo hambre ahora mismo", "me duele la cabeza"],
    "German": ["heute habe ich Kopfschmerzen", "ich bin gerade müde", "mir ist langweilig"],
    "French": ["je suis fatigué aujourd'hui", "j'ai faim là", "il pleut ce matin"],
    "Portuguese": ["hoje estou cansado", "tô com fome agora", "estou com dor de cabeça"],
    "Russian": ["я сегодня устал", "сейчас очень хочу есть", "мне скучно"],
    "Arabic": ["أنا متعب اليوم", "أنا جائع الآن", "أشعر بالملل"],
    "Hindi": ["आज मैं थका हुआ हूँ", "अभी बहुत भूख लगी है", "मुझे बुखार है"],
    "Chinese": ["现在很饿", "我今天好累", "我头疼"],
}
WITH_A_DATE = {
    "English": ["I'm getting married tomorrow", "my exam is today at 3", "I got the job today", "we moved in today"],
    "Spanish": ["hoy es mi cumpleaños", "hoy me caso", "hoy tengo una entrevista"],
    "German": ["heute ist meine Hochzeit", "mein Termin ist heute um 3", "heute hab ich gekündigt"],
    "French": ["aujourd'hui c'est mon anniversaire", "j'ai un entretien ce matin", "on déménage aujourd'hui"],
    "Portuguese": ["hoje é o meu aniversário", "tenho prova hoje às 8", "hoje me mudei"],
    "Russian": ["сегодня у меня экзамен", "сегодня родился сын", "сегодня свадьба сестры"],
    "Arabic": ["اليوم عيد ميلادي", "عندي امتحان اليوم", "زفاف أختي اليوم"],
    "Hindi": ["मेरी परीक्षा आज है", "आज मेरा जन्मदिन है", "आज बहन की शादी है"],
    "Chinese": ["今天是我的生日", "我今天结婚", "今天三点考试"],
}
LASTING = {
    "English": ["I live in Rome", "Priya is my manager now", "I'm tired every day since the accident"],
    "Spanish": ["ahora vivo en Sevilla", "siempre estoy cansado", "soy vegana"],
    "German": ["ich wohne jetzt in Graz", "ich habe seit Mai Kopfschmerzen", "ich bin Lehrer"],
    "French": ["je travaille maintenant à Lille", "je suis fatigué depuis deux ans", "j'ai un chat"],
    "Portuguese": ["agora moro em Recife", "meu chefe agora é a Paula", "estou sempre cansado"],
    "Russian": ["теперь я живу в Казани", "у меня постоянно болит спина", "я учитель"],
    "Arabic": ["أعمل الآن في دبي", "أنا متعب كل يوم", "اسمي يوسف"],
    "Hindi": ["मैं अब पुणे में रहता हूँ", "मैं हमेशा थका रहता हूँ", "मेरा नाम रोहित है"],
    "Chinese": ["我现在的老板是王芳", "我每天都很累", "我叫李明"],
}


def told(sentences: dict[str, list[str]]) -> list[str]:
    return [sentence for every in sentences.values() for sentence in every]


@table("statement", told(OF_THE_MOMENT))
def test_a_state_of_the_moment_passes(statement: str) -> None:
    assert is_transient(statement)


@table("statement", told(WITH_A_DATE))
def test_an_event_does_not_pass_even_if_it_is_today(statement: str) -> None:
    assert not is_transient(statement)


@table("statement", told(LASTING))
def test_what_lasts_does_not_pass_whatever_is_so_now(statement: str) -> None:
    assert not is_transient(statement)


@table("statement", told(OF_THE_MOMENT))
def test_case_and_marks_change_nothing(statement: str) -> None:
    assert is_transient(statement.upper() + "!!")


def test_a_long_text_tells_more_than_a_mood() -> None:
    assert is_transient("I'm tired today" + " oh" * 10)
    assert not is_transient("I'm tired today" + " oh" * MAX_STATEMENT_LENGTH)


@given(st.text(max_size=300), st.sampled_from(told(WITH_A_DATE)))
def test_an_event_stays_one_whatever_is_said_before_it(text: str, event: str) -> None:
    assert not is_transient(f"{text}\n{event}")
