"""Redaction: what is taken out, what is left alone, and that no text makes it slow or unstable."""

from hypothesis import given
from hypothesis import strategies as st

from memory.privacy.redaction import is_card_number, redact
from tests.example_secrets import JWT, PEM
from tests.tables import table

# (the secret, a sentence around it, what it is called)
SECRETS = [
    ("sk-ant-api03-" + "Ab1-" * 20 + "AA", "my key is {}, keep it", "API key"),
    ("sk-proj-" + "aB3_" * 20, "OPENAI_API_KEY={}", "API key"),
    ("sk-" + "a1B2c3D4e5" * 4 + "T3BlbkFJ" + "a1B2c3D4e5" * 2, "{}", "API key"),
    ("AKIAIOSFODNN7EXAMPLE", "aws {} there", "API key"),
    ("AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q", "maps: {}", "API key"),
    ("ghp_" + "a1B2c3D4e5" * 4, "{}", "API key"),
    ("github_pat_11ABCDEFG0" + "abcdefghij" * 6, "token {}", "API key"),
    ("xoxb-" + "123456789012-" * 2 + "AbCdEfGhIjKlMnOpQrStUvWx", "slack {}", "API key"),
    ("sk_live_" + "a1B2c3D4e5F6" * 2, "stripe {}!", "API key"),
    ("123456789:AAF-abcdefghijklmnopqrstuvwxyz01234", "bot {}", "API key"),
    ("SG." + "a" * 22 + "." + "b" * 43, "{}", "API key"),
    ("glpat-" + "a1B2c3D4e5" * 2, "{}", "API key"),
    ("hf_" + "aBcDeFgHiJ" * 3, "{}", "API key"),
    (JWT, "Authorization: {}", "JWT"),
    (PEM, "here:\n{}\nthanks", "private key"),
    (PEM.partition("-----END")[0], "cut off: {}", "private key"),
    ("hunter2", "password={}", "password"),
    ("hunter2", "DB_PASSWORD: '{}'", "password"),
    ("correct horse battery", 'passphrase = "{}"', "password"),
    ("hunter2", "my password is {}", "password"),
    ("s3cret!", '{{"password":"{}"}}', "password"),
    ("gato123", "mi contraseña: {}", "password"),
    ("katze123", "Mein Passwort ist {}", "password"),
    ("chat123", "mon mot de passe : {}", "password"),
    ("gato123", "minha senha é {}", "password"),
    ("кошка123", "мой пароль: {}", "password"),
    ("قطة1234", "كلمة السر: {}", "password"),
    ("बिल्ली123", "पासवर्ड: {}", "password"),
    ("maomi123", "我的密码是 {}", "password"),
    ("maomi123", "密码：{}", "password"),
    ("4829", "PIN: {}", "password"),
    ("hunter2xyz", "**Password:** {}", "password"),
    ("hunter2xyz", "- **Password**: {}", "password"),
    ("hunter2xyz", "Password:\n> {}\nThanks", "password"),
    ("hunter2xyz", "Password:\n```\n{}\n```", "password"),
    ("hunter2xyz", "API_KEY=\n> {}", "password"),
    ("hunter2xyz", "Your password is:\n```text\n{}\n```", "password"),
    ("hunter2xyz", "the password is `{}`", "password"),
    ("hunter2xyz", "| Password | {} |", "password"),
    ("hunter2xyz", "_Passwort_ ist **{}**", "password"),
    ("hunter2xyz", "密码是：{}", "password"),
    ("p4ssw0rd", "postgres://ada:{}@db.example/app", "password"),
    ("hunter22", "redis://:{}@localhost", "password"),
    ("hunter2", "PGPASSWORD={}", "password"),
    ("hunter2", "dbPassword={}", "password"),
    ("s3cret!", '{{"adminPassword":"{}"}}', "password"),
    ("hunter2", "DB_PASS={}", "password"),
    ("hunter2", "pass={} ok", "password"),
    ("hunter2", "password1={}", "password"),
    ("ab,cd1234", "password={}, thanks", "password"),
    ("swordfish", "the password: {} and", "password"),
    ("swordfishswordfish", "JWT_SECRET={}", "password"),
    ("abcdefghijklmnop", "token={}", "password"),
    ("deadbeefcafe", "SECRET_KEY_BASE={}", "password"),
    ("a1B2" * 200, "AWS_SESSION_TOKEN={}", "password"),
    ("a1B2" * 200, "api_key={}", "password"),
    ("YWRhOmh1bnRlcjI=", "Authorization: Basic {}", "password"),
    ("GOCSPX-" + "a1B2c3D4" * 4, "{}", "API key"),
    ("npm_" + "a1B2c3D4" * 4 + "abcd", "{}", "API key"),
    ("4111 1111 1111 1111", "{} 12/29 123", "card number"),
    ("4111111111111111", "{} 123", "card number"),
    ("4111\u00a01111\u00a01111\u00a01111", "carte {}", "card number"),
    ("4111.1111.1111.1111", "{}", "card number"),
    ("4111  1111  1111  1111", "call 030 1234 {}", "card number"),
    ("4111 1111 1111 1111", "card {} exp 12/29", "card number"),
    ("5555-5555-5555-4444", "{}", "card number"),
    ("378282246310005", "amex {}.", "card number"),
    ("abcdef0123456789abcdef", "Authorization: Bearer {}", "token"),
]


@table(("secret", "sentence", "kind"), SECRETS)
def test_a_secret_is_taken_out_and_its_sentence_stays(secret: str, sentence: str, kind: str) -> None:
    redacted = redact(sentence.format(secret))

    assert secret not in redacted.text
    assert kind in redacted.kinds
    before = sentence.format("\0").split("\0")[0].strip("'\"\n ")
    assert redacted.text.startswith(before)


@table(
    "harmless",
    [
        "my password is important to me",
        "I forgot my password again",
        "my secret: chocolate in the chili",
        "token ring networks are old",
        "the key is to listen",
        "call me on +1 415 555 2671",
        "invoice 4111 1111 1111 1112 is open",
        "my flight is at 18:45, seat 12A",
        "https://example.org/a?b=c#d",
        "the code is in src/main.py",
        "order 0000 0000 0000 0000",
        "meeting 2026-11-16 12:30:00",
        "мой день рождения 3 мая",
        "我住在上海",
        "my zip code: 94110",
        "error code: 0x80070005",
        "promo code: SAVE20",
        "source code: https://example.org/x1",
        "api key: where do I find it?",
        "Reset password: https://example.org/reset?x=1",
        "away 2026-01-03 2026-01-07",
        "at 20260103174501 it rang",
        "my passport: C01X00T47",
        "the passage = two lines",
        "sk-learn-contrib-package",
        "compass: north is up",
        "| Password | what it opens |",
        "password: ********",
        "**Password:** where is it?",
    ],
)
def test_what_is_no_secret_is_left_alone(harmless: str) -> None:
    assert redact(harmless) == type(redact(""))(harmless, ())


@given(st.text(max_size=400))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text

    assert redact(once).text == once


@given(st.lists(st.sampled_from([secret for secret, *_ in SECRETS] + ["password=", " ", "\n", "token: ", "x"])))
def test_secrets_run_together_are_redacted_once_and_for_all(parts: list[str]) -> None:
    once = redact("".join(parts)).text

    assert redact(once).text == once


@table("before", ["_", "-", "a-", "токен", "x.", "a_b-eyJ-", "=", "\n"])
def test_a_jwt_is_found_wherever_it_begins(before: str) -> None:
    found = redact(f"{before}{JWT} and more")

    assert found.kinds == ("JWT",)
    assert JWT[:12] not in found.text
    assert JWT[-12:] not in found.text


@table(
    ("number", "valid"),
    [("4111111111111111", True), ("4111111111111112", False), ("0" * 16, False), ("20260103174501", False)],
)
def test_luhn_decides_what_is_a_card_number(number: str, valid: bool) -> None:
    assert is_card_number(number) is valid
