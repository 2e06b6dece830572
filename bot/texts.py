"""Every sentence that a user reads in a chat or on the command line."""

from memory import Approval, Mode, ProposalKind, Sensitivity, Visibility
from memory import shared_texts as shared
from memory.model.offline_phrases import Phrases

PROMPT = "you › "
OFFLINE_START = (
    "I work offline for now: I keep what you ask me to, and answer from it by quoting you. "
    "Claude takes over when ANTHROPIC_API_KEY is set."
)
MODEL_START = "{vendor} ({model}) answers, with your memory at hand."
HINT = "Say “remember that …” to keep something, /memory to see what is kept, /help for more, Ctrl-D to leave."
TERMINAL_HELP_OPENING = """\
Write as you like. To keep something, say so: “remember that my boss is called Alec”.
These I understand as commands:"""
# By command, in the order in which people read them: /help in the terminal and in Telegram, and Telegram's menu.
TERMINAL_HELP_LINES = {
    "memory": """\
  /memory                      what I remember about you, and what waits for your word
  /memory show ID              one thing with its details; history ID tells how it came about
  /memory edit ID new words    correct it; delete ID, undo and restore ID do what they say
  /memory search words         find something; asof 2026-11-01 tells what I knew that day
  /memory accept ID            answer a question of mine; reject ID says no
  /memory mode                 whether I ask before I remember, and what I never should
  /memory remind on            remind you of your important dates; off stops it
  /memory share ID             show it to the others in this space; unshare ID takes it back
  /memory export               all of your data, as two files
  /memory web                  your own page in the browser, by a link that works once""",
    "space": "  /space                       remember together with others",
    "forget": "  /forget                      forget for good: about somebody, a time, or everything",
    "why": "  /why                         what my last reply rests on",
    "private": "  /private                     talk without anything being kept, until /new",
    "new": "  /new                         start a new conversation (what is remembered stays)",
    "quit": "  /quit                        leave (or Ctrl-D)",
}
NEW_CONVERSATION = "A new conversation. What I remember stays with me."
NOTHING_REMEMBERED = "I remember nothing about you yet. Say “remember that …” and I will."
UNKNOWN_COMMAND = "I don't know {command}. /help lists what I understand."
UNKNOWN_MEMORY_COMMAND = "I don't know “/memory {name}”. /help lists what I understand."
MEMORY_WRONG = "That did not work. It goes like this: /memory {command} {usage}."
MEMORY_IDS = "/memory lists the ids."
MEMORY_USAGE = {
    "show": "ID",
    "history": "ID",
    "edit": "ID new words",
    "delete": "ID",
    "restore": "ID, or ID and the number of a version",
    "undo": "",
    "search": "words",
    "asof": "2026-11-16",
    "share": "ID, or ID and the name of a space",
    "unshare": "ID",
    "accept": "ID, or ID and your own words",
    "reject": "ID",
    "mode": "confirm, auto or manual",
    "remind": "on or off",
    "never": "a category such as person, preference, context, project, occupation, habit",
    "allow": "a category such as person, preference, context, project, occupation, habit",
}
REMEMBERED = "What I remember about you ({count}):"
SHARED = "(shared)"
SHARED_BY = "(shared by {owner})"
KNOWN_THEN = "On {day} at {time} I remembered:"
FACT_ABOUT = "about {subject}"
FACT_TRAITS = "{traits}; sensitivity {sensitivity}"
FACT_VERSION = "version {version} of {moment}: {approval}"
HISTORY = "The history of [{id}]:"
DELETED = "deleted"
VISIBILITIES = {Visibility.PRIVATE: "private", Visibility.SHARED: "shared"}
SENSITIVITIES = {Sensitivity.NONE: "none", Sensitivity.LOW: "low", Sensitivity.HIGH: "high"}
NOTHING_TO_UNDO = "There is nothing to undo."
NOTHING_FOUND = "I remember nothing with these words."
NOTHING_KNOWN_THEN = "I remembered nothing then."
EXPORTED = "All of your data is in {files}."
EXPORT_ON_PAGE = "I cannot send files in this chat. All of your data can be downloaded on your own page: /memory web"
NOT_EXPORTED = "I could not write the files here: {why}. Start me in a folder that you may write to."
REMINDERS_ON = "I will remind you of your important dates, in the morning of the day. Stop it with /memory remind off."
REMINDERS_OFF = "I do not remind you of your important dates. Start it with /memory remind on."
CARDS_WAIT = "Waiting for your word: {count}. See /memory."
REMINDER = "Today: {words}"
CARD_REJECTED = shared.CARD_REJECTED
EMPTY = "That line was empty. Write something, or /help."
TOO_LONG = "That message is longer than {limit:,} bytes, so I did not take it. Nothing of it was kept."
NOT_TEXT = "(Some of that was not readable text; I put � in its place.)"
SECRETS_LEFT_OUT = "(I left out what looked like a secret: {kinds}. I never store those.)"
SECRETS = {
    "API key": "API key",
    "JWT": "JWT",
    "card number": "card number",
    "password": "password",
    "private key": "private key",
    "token": "token",
}
MEMORY_AWAY = shared.MEMORY_AWAY
WRITE_REFUSED = "My memory did not take that, so nothing was changed or kept. /new starts afresh; then try again."
NOT_KEPT = "I can't reach my memory just now, so I did not keep that message. Please say it again in a moment."
CANNOT_REMEMBER = (
    "I can't reach my memory just now. We can go on talking, but I remember nothing new until it is back: "
    "please tell me again later what I should keep."
)
ANSWER_NOT_KEPT = "I can't reach my memory just now. Your message is kept, what came after it is not."
BROKEN = "Something went wrong on my side. Your message may not be kept; please say it again."
MODEL_AWAY = "I could not finish my answer: {why} Your message is kept."
MODEL_AWAY_UNKEPT = "I could not finish my answer: {why}"
TOO_MANY_STEPS = "I needed too many steps for that and stopped. Could you ask for a smaller part of it?"
REFUSED = "I can't help with that one."
CUT_OFF = "(My answer was cut off at its longest allowed length.)"
RECEIPTS = {
    "stored": "✓ Remembered [{id}]: {content}",
    "known": "✓ I knew that already [{id}]: {content}",
    "changed": "✓ Changed [{id}]: {content} (before: {before})",
    "forgotten": "✓ Deleted [{id}]: {content}",
    "restored": "✓ Remembered again [{id}]: {content}",
    "shared": "✓ Shared [{id}]: {content}",
    "unshared": "✓ Private again [{id}]: {content}",
}
UNDO = " · undo: /memory undo {id}"
# With these marks the program speaks; a model's own are taken out of its words.
MARKS = str.maketrans({"✓": "*", "✔": "*", "▸": "*", "✎": "*"})
CARDS = {
    ProposalKind.ADD: "▸ Shall I remember this [{id}]: {content}",
    ProposalKind.UPDATE: "▸ Shall I change “{before}” [{id}] to: {content}",
    ProposalKind.FORGET: "▸ Shall I forget this [{id}]: {content}",
}
ASKED_BY = "the agent {agent} asks"
ANSWER_ONE = "  Say yes or no (or /memory accept {id}, /memory reject {id})."
ANSWER_MANY = "  Answer with /memory accept ID or /memory reject ID."
WAITING = "Waiting for your word (/memory accept ID, /memory reject ID):"
APPROVALS = {**shared.APPROVALS, Approval.COMMAND: "you typed it"}
MODES = {
    Mode.CONFIRM: "confirm: what you order me to remember I keep at once, before anything else I ask.",
    Mode.AUTO: "auto: I keep by myself what you tell me about yourself, and show what I kept.",
    Mode.MANUAL: "manual: I keep what you order me to, and never ask.",
}
NEVER = "Never remembered: {categories}."
OTHER_MODES = "Change it with /memory mode {modes}. Switch kinds of facts off and on with /memory never and allow."

PRIVATE_BEGUN = (
    "From here on nothing of our conversation is kept: no message, no fact. I can still look up what I remember. "
    "/new ends it."
)
PRIVATE_OVER = "The private conversation is over, and nothing of it was kept. From here on I keep our messages again."
PRIVATE_NOT_HERE = "In a group I can't promise that. /private works in our own chat."

WELCOME = (
    "Hello {name}! I am an assistant with a memory that is yours: I remember what you tell me to, ask before I "
    "remember anything else, and forget when you say so.\n"
    "/memory shows what I know, /help what I can do, /private talks without a trace."
)
TELEGRAM_HELP_OPENING = (
    "Write as you like. To keep something, say so: “remember that my boss is called Alec”. "
    "What I would like to remember by myself I ask you first."
)
TELEGRAM_HELP_LINES = {
    "memory": """\
/memory – what I remember, by pages: open, history, edit, share, delete
/memory search words – find something; /memory asof 2026-11-01 – what I knew that day
/memory mode auto, confirm or manual – whether I ask; /memory never preference – what I never keep
/memory undo – take the last change back; /memory export – all of your data as files
/memory web – your own page, in the browser or here; /memory remind on – of your important dates""",
    "why": "/why – what my last reply rests on",
    "private": "/private – talk without anything being kept, until /new",
    "new": "/new – start a new conversation",
    "space": "/space – remember together with others",
    "forget": "/forget – forget for good: about somebody, a time, or everything",
}
MENU_LINES = {
    "memory": "what I remember about you",
    "why": "what my last reply rests on",
    "new": "start a new conversation",
    "private": "talk without anything being kept",
    "space": "remember together with others",
    "forget": "forget for good",
    "help": "what I can do",
}
OPEN_TO_ALL = "KEEPSAKE_ALLOWED_USERS is empty: EVERYBODY who finds this bot can talk to it, at your expense."
PRIVACY_MODE = (
    "KEEPSAKE_GROUP_ANSWERS=all, but this bot's privacy mode is on: where it is no administrator, Telegram shows it "
    "only what is addressed to it. @BotFather turns that off (/setprivacy); then add the bot to its groups again."
)
BOT_STARTED = "@{name} listens ({how}). Ctrl-C stops it."
BOT_POLLS = "long polling"
BOT_HOOK = "webhook {url}, at {listen}"
TOKEN_REFUSED = "Telegram refused TELEGRAM_BOT_TOKEN. Copy it again from @BotFather."  # noqa: S105
TELEGRAM_AWAY = "Telegram cannot be reached: {why}. Check the network, or TELEGRAM_BASE_URL."
NOT_A_BOT = "The server does not answer getMe as Telegram does. Check TELEGRAM_BASE_URL and TELEGRAM_BOT_TOKEN."
WEBHOOK_REFUSED = "Telegram refused TELEGRAM_WEBHOOK_URL: {why}"
TOKEN_MISSING = "`keepsake bot` needs TELEGRAM_BOT_TOKEN; @BotFather gives you one."  # noqa: S105
STRANGER = "I am somebody's personal assistant and may not talk with you. Nothing you wrote was kept."
NO_WORDS = "I have nothing to say to that."
PARKED = "I could not deal with that message, and I tried three times. Please say it in another way."
ANSWER_LATER = "I can't reach my memory just now. Your message is safe; I answer as soon as I can."
UNREADABLE = {
    "voice": "I can't listen to voice messages yet. Could you write it?",
    "audio": "I can't listen to audio yet. Could you write it?",
    "video_note": "I can't watch videos yet. Could you write it?",
    "video": "I can't watch videos yet. A caption I can read.",
    "photo": "I can't see pictures yet. A caption I can read.",
    "sticker": "Nice one! I only understand words, though.",
    "other": "I can't read that yet. Could you write it?",
}
FILE_TOO_LARGE = "“{name}” is larger than the {limit:,} bytes that I read."
FILE_EMPTY = "“{name}” is empty."
FILE_NOT_TEXT = "“{name}” is not a text file that I can read."
FILE_AWAY = "I could not get “{name}” from Telegram. Please send it again."
ASSISTANT = "the assistant"
ANSWERED_IN_PRIVATE = "I answered you in our own chat."
WRITE_ME_FIRST = "That is only for you: open our own chat, press Start, and ask me there."
MEMORY_PAGE = "What I remember: {count} (page {page} of {pages})"
WEB_LINK = (
    "Your own page, where you see and correct what I remember: {url}\n"
    "The link works once, for {minutes} minutes. It is for you alone: whoever opens it sees your memory."
)
WEB_BUTTONS = "Your own page. In the browser the link works once, for {minutes} minutes, and is for you alone."
WEB_LOCAL = "It opens while `keepsake serve` runs."
WEB_NOT_SERVED = (
    "There is no review page here yet, but /memory shows everything. Whoever runs me can open one: with "
    "`keepsake serve`, or KEEPSAKE_SERVE=1 for one beside me; KEEPSAKE_WEB_URL tells where people reach it."
)
WEB_MENU = "Memory"
EXPORT_HERE = "All of your data, as JSON and to read."
ASK_WORDS = "✎ How should it read [{id}]? Answer this message with the words.\nNow: {words}"
SHARE_WHERE = "With which space?"
SHARE_NOWHERE = "There is nobody to share with: you are in no shared space. /space makes one."
BUTTON_REMEMBER = "Remember"
BUTTON_EDIT = "Edit"
BUTTON_NO = "No"
BUTTON_ALL = "All"
BUTTON_UNDO = "Undo"
BUTTON_WHY = "Why?"
BUTTON_HISTORY = "History"
BUTTON_SHARE = "Share"
BUTTON_UNSHARE = "Make private"
BUTTON_DELETE = "Delete"
BUTTON_BACK = "‹ List"
BUTTON_APP = "Open here"
BUTTON_BROWSER = "Open in the browser"
BUTTON_FORGET = "Yes, forget everything"
BUTTON_OLD = "That button is out of date."
BUTTON_NOT_YOURS = "That question is for somebody else."
WHY_FACTS = "I remembered:"
WHY_MESSAGES = "I looked back at:"
WHY_FRESH = "Nothing that I remember: that reply came from our conversation alone."
WHY_MORE = "Other facts that were in front of me: {count}."
WHY_MESSAGE = "• {day}, {who}: “{words}”"
WHY_YOU = "you"
WHY_ME = "I"
WHY_NOT_KEPT = "I keep nothing of this conversation, so I can't tell."
WHY_NOTHING = "I find no reply of mine to you that I could explain."

SPACE_HELP = """\
A space is what people remember together. What you share in it (/memory share ID) all members see.
  /space                 your spaces
  /space new NAME        make one and talk in it
  /space use NAME        talk in it; /space use personal leads back
  /space invite          a code that lets one person in, once
  /space join CODE       come in
  /space members         who is here; owner MEMBER and remove MEMBER are for owners
  /space leave           go; what you shared becomes private again
  /space document FILE   give it a text or Markdown file; its members' questions find it
  /space documents       the files it has; /space drop ID takes one of yours back
  /space persona WORDS   how I speak in it; /space rules WORDS, what I mind in it (both for owners)"""
SPACES = "Your spaces:"
SPACES_MORE = "/space help tells more."
SPACE_PERSONAL = "personal"
ROLES = shared.ROLES
MEMBER = "{user} ({role}, since {day})"
SPACE_IN_PRIVATE = "That works in our own chat. A group is a space of its own, and its members are those of the group."
SPACE_SEND_FILE = "Send me the file, with /space document as its caption."
CHANNELS = {
    "public": "This group is public for me: I keep and use nothing here that is personal or sensitive.",
    "team": "This group is a team for me: what is shared in it may be personal.",
}
SPACE_GROUP = (
    "A group is a space of its own: what is shared here its members see here, and nothing from our own chats.\n"
    "/space channel public or team – how private it is, said by those who run the group\n"
    "/space members, /space documents – who and what belongs to it"
)
CHANNEL_USAGE = "Say /space channel public or /space channel team."
CHANNEL_ADMINS = "Only those who run this group can say that."
CHANNEL_NOT_HERE = "That is said in a group, by those who run it."
SPACE_FOUNDED = "The space “{name}” is yours, and we talk in it now. /space invite makes a code for somebody else."
SPACE_ENTERED = "We talk in “{name}” now. /space use personal leads back."
SPACE_HOME = "We are by ourselves again."
SPACE_LEFT = shared.SPACE_LEFT
SPACE_NOT_HOME = "This is your personal space; you cannot leave that."
INVITATION = "Give this code to one person; it works once, for {days} days: {code}"
DOCUMENT_GIVEN = "Kept “{name}” [{id}] (pieces: {pieces}); ask me about it."
DOCUMENT_SEALED = (
    "Kept “{name}” [{id}]. It holds something sensitive, so it is encrypted; ask me about it, and I open it."
)
DOCUMENT_DROPPED = "“{id}” is gone, and so are its pieces."
DOCUMENT_UNREADABLE = "I cannot read {path}: {why}."
DOCUMENT_NO_PATH = "that"
DOCUMENT_NO_HOME = "nobody's home"
NO_DOCUMENTS = "This space has no documents. /space document FILE gives it one."
VIEW_KEPT = "Kept as version {version}. It holds from the next message on."
VIEW_EMPTY = "Nothing is set. /space {name} WORDS sets it."
MEMBER_REMOVED = "{member} is no longer a member."
MEMBER_OWNS = "{member} is an owner now."

FORGET_HELP = """\
What I forget here is gone for good, also from the messages it came from. Nobody can bring it back.
  /forget about Alec                      what I remember under that name
  /forget attribute location              a part of your profile
  /forget topic tea                       a topic
  /forget from 2026-01-01 to 2026-01-31   what was said and learnt in that time
  /forget summary                         the summaries of our conversations
  /forget everything                      you, completely; I ask twice"""
FORGOTTEN = "Gone for good: {parts}."
FORGOTTEN_FACTS = "facts ({count})"
FORGOTTEN_MESSAGES = "messages ({count})"
FORGOTTEN_TOPICS = "topics ({count})"
FORGOTTEN_SUMMARIES = "summaries ({count})"
FORGOTTEN_CARDS = "my questions to you ({count})"
FORGOTTEN_ENTRIES = "decisions, tasks, files and handoffs ({count})"
FORGOTTEN_NOTHING = "There was nothing of that to forget."
FORGET_FIRST = (
    "This removes everything: facts, messages, settings. Nobody can bring it back. If you want that: /forget yes"
)
FORGET_SECOND = "I ask once more, because it is for good. If you are sure: /forget yes, everything"
FORGOT_EVERYTHING = shared.ERASED
ERASE_NEEDS_YES = "`keepsake erase` removes everything of {user} for good. If that is meant, add --yes."
ERASED = "Everything of {user} is gone."
NO_SUCH_USER = "There is no user {user} here."
REPLAYED = "Calls rendered again: {count}; byte for byte the same: {same}."
REPLAYS = {"same": "same", "forgotten": "forgotten", "different": "different"}
REBUILD_STAGES = {"chunks": "Chunks", "vectors": "Vectors", "summaries": "Summaries"}
STEP = "{stage}: {share} % ({done:,} of {of:,})"
REBUILT = "Made anew for {user}: chunks ({chunks:,}), vectors ({vectors:,}), summaries ({summaries:,})."
REBUILT_BUT_SUMMARIES = (
    "Made anew for {user}: chunks ({chunks:,}), vectors ({vectors:,}). Summaries need a model and stay as they are."
)
REBUILD_MODEL_AWAY = "The summaries are still to be made: {why} `keepsake rebuild` goes on with them."
REBUILD_UNFINISHED = "Summaries that did not come out: {count}. Keepsake tries them again while it runs."
IMPORTED = "Facts loaded for {user}: {count}."
LOADED_BEFORE = "{path} was loaded for {user} before. Nothing was written."
TOO_MUCH_TO_LOAD = (
    "{path} has {size:,} bytes. Keepsake's own export is loaded in one piece, which has {most:,} at most."
)
IMPORT_STAGES = {"read": "Reading", "write": "Importing"}
IMPORT_AS = "In this export you are {name} ({id}). If that is somebody else, stop me and say with --as who you are."
IMPORT_SILENT = "In this export nobody speaks as {id}, so none of its words are yours."
IMPORTED_MESSAGES = (
    "Imported for {user}: conversations ({conversations:,}), new messages ({new:,}), already there ({known:,}), "
    "left out ({left:,}){why}."
)
IMPORT_LEFT = {
    "service": "service messages",
    "wordless": "without words",
    "hidden": "system and tools",
    "abandoned": "replaced by another version",
    "broadcast": "posts of channels",
    "here": "said to this bot, which heard it then",
    "bot": "said to bots, of which any may be this one; TELEGRAM_BOT_TOKEN tells which",
    "unreadable": "not readable",
    "too_long": "too long",
    "forgotten": "forgotten here",
}
IMPORT_CARDS = "What it tells about you comes as cards, a few at a time. Nothing of it is remembered without your word."
IMPORT_NO_CARDS = "It can be recalled from now on. To look for facts in it takes a model, and another mode than manual."
NOT_LOADED = "{path} does not fit into this database, so nothing of it was loaded. Was it edited, or loaded before?"
NOT_A_DOCUMENT = "{path} cannot be read as an export ({why})."
NOT_JSON = "no JSON"
GOODBYE = "Bye."
NO_OUTPUT = "There is no standard output to write answers to."
PROGRAM_BROKE = "Something went wrong ({what}). With KEEPSAKE_LOG_LEVEL=debug the log says where."
OWNER_NEEDED = "`keepsake migrate` needs KEEPSAKE_OWNER_URL, the role that owns the tables."
PROGRAM = "An assistant with a memory that its owner can see, correct and trust."
SERVING = "The API and the review page are at {url} (OpenAPI at /openapi.json). Ctrl-C stops it."
PROGRAM_COMMANDS = {
    "bot": "run the Telegram bot (without a command: when TELEGRAM_BOT_TOKEN is set)",
    "chat": "chat in the terminal (without a command: when there is no token)",
    "serve": "run the daemon: REST, MCP and the review page",
    "migrate": "bring the database to the schema of this program",
    "doctor": "tell what is set, what is missing and what to do next",
    "export": "write all data of a user to standard output, as JSON",
    "erase": "remove everything of a user, for good",
    "import": "bring in what Telegram, ChatGPT or Claude exported, or an export of Keepsake into an empty user",
    "rebuild": "make chunks, vectors and summaries of a user anew from what was said",
    "replay": "render past calls of the model again from rows and compare hashes",
    "stats": "tell what the models took and cost",
    "keys": "make, list and revoke keys of the API",
    "mcp": "give an agent your memory over standard input and output (MCP)",
}
PROGRAM_OPTIONS = {
    "to": "a revision, or `base` to remove it all",
    "markdown": "as a document to read instead",
    "yes": "really",
    "file": "the JSON document, or the archive or folder that holds it",
    "as": "who you are in an export of Telegram: a name or a number",
    "call": "such as acb_01J…; without it, all of them",
    "user": "such as telegram:12345; without it, you in this terminal",
    "days": "how many days back (30)",
    "whose": "such as telegram:12345; without it, everybody together",
    "json": "as JSON instead of a table",
    "summaries": "the versions of summaries, and what is stuck or was given up",
    "conversation": "such as cnv_01J…; with --summaries, of this one alone",
    "audit": "what is rotten in one person's memory",
    "keys new": "make a key and print it, this once",
    "keys list": "tell which keys there are, and who used them when",
    "keys revoke": "end a key, at once and for good",
    "key user": "whose key it is, such as telegram:12345 or api:ada; without it, the tenant's",
    "key agent": "the agent that it is for; without it, the owner's own or any agent's",
    "key scope": "what it may do: read, write, admin, with commas between them (read,write)",
    "key name": "what to call it in the list",
    "key id": "such as key_01J…",
    "tenant": "another tenant than KEEPSAKE_TENANT",
    "agent": "the name of the agent (mcp)",
    "env_file": "where settings stand besides the environment; the .env of this folder is not read",
    "underscores": "names of tools without dots, for clients that refuse dots (Claude Desktop)",
}
NO_ENV_FILE = "There is no file {path}."
SPEAKING_MCP = "MCP over standard input and output: the agent {agent}, for {user}. It ends with its input."
MIGRATED = "The database is at schema {revision}."

STATS_HEADING = "The last {days} days, {whose}"
STATS_OF_ALL = "everybody together"
STATS_OF = "{user} alone"
STATS_COLUMNS = ("model", "calls", "tokens in", "from cache", "share", "to cache", "tokens out", "a call", "cost")
STATS_TOTAL = "total"
STATS_UNKNOWN = "unknown"
STATS_NOTHING = "No model was called."
STATS_UNPRICED = "Calls without a known cost: {calls:,}. Set KEEPSAKE_PRICES for their models; it holds from then on."
STATS_DAYS = "--days wants a whole number from 1 to 36500."
STATS_NOT_OF_ONE = "Summaries are shown of everybody together. Leave out --user, or name one by --conversation."
KEY_MADE = "This is key {id} ({scopes}). It is shown this once and kept nowhere, so put it in a safe place."
KEY_WHOSE = {
    "owner": "It carries the word of {user}: within its scopes it acts as they do, and answers what waits for them.",
    "own agent": "It is for the agent {agent} of {user}: within its scopes it reads and proposes. Only {user} accepts.",
    "agent": "It is for the agent {agent}, and for users of the API whom it names. It proposes, and never accepts.",
    "tenant": "It is for a backend: any agent, and users of the API whom it names. It proposes, and never accepts.",
}
KEY_NEW_TENANT = "There was no tenant {tenant} until now."
KEY_REVOKED = "Key {id} opens nothing any more."
KEY_SCOPES = "--scope wants read, write or admin, with commas between them."
KEYS_NONE = "There are no keys. `keepsake keys new` makes one."
KEYS_COLUMNS = ("id", "name", "whose", "agent", "scopes", "made (UTC)", "last used", "revoked")
KEYS_TENANT = "the tenant"
NO_SUCH_TENANT = "There is no tenant {tenant} here."
CHAIN_COLUMNS = ("conversation", "start", "end", "window", "base ends", "status", "attempts", "ms", "when (UTC)")
CHAIN_EMPTY = "There are no summaries."
CHAIN_STUCK = "Stuck: {id} of {conversation}, begun {minutes} minutes ago"
CHAIN_WORK = "{work}: completed {completed}, given up {failed}, stuck {stuck}"
CHAIN_TIMES = "(one takes {average} ms on average, {most} ms at most)"
ROT_NONE = "No rot found."
ROT_DUPLICATES = "These say the same ({count}):"
ROT_ECHOES = "These repeat the assistant or a tool, not their owner ({count}):"
ROT_CONTRADICTIONS = "These may contradict each other ({count}):"
ROT_NEVER_RECALLED = "These were never needed in a month or more ({count}):"

DOCTOR_NAMES = {
    "settings": "settings",
    "database": "database",
    "owner": "owner",
    "role": "role",
    "tokens": "tokens",
    "vectors": "vectors",
    "summaries": "summaries",
    "extractions": "extractions",
    "embedder": "embedder",
    "model": "model",
    "daemon": "daemon",
}
DOCTOR_MACHINE = "{version}, Python {python} on {system}"
DOCTOR_MODEL_AT = "{model} at {address}"
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
DOCTOR_NO_EMBEDDER = "off: what was said is found by its words"
DOCTOR_BUNDLED = "{model}, on this machine"
DOCTOR_REMOTE = "{model}; what is said is sent there, what is sensitive is not"
DOCTOR_NOT_HERE = "✗ not on this machine: what was said is found by its words"
DOCTOR_SPEED = "answers in about {took:.0f} ms"
DOCTOR_TOO_SLOW = "✗ answers in about {took:.0f} ms, more than KEEPSAKE_RECALL_MS={recall} leaves it ({left:.0f} ms)"
DOCTOR_SET_RECALL = "Set KEEPSAKE_RECALL_MS to {enough} or more; now most questions are searched by words alone."
DOCTOR_EMBEDDER_AWAY = "✗ does not answer: what was said is found by its words"
DOCTOR_VECTORS = "{embedded} of {chunks} chunks have one; {meanwhile} while Keepsake runs and makes the others"
DOCTOR_BY_WORDS = "words find the rest"
DOCTOR_BY_FORMER = "those of {model} serve"
DOCTOR_SET_BEFORE = (
    "Vectors of {model} cannot be used. Set KEEPSAKE_EMBEDDER_BEFORE to its server if it shall serve meanwhile."
)
DOCTOR_TOKENS = "{calls} calls counted, none above its estimate"
DOCTOR_TOO_FEW_TOKENS = "✗ {below} of {calls} calls cost more than estimated, up to {most:.2f} times"
DOCTOR_SET_MARGIN = "Set KEEPSAKE_TOKEN_MARGIN to {margin:.2f}: this model counts more tokens than estimated."
DOCTOR_INBOX = "{count} updates wait to be answered, the oldest since {since} UTC"
DOCTOR_PARKED = "✗ {count} updates broke their handler three times and were given up in the last days"
DOCTOR_UNREADABLE = "✗ {count} updates could not be read and were put aside in the last days"
DOCTOR_GIVEN_UP = "✗ given up: {count} ({reasons})"
DOCTOR_STUCK = "✗ begun and not ended in time: {count}"
DOCTOR_REBUILD = "`keepsake rebuild` tries again what was given up. What is stuck goes on while Keepsake runs."
DOCTOR_TOKEN = "TELEGRAM_BOT_TOKEN is set; `make run` starts @{name}"  # noqa: S105
DOCTOR_TOKEN_FAILS = "✗ TELEGRAM_BOT_TOKEN is set, but no bot can run with it now"  # noqa: S105
DOCTOR_TELEGRAM_HOLDS = "{count} updates wait at Telegram: the bot is not running, or cannot fetch them"
DOCTOR_NO_TOKEN = "TELEGRAM_BOT_TOKEN is not set; you chat in the terminal"  # noqa: S105
DOCTOR_DAEMON = "{where}; people reach it at {url}"
DOCTOR_DAEMON_RUNS = "it runs there now"
DOCTOR_DAEMON_SICK = "✗ it runs there now, but its database is away"
DOCTOR_DAEMON_FREE = "nobody serves there now: `keepsake serve` does, or `keepsake bot` with KEEPSAKE_SERVE=1"
DOCTOR_DAEMON_TAKEN = "✗ it cannot listen there"
DOCTOR_SET_WEB_URL = "Set KEEPSAKE_WEB_URL to an https address: Telegram opens the review page inside of itself then."
DOCTOR_SET_KEY = "Set {key} and {vendor} will answer."
DOCTOR_READY = "Ready: `make run` opens the chat."

OFFLINE = Phrases(
    greeting="Hello! Tell me “remember that …” and I will, or ask me about something you told me.",
    help="I keep what you ask me to keep (“remember that …”) and answer questions from it. /help lists my commands.",
    welcome="You're welcome.",
    stored="All right.",
    asked="Good to know.",
    forgotten="All right.",
    declined="No problem.",
    quote="On {day} you told me: “{words}”.",
    repeat="From {day}: “{words}”.",
    nothing_known="I don't know anything about that yet. You can tell me: “remember that …”.",
    heard="I read that. Offline I keep as a fact only what you order me to: say “remember that …”.",
)

CATEGORY_TITLES = shared.CATEGORIES
