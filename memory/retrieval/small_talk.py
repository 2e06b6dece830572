"""Tells greetings and thanks, which ask for nothing that was said before, from all else."""

from memory.retrieval.languages import words

SMALL_TALK = frozenset(
    "hi hello hey yo good morning afternoon evening night day bye goodbye thanks thank you thx ok okay k yes yeah yep "
    "no nope sure please great nice cool perfect fine lol haha hallo moin danke bitte ja nein gut guten morgen tag "
    "abend nacht tschuss hola gracias si vale bien buenos buenas dias tardes noches adios de nada bonjour salut merci "
    "oui non bonsoir ola obrigado obrigada sim nao bom dia boa tarde noite привет здравствуйте спасибо да нет хорошо "
    "ок пока مرحبا شكرا نعم لا حسنا नमस्ते धन्यवाद हां नहीं ठीक है 你好 您好 谢谢 好 好的 是 不 嗯 再见 "
    "こんにちは ありがとう はい いいえ สวัสดี ขอบคุณ".split()
)


def needs_recall(message: str) -> bool:
    return any(word not in SMALL_TALK for word in words(message))
