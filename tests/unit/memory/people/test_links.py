"""What a form of the review page carries: of this session and this deployment, and of no other."""

from db.viewer import Viewer
from memory.people.links import BrowserSession, form_token, is_form_token
from memory.privacy.encryption import Keyring

OURS, OTHERS = Keyring((b"k" * 32,)), Keyring((b"o" * 32,))
ADA = BrowserSession(Viewer.in_private("home", "test:ada"), "web_01M7M66TEKF6Y32HTJ2JGX6NPD")
AGAIN = BrowserSession(ADA.viewer, "web_01M7M672QBGBEXWAD92V2B4402")


def test_a_form_belongs_to_its_session_and_its_deployment() -> None:
    token = form_token(OURS, ADA)

    assert is_form_token(OURS, ADA, token)
    assert not is_form_token(OURS, AGAIN, token)
    assert not is_form_token(OTHERS, ADA, token)


def test_what_is_no_token_is_refused_whatever_it_holds() -> None:
    token = form_token(OURS, ADA)
    for wrong in ("", token[:-1], f"{token}0", token.upper(), "é" * 64, "\0" * 64, ADA.session_id, "x" * 1_000_000):
        assert not is_form_token(OURS, ADA, wrong)


def test_a_token_tells_nothing_of_its_session() -> None:
    assert ADA.session_id not in form_token(OURS, ADA)
    assert form_token(OURS, ADA) == form_token(OURS, ADA)
    assert form_token(OURS, ADA) != form_token(OURS, AGAIN)
