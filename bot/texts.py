"""Every sentence that a user reads in a chat or on the command line."""

from collections.abc import Sequence
from itertools import groupby

from db.queries.facts import FactRow
from db.vocabulary import Category, Visibility
from memory.brain_offline import Phrases
from memory.receipts import Receipt, ReceiptKind

OFFLINE_START = (
    "I work offline for now: I keep what you ask me to, and answer from it by quoting you. "
    "Claude takes over when ANTHROPIC_API_KEY is set."
)
CLAUDE_START = "Claude ({model}) answers, with your memory at hand."
TELEGRAM_NOT_YET = (
    "TELEGRAM_BOT_TOKEN is set, but this version talks in the terminal only; Telegram comes with the next ones."
)
HINT = "Say “remember that …” to keep something, /memory to see what is kept, /help for more, Ctrl-D to leave."
HELP = """\
Write as you like. These I understand as commands:
  /memory   what I remember about you
  /new      start a new conversation (what is remembered stays)
  /help     this page
  /quit     leave (or Ctrl-D)
To keep something, say it in a sentence: “remember that my boss is called Alec”."""
NEW_CONVERSATION = "A new conversation. What I remember stays with me."
NOTHING_REMEMBERED = "I remember nothing about you yet. Say “remember that …” and I will."
UNKNOWN_COMMAND = "I don't know {command}. /help lists what I understand."
UNKNOWN_MEMORY_COMMAND = "/memory lists what I remember; I don't know “/memory {rest}” yet."
EMPTY = "That line was empty. Write something, or /help."
TOO_LONG = "That message is longer than {limit:,} bytes, so I did not take it. Nothing of it was kept."
NOT_TEXT = "(Some of that was not readable text; I put � in its place.)"
SECRETS_LEFT_OUT = "(I left out what looked like a secret: {kinds}. I never store those.)"
MEMORY_AWAY = "I can't reach my memory just now. Please try again in a moment."
NOT_KEPT = "I can't reach my memory just now, so I did not keep that message. Please say it again in a moment."
ANSWER_NOT_KEPT = "I can't reach my memory just now. Your message is kept, what came after it is not."
BROKEN = "Something went wrong on my side. Your message may not be kept; please say it again."
MODEL_AWAY = "I could not finish my answer: {why} Your message is kept."
TOO_MANY_STEPS = "I needed too many steps for that and stopped. Could you ask for a smaller part of it?"
REFUSED = "I can't help with that one."
CUT_OFF = "(My answer was cut off at its longest allowed length.)"
RECEIPTS = {
    ReceiptKind.STORED: "✓ Remembered [{id}]: {content}",
    ReceiptKind.KNOWN: "= I knew that already [{id}]: {content}",
}
GOODBYE = "Bye."
NO_OUTPUT = "There is no standard output to write answers to."
PROGRAM_BROKE = "Something went wrong ({what}). With KEEPSAKE_LOG_LEVEL=debug the log says where."
OWNER_NEEDED = "`keepsake migrate` needs KEEPSAKE_OWNER_URL, the role that owns the tables."
MIGRATED = "The database is at schema {revision}."

DOCTOR_ENV_FILE = "the environment and .env"
DOCTOR_NO_ENV_FILE = "the environment (there is no .env)"
DOCTOR_EMBEDDED = "embedded, in {folder}"
DOCTOR_OWN_DATABASE = "DATABASE_URL, {address}"
DOCTOR_VERSIONS = "{postgresql}, pgvector {pgvector}, schema {revision}"
DOCTOR_ROLE = "{role}, which cannot see around the wall between people"
DOCTOR_NOT_YET = "none yet: the first start makes it"
DOCTOR_NOT_USABLE = "✗ not usable"
DOCTOR_AS_ROOT = "started by root, so the server runs as an unprivileged user"
DOCTOR_OWNER_SET = "KEEPSAKE_OWNER_URL is set (only `keepsake migrate` uses it)"
DOCTOR_OWNER_NOT_SET = "KEEPSAKE_OWNER_URL is not set (only `keepsake migrate` needs it)"
DOCTOR_NO_MODEL = "none: the offline brain answers, from memory and by rules"
DOCTOR_NO_EMBEDDER = "none in this version: facts are found by their words"
DOCTOR_TOKEN = "TELEGRAM_BOT_TOKEN is set; this version talks in the terminal only"  # noqa: S105
DOCTOR_NO_TOKEN = "TELEGRAM_BOT_TOKEN is not set; you chat in the terminal"  # noqa: S105
DOCTOR_SET_KEY = "Set ANTHROPIC_API_KEY and Claude will answer."
DOCTOR_READY = "Ready: `make run` opens the chat."

OFFLINE = Phrases(
    greeting="Hello! Tell me “remember that …” and I will, or ask me about something you told me.",
    help="I keep what you ask me to keep (“remember that …”) and answer questions from it. /help lists my commands.",
    welcome="You're welcome.",
    stored="All right.",
    not_stored="I could not keep that: I keep sentences of 5 to 500 characters.",
    quote="On {day} you told me: “{words}”.",
    nothing_known="I don't know anything about that yet. You can tell me: “remember that …”.",
    heard="I read that, but offline I only keep what you order me to: say “remember that …”.",
    date="%d %B %Y",
)

CATEGORY_TITLES = {
    Category.PERSON: "People",
    Category.PREFERENCE: "Preferences",
    Category.CONTEXT: "Context",
    Category.PROJECT: "Projects",
    Category.PERSONALITY: "Personality",
    Category.HOBBY: "Hobbies",
    Category.RELATIONSHIP: "Relationships",
    Category.MILESTONE: "Milestones",
    Category.OCCUPATION: "Occupation",
    Category.HABIT: "Habits",
    Category.OTHER: "Other",
}


def receipt_line(receipt: Receipt) -> str:
    return RECEIPTS[receipt.kind].format(id=receipt.fact_id, content=receipt.content)


def memory_list(facts: Sequence[FactRow]) -> str:
    """What is remembered, under its categories, each with the id that commands take."""
    if not facts:
        return NOTHING_REMEMBERED
    things = "1 thing" if len(facts) == 1 else f"{len(facts)} things"
    lines = [f"I remember {things} about you:"]
    for category, group in groupby(facts, key=lambda fact: fact.category):
        lines.append(CATEGORY_TITLES[Category(category)])
        for fact in group:
            shared = " (shared)" if fact.visibility == Visibility.SHARED else ""
            lines.append(f"  [{fact.id}] {fact.content}{shared}")
    return "\n".join(lines)


def secrets_left_out(kinds: Sequence[str]) -> str:
    return SECRETS_LEFT_OUT.format(kinds=", ".join(kinds))
