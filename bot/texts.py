"""Every sentence that a person reads in a chat or on the command line. What stands in braces is filled in."""

from memory import Approval, Mode, ProposalKind, Sensitivity, Visibility
from memory import shared_texts as shared
from memory.model.offline_phrases import Phrases
from memory.translation import Plural

# --- Chat in the terminal: start and end ------------------------------------------------------------------------------

PROMPT = "you › "
START_OFFLINE = (
    "I'm working offline for now: I remember what you ask me to, and answer by quoting it back to you. "
    "Set ANTHROPIC_API_KEY and Claude will answer instead."
)
START_WITH_MODEL = "You're talking to {vendor} ({model}), and it can use your memory."
START_HINT = "Say “remember that …” to save something. /memory shows what I remember, /help shows more, Ctrl-D quits."
GOODBYE = "Bye."

# --- /help and Telegram's menu: by command, in the order in which people read them ------------------------------------

TERMINAL_HELP_OPENING = """\
Just write to me. To save something, say so: “remember that my boss is called Alec”.
Commands:"""
TERMINAL_HELP_LINES = {
    "memory": """\
  /memory                      what I remember about you, and questions that wait for you
  /memory show ID              one memory in detail; history ID shows how it changed
  /memory edit ID new words    correct a memory; see also delete ID, restore ID and undo
  /memory search words         find a memory; asof 2026-11-01 shows what I knew that day
  /memory accept ID            say yes to a question of mine; reject ID says no
  /memory mode                 whether I ask before I remember, and what I never remember
  /memory remind on            reminders of your important dates; remind off stops them
  /memory share ID             share a memory with this space; unshare ID makes it private
  /memory export               save all your data to two files
  /memory web                  open your page in the browser, with a link that works once""",
    "space": "  /space                       remember things together with other people",
    "forget": "  /forget                      forget for good: a person, a topic, a time or everything",
    "why": "  /why                         what my last reply was based on",
    "private": "  /private                     talk without anything being saved, until /new",
    "new": "  /new                         start a new conversation (I keep what I remember)",
    "quit": "  /quit                        leave (or press Ctrl-D)",
}
TELEGRAM_HELP_OPENING = (
    "Just write to me. To save something, say so: “remember that my boss is called Alec”. "
    "Before I remember anything else, I ask you.\n"
)
TELEGRAM_HELP_LINES = {
    "memory": """\
/memory – see, correct, share or delete what I remember
/memory search words – find a memory
/memory asof 2026-11-01 – what I knew that day
/memory undo – undo the last change
/memory mode auto, confirm or manual – whether I ask first
/memory never preference – a category I should never remember
/memory remind on – reminders of your important dates
/memory export – all your data as files
/memory web – your page, where you can see and change everything""",
    "why": "/why – what my last reply was based on",
    "private": "/private – talk without anything being saved, until /new",
    "new": "/new – start a new conversation",
    "space": "/space – remember things together with other people",
    "forget": "/forget – forget for good: a person, a topic, a time or everything",
}
MENU_LINES = {
    "memory": "what I remember about you",
    "why": "what my last reply was based on",
    "new": "start a new conversation",
    "private": "talk without anything being saved",
    "space": "remember things together with other people",
    "forget": "forget for good",
    "help": "what I can do",
}
UNKNOWN_COMMAND = "I don't know {command}. /help shows what I understand."

# --- What the program says around a reply -----------------------------------------------------------------------------

LINE_EMPTY = "That line was empty. Write me something, or try /help."
LINE_TOO_LONG = (
    "That message is longer than {limit:,} bytes, so I didn't read it and saved nothing of it. "
    "Please send something shorter."
)
LINE_NOT_TEXT = "(Some of that wasn't readable text. I replaced it with �.)"
SECRETS_LEFT_OUT = "(I left out what looked like a secret: {kinds}. I never save those.)"
SECRETS = {
    "API key": "API key",
    "JWT": "JWT",
    "card number": "card number",
    "password": "password",
    "private key": "private key",
    "token": "token",
}
REPLY_EMPTY = "I don't have anything to say to that."
REPLY_CUT_OFF = "(I ran out of room, so my answer is cut off.)"
TOO_MANY_STEPS = "That took too many steps, so I stopped. Could you ask for a smaller part of it?"
MODEL_REFUSED = "Sorry, I can't help with that one."
CARDS_WAIT = Plural(
    "{count} question is waiting for your answer. See /memory.",
    "{count} questions are waiting for your answer. See /memory.",
)
REMINDER_TODAY = "Today: {words}"

# --- When something fails ---------------------------------------------------------------------------------------------

MEMORY_AWAY = shared.MEMORY_AWAY
MEMORY_AWAY_NOT_REMEMBERING = (
    "I can't reach my memory right now. We can keep talking, but I won't remember anything new until it's back. "
    "Please tell me again later what I should remember."
)
MEMORY_AWAY_MESSAGE_LOST = (
    "I can't reach my memory right now, so I didn't save that message. Please say it again in a moment."
)
MEMORY_AWAY_ANSWER_LOST = "I can't reach my memory right now. I saved your message, but nothing that came after it."
MEMORY_AWAY_ANSWER_LATER = "I can't reach my memory right now. Your message is safe, and I'll answer as soon as I can."
MEMORY_REFUSED_WRITE = "My memory didn't accept that, so I saved and changed nothing. Type /new and try again."
MODEL_AWAY = "I couldn't finish my answer: {why} Your message is saved."
MODEL_AWAY_UNSAVED = "I couldn't finish my answer: {why}"
TURN_BROKE = "Something went wrong on my side. I may not have saved your message, so please say it again."
MESSAGE_GIVEN_UP = "I tried three times and couldn't handle that message. Please say it in a different way."

# --- Receipts: what was remembered, changed, deleted or shared --------------------------------------------------------

RECEIPTS = {
    "stored": "✓ Remembered [{id}]: {content}",
    "known": "✓ I already knew that [{id}]: {content}",
    "changed": "✓ Changed [{id}]: {content} (was: {before})",
    "forgotten": "✓ Deleted [{id}]: {content}",
    "restored": "✓ Remembered again [{id}]: {content}",
    "shared": "✓ Shared [{id}]: {content}",
    "unshared": "✓ Private again [{id}]: {content}",
}
RECEIPT_UNDO = " · undo: /memory undo {id}"
# With these marks the program speaks; a model's own are taken out of its words.
MARKS = str.maketrans({"✓": "*", "✔": "*", "▸": "*", "✎": "*"})

# --- Questions: the cards that ask before I remember, change or forget something --------------------------------------

CARDS = {
    ProposalKind.ADD: "▸ Should I remember this? [{id}] {content}",
    ProposalKind.UPDATE: "▸ Should I change this? [{id}] “{before}” → “{content}”",
    ProposalKind.FORGET: "▸ Should I forget this? [{id}] {content}",
}
CARD_ASKED_BY = shared.CARD_ASKED_BY
CARD_HOW_TO_ANSWER = "  Just say yes or no (or use /memory accept {id}, /memory reject {id})."
CARDS_HOW_TO_ANSWER = "  Answer with /memory accept ID or /memory reject ID."
CARD_REJECTED = shared.CARD_REJECTED
EDIT_ASK = "✎ How should it read? [{id}] Reply to this message with the new words.\nNow: {words}"

# --- Buttons in Telegram ----------------------------------------------------------------------------------------------

CARD_YES = shared.CARD_YES
BUTTON_EDIT = shared.BUTTON_EDIT
BUTTON_NO = shared.BUTTON_NO
BUTTON_ALL = "Yes to all"
BUTTON_UNDO = shared.BUTTON_UNDO
BUTTON_WHY = "Why?"
BUTTON_HISTORY = shared.BUTTON_HISTORY
BUTTON_SHARE = shared.BUTTON_SHARE
BUTTON_UNSHARE = shared.BUTTON_UNSHARE
BUTTON_DELETE = shared.BUTTON_DELETE
BUTTON_BACK = "‹ List"
BUTTON_APP = "Open here"
BUTTON_BROWSER = "Open in browser"
BUTTON_FORGET = "Yes, erase everything"
BUTTON_OLD = "This button is out of date."
BUTTON_NOT_YOURS = "That question is for someone else."

# --- /memory: the list ------------------------------------------------------------------------------------------------

MEMORY_LIST_TITLE = "What I remember about you ({count}):"
MEMORY_LIST_EMPTY = "I don't remember anything about you yet. Say “remember that …” and I will."
MEMORY_LIST_WAITING = "Waiting for your answer (/memory accept ID, /memory reject ID):"
MEMORY_PAGE_TITLE = "What I remember about you ({count}), page {page} of {pages}:"
CATEGORY_TITLES = shared.CATEGORIES
MEMORY_SHARED = "(shared)"
MEMORY_SHARED_BY = "(shared by {owner})"
SEARCH_NOTHING = shared.SEARCH_NOTHING
AS_OF_TITLE = "What I remembered on {day} at {time}:"
AS_OF_NOTHING = "I didn't remember anything then."

# --- /memory: one memory, and how it changed --------------------------------------------------------------------------

FACT_ABOUT = shared.ABOUT_SUBJECT
FACT_TRAITS = "{traits}; {sensitivity}"
FACT_VERSION = "version {version}, {moment}: {approval}"
VISIBILITIES = {Visibility.PRIVATE: "private", Visibility.SHARED: "shared"}
SENSITIVITIES = {
    Sensitivity.NONE: "not sensitive",
    Sensitivity.LOW: "a little sensitive",
    Sensitivity.HIGH: shared.SENSITIVE,
}
APPROVALS = {**shared.APPROVALS, Approval.COMMAND: "you typed it"}
HISTORY_TITLE = "History of [{id}]:"
HISTORY_DELETED = shared.DELETED
UNDO_NOTHING = "There's nothing to undo."

# --- /memory: sharing -------------------------------------------------------------------------------------------------

SHARE_WHERE = "Which space should I share it with?"
SHARE_NOWHERE = "You aren't in a shared space yet, so there's nobody to share with. Create one with /space new NAME."

# --- /memory: how I remember, and reminders ---------------------------------------------------------------------------

MODES = {
    Mode.CONFIRM: "confirm: I remember what you ask me to, and ask you before I remember anything else.",
    Mode.AUTO: "auto: I remember what you tell me about yourself without asking, and show you what I remembered.",
    Mode.MANUAL: "manual: I only remember what you ask me to, and never ask you.",
}
MODE_NEVER = "I never remember: {categories}."
MODE_OTHERS = "Change it with /memory mode {modes}. Turn categories off and on with /memory never and /memory allow."
REMINDERS_ON = "I'll remind you of your important dates, on the morning of the day. To stop: /memory remind off"
REMINDERS_OFF = "I don't remind you of your important dates. To start: /memory remind on"

# --- /memory: your data and your page ---------------------------------------------------------------------------------

EXPORT_DONE = "I saved all your data to {files}."
EXPORT_SENT = "Here is all your data: as JSON for programs, and as a text to read."
EXPORT_FAILED = "I couldn't write the files here: {why}. Start me in a folder where you may write, and try again."
EXPORT_ON_PAGE = "I can't send files in this chat. You can download all your data on your page: /memory web"
WEB_LINK = (
    "Your page, where you can see and correct what I remember: {url}\n"
    "The link works once, for {minutes} minutes. Keep it to yourself: anyone who opens it sees your memory."
)
WEB_LINK_LOCAL = "It opens while `keepsake serve` is running."
WEB_BUTTONS = "Here's your page. The browser link works once, for {minutes} minutes, and is only for you."
WEB_NOT_SERVED = (
    "Your page isn't available here yet, but /memory shows you everything. The person who runs me can turn it on: with "
    "`keepsake serve`, or with KEEPSAKE_SERVE=1 to serve it together with me. KEEPSAKE_WEB_URL is the address that "
    "people open."
)
WEB_MENU = "Memory"

# --- /memory: a command that doesn't work -----------------------------------------------------------------------------

MEMORY_UNKNOWN = "I don't know “/memory {name}”. /help shows what I understand."
MEMORY_WRONG = "That didn't work. Use it like this: /memory {command} {usage}."
MEMORY_IDS = "/memory shows every ID."
MEMORY_USAGE = {
    "show": "ID",
    "history": "ID",
    "edit": "ID new words",
    "delete": "ID",
    "restore": "ID, or ID and a version number",
    "undo": "",
    "search": "words",
    "asof": "2026-11-16",
    "share": "ID, or ID and the name of a space",
    "unshare": "ID",
    "accept": "ID, or ID and your own words",
    "reject": "ID",
    "mode": "confirm, auto or manual",
    "remind": "on or off",
    "never": "preference, or another category such as person, context, project, occupation or habit",
    "allow": "preference, or another category such as person, context, project, occupation or habit",
}

# --- /new and /private ------------------------------------------------------------------------------------------------

NEW_CONVERSATION = "OK, a new conversation. I still remember everything I remembered before."
PRIVATE_STARTED = (
    "From now on I save nothing of our conversation: no messages, no memories. "
    "I can still look up what I already remember. /new ends it."
)
PRIVATE_ENDED = "The private conversation is over, and I saved nothing of it. From now on I save our messages again."
PRIVATE_NOT_HERE = "I can't promise that in a group. Use /private in our private chat."

# --- /why -------------------------------------------------------------------------------------------------------------

WHY_FACTS = shared.REPLY_FACTS
WHY_MESSAGES = shared.REPLY_MESSAGES
WHY_MESSAGE = "• {day}, {who}: “{words}”"
WHY_YOU = shared.YOU
WHY_ME = shared.ME
WHY_MORE_FACTS = shared.REPLY_MORE_FACTS
WHY_ONLY_CONVERSATION = "I used no memories for that reply, only this conversation."
WHY_NOT_SAVED = "I save nothing of this conversation, so I can't tell."
WHY_NO_REPLY = "I can't find a reply of mine to explain."

# --- /space -----------------------------------------------------------------------------------------------------------

SPACE_HELP = """\
A space is a memory you share with other people. Everyone in it sees what you share there (/memory share ID).
  /space                 list your spaces
  /space new NAME        create a space and talk in it
  /space use NAME        talk in a space; /space use personal takes you back
  /space invite          get a code that lets one person in
  /space join CODE       join a space with a code
  /space members         who is in it; owners can use owner MEMBER and remove MEMBER
  /space leave           leave it; what you shared becomes private again
  /space document FILE   add a text or Markdown file that everyone in the space can ask about
  /space documents       list its files; /space drop ID removes one of yours
  /space persona WORDS   how I speak in it; /space rules WORDS, what I follow in it (owners only)"""
SPACES = "Your spaces:"
SPACES_MORE = "/space help shows what else you can do."
SPACE_PERSONAL = "personal"
SPACE_CREATED = (
    "I created the space “{name}”, and we're talking in it now. /space invite makes a code for someone else."
)
SPACE_SWITCHED = "We're talking in “{name}” now. /space use personal takes you back."
SPACE_SWITCHED_TO_PERSONAL = "We're back in your personal space."
SPACE_LEFT = shared.SPACE_LEFT
SPACE_PERSONAL_STAYS = "This is your personal space, so you can't leave it."
SPACE_INVITATION = "Give this code to one person. It works once, until {day}: {code}"
ROLES = shared.ROLES
SPACE_MEMBER = "{user} ({role}, since {day})"
SPACE_MEMBER_REMOVED = "{member} is no longer a member."
SPACE_MEMBER_IS_OWNER = "{member} is an owner now."
VIEW_SAVED = "Saved as version {version}. It applies from your next message on."
VIEW_EMPTY = "Nothing is set yet. Set it with /space {name} WORDS."

# --- /space in a group ------------------------------------------------------------------------------------------------

SPACE_IN_PRIVATE = "That works in our private chat. A group is its own space, and everyone in the group is a member."
SPACE_GROUP = (
    "A group is its own space: everyone here sees what is shared here, and nothing from our private chats.\n"
    "/space channel public or team – how private this group is (only its admins can change it)\n"
    "/space members, /space documents – who and what is in it"
)
CHANNELS = {
    "public": "I treat this group as public: I don't save or use anything personal or sensitive here.",
    "team": "I treat this group as a team: what you share here may be personal.",
}
CHANNEL_USAGE = "Use /space channel public or /space channel team."
CHANNEL_ADMINS = "Only the admins of this group can change that."
CHANNEL_NOT_HERE = "That's for groups. An admin of the group can set it there."

# --- /space: documents ------------------------------------------------------------------------------------------------

DOCUMENT_ADDED = Plural(
    "I saved “{name}” [{id}] as {pieces} piece. Ask me about it.",
    "I saved “{name}” [{id}] as {pieces} pieces. Ask me about it.",
    gap="pieces",
)
DOCUMENT_ADDED_ENCRYPTED = (
    "I saved “{name}” [{id}]. It contains something sensitive, so I encrypted it. Ask me about it, and I'll open it."
)
DOCUMENT_REMOVED = "I removed “{id}” and everything I had taken from it."
DOCUMENT_SEND_FILE = "Send me the file with /space document as its caption."
DOCUMENT_UNREADABLE = "I can't read {path}: {why}."
DOCUMENT_NO_PATH = "the file"
DOCUMENT_NO_HOME = "there is no such home folder"
DOCUMENTS_NONE = "This space has no documents yet. Add one with /space document FILE."

# --- /forget ----------------------------------------------------------------------------------------------------------

FORGET_HELP = """\
What I forget here is gone for good, also from the messages it came from. Nobody can bring it back.
  /forget about Alec                      everything I remember under that name
  /forget attribute location              one part of your profile
  /forget topic tea                       a topic
  /forget from 2026-01-01 to 2026-01-31   what was said and remembered in that time
  /forget summary                         the summaries of our conversations
  /forget everything                      everything about you; I ask twice"""
FORGOTTEN = "Gone for good: {parts}."
FORGOTTEN_FACTS = Plural("{count} memory", "{count} memories")
FORGOTTEN_MESSAGES = Plural("{count} message", "{count} messages")
FORGOTTEN_TOPICS = Plural("{count} topic", "{count} topics")
FORGOTTEN_SUMMARIES = Plural("{count} summary", "{count} summaries")
FORGOTTEN_CARDS = Plural("{count} question of mine", "{count} questions of mine")
FORGOTTEN_ENTRIES = Plural("{count} working note of mine", "{count} working notes of mine")
FORGOTTEN_NOTHING = shared.FORGOTTEN_NOTHING
FORGET_ALL_FIRST = (
    "This erases everything: memories, messages and settings. Nobody can bring it back. If you want that: /forget yes"
)
FORGET_ALL_SECOND = "I'm asking once more, because it's for good. If you're sure: /forget yes, everything"
FORGET_ALL_DONE = shared.ERASED

# --- Telegram: the first message, groups and strangers ----------------------------------------------------------------

WELCOME = (
    "Hello {name}! I'm an assistant with a memory that belongs to you. I remember what you tell me to, ask before I "
    "remember anything else, and forget when you say so.\n"
    "/memory shows what I remember, /help what I can do, and /private lets us talk without saving anything."
)
STRANGER = "I'm someone's personal assistant, so I can't talk with you. I saved nothing of what you wrote."
ANSWERED_IN_PRIVATE = "I answered you in our private chat."
OPEN_PRIVATE_CHAT = "That's only for you. Open our private chat, press Start, and ask me there."
ASSISTANT = shared.ASSISTANT

# --- Telegram: files, and messages that I can't read ------------------------------------------------------------------

UNREADABLE = {
    "voice": "I can't listen to voice messages yet. Could you write it instead?",
    "audio": "I can't listen to audio yet. Could you write it instead?",
    "video_note": "I can't watch videos yet. Could you write it instead?",
    "video": "I can't watch videos yet, but I can read a caption.",
    "photo": "I can't see pictures yet, but I can read a caption.",
    "sticker": "Nice one! I only understand words, though.",
    "other": "I can't read that yet. Could you write it instead?",
}
FILE_TOO_LARGE = "“{name}” is too big for me: I read files of up to {limit:,} bytes."
FILE_EMPTY = "“{name}” is empty."
FILE_NOT_TEXT = "“{name}” isn't a text file, so I can't read it."
FILE_NOT_FETCHED = "I couldn't get “{name}” from Telegram. Please send it again."

# --- The offline brain ------------------------------------------------------------------------------------------------

OFFLINE = Phrases(
    greeting="Hello! Say “remember that …” and I will, or ask me about something you told me.",
    help="I remember what you ask me to (“remember that …”), and I answer questions from it. /help shows my commands.",
    welcome="You're welcome.",
    stored="Got it.",
    asked="Good to know.",
    forgotten="OK, that's gone.",
    declined="No problem.",
    quote="On {day} you told me: “{words}”.",
    repeat="From {day}: “{words}”.",
    nothing_known="I don't know anything about that yet. You can tell me: “remember that …”.",
    heard="I'm offline, so I only remember what you ask me to. To save something, say “remember that …”.",
)

# --- keepsake: the program and its help -------------------------------------------------------------------------------

PROGRAM = "An assistant with a memory that you can see, correct and trust."
PROGRAM_COMMANDS = {
    "bot": "run the Telegram bot (default if TELEGRAM_BOT_TOKEN is set)",
    "chat": "chat in the terminal (default without a token)",
    "serve": "serve the REST API, MCP and the review page",
    "migrate": "update the database to the schema of this version",
    "doctor": "check the setup, and say what is missing and what to do next",
    "export": "write all data of a user to standard output, as JSON",
    "erase": "erase everything about a user, for good",
    "import": "import an export from Telegram, ChatGPT or Claude, or one from Keepsake for a user who has nothing yet",
    "rebuild": "make the chunks, vectors and summaries of a user again from their messages",
    "replay": "render past model calls again from the database, and compare hashes",
    "stats": "show how much the models were used and what they cost",
    "keys": "create, list and revoke API keys",
    "mcp": "give an agent your memory over standard input and output (MCP)",
}
PROGRAM_OPTIONS = {
    "to": "a revision instead of the newest, from 0020 on",
    "markdown": "write a Markdown document to read instead",
    "yes": "confirm that you mean it",
    "file": "the JSON file, or the archive or folder that contains it",
    "as": "who you are in a Telegram export: a name or a number",
    "call": "such as acb_01J…; all calls if left out",
    "user": "such as telegram:12345; you in this terminal if left out",
    "days": "how many days back (30)",
    "whose": "such as telegram:12345; all users if left out",
    "json": "print JSON instead of a table",
    "summaries": "show the versions of summaries, and which are stuck or were given up",
    "conversation": "such as cnv_01J…; with --summaries, only this conversation",
    "audit": "look for problems in one user's memory",
    "keys new": "create a key and print it, this one time",
    "keys list": "show all keys, and when each was last used",
    "keys revoke": "revoke a key, at once and for good",
    "key user": "whose key it is, such as telegram:12345 or api:ada; the tenant's if left out",
    "key agent": "the agent it is for; if left out, the user's own key, or any agent's if there is no user",
    "key scope": "what it may do: read, write, admin, separated by commas (read,write)",
    "key name": "what to call it in the list",
    "key id": "such as key_01J…",
    "tenant": "a tenant other than KEEPSAKE_TENANT",
    "agent": "the name of the agent (mcp)",
    "env_file": "a file with more settings; the .env of this folder is not read",
    "underscores": "use tool names without dots, for clients that reject dots (Claude Desktop)",
}
PROGRAM_BROKE = "Something went wrong ({what}). Set KEEPSAKE_LOG_LEVEL=debug, and the log will say where."
NO_OUTPUT = "There is no standard output to write to."
NO_ENV_FILE = "There is no file {path}."
NO_SUCH_USER = "There is no user {user} here."

# --- keepsake bot, serve, mcp and migrate -----------------------------------------------------------------------------

BOT_STARTED = "@{name} is listening ({how}). Press Ctrl-C to stop."
BOT_BY_POLLING = "long polling"
BOT_BY_WEBHOOK = "webhook {url}, at {listen}"
BOT_OPEN_TO_ALL = "KEEPSAKE_ALLOWED_USERS is empty: ANYONE who finds this bot can talk to it, at your expense."
BOT_PRIVACY_MODE = (
    "KEEPSAKE_GROUP_ANSWERS=all, but privacy mode is on for this bot: unless it is an admin of a group, Telegram only "
    "shows it messages that are addressed to it. Turn privacy mode off with @BotFather (/setprivacy), then add the bot "
    "to its groups again."
)
TOKEN_MISSING = "`keepsake bot` needs TELEGRAM_BOT_TOKEN. Get one from @BotFather."  # noqa: S105
TOKEN_REFUSED = "Telegram rejected TELEGRAM_BOT_TOKEN. Copy it again from @BotFather."  # noqa: S105
TELEGRAM_AWAY = "Can't reach Telegram: {why}. Check the network, or TELEGRAM_BASE_URL."
TELEGRAM_NOT_A_BOT = (
    "The server doesn't answer getMe the way Telegram does. Check TELEGRAM_BASE_URL and TELEGRAM_BOT_TOKEN."
)
WEBHOOK_REFUSED = "Telegram rejected TELEGRAM_WEBHOOK_URL: {why}"
SERVING = "The API and the review page are at {url} (OpenAPI at /openapi.json). Press Ctrl-C to stop."
SPEAKING_MCP = "MCP over standard input and output: the agent {agent}, for {user}. It ends when its input ends."
OWNER_NEEDED = "`keepsake migrate` needs KEEPSAKE_OWNER_URL, the role that owns the tables."
MIGRATED = "The database is at schema {revision}."

# --- keepsake erase, replay and rebuild -------------------------------------------------------------------------------

ERASE_NEEDS_YES = "`keepsake erase` erases everything about {user} for good. If you mean it, add --yes."
ERASE_DONE = "Everything about {user} is erased."
REPLAYED = Plural(
    "Replayed {count} call; identical byte for byte: {same}.",
    "Replayed {count} calls; identical byte for byte: {same}.",
)
REPLAYS = {"same": "same", "forgotten": "forgotten", "different": "different"}
STEP = "{stage}: {share} % ({done:,} of {of:,})"
REBUILD_STAGES = {"chunks": "Chunks", "vectors": "Vectors", "summaries": "Summaries"}
REBUILT = "Rebuilt for {user}: chunks ({chunks:,}), vectors ({vectors:,}), summaries ({summaries:,})."
REBUILT_BUT_SUMMARIES = (
    "Rebuilt for {user}: chunks ({chunks:,}), vectors ({vectors:,}). Summaries need a model, so they stay as they are."
)
REBUILD_MODEL_AWAY = "The summaries aren't finished: {why} Run `keepsake rebuild` again to continue."
REBUILD_UNFINISHED = Plural(
    "{count} summary couldn't be made. Keepsake tries again while it runs.",
    "{count} summaries couldn't be made. Keepsake tries again while it runs.",
)

# --- keepsake import --------------------------------------------------------------------------------------------------

IMPORT_STAGES = {"read": "Reading", "write": "Importing"}
IMPORT_AS = "In this export you are {name} ({id}). If that's wrong, stop me and say who you are with --as."
IMPORT_SILENT = "Nobody writes as {id} in this export, so none of its messages are yours."
IMPORT_MESSAGES_DONE = (
    "Imported for {user}: conversations ({conversations:,}), new messages ({new:,}), already there ({known:,}), "
    "left out ({left:,}){why}."
)
IMPORT_LEFT = {
    "service": "service messages",
    "wordless": "no text",
    "hidden": "system and tool messages",
    "abandoned": "replaced by another version",
    "broadcast": "channel posts",
    "here": "said to this bot, which saved it at the time",
    "bot": "said to bots, possibly this one; set TELEGRAM_BOT_TOKEN so I can tell",
    "unreadable": "not readable",
    "too_long": "too long",
    "forgotten": "forgotten here",
}
IMPORT_CARDS = (
    "I'll ask you what to remember from it, a few questions at a time. Nothing is remembered without your OK."
)
IMPORT_NO_CARDS = (
    "I can look things up in it from now on. To find memories in it, I need a model and a mode other than manual."
)
IMPORT_DONE = Plural("Imported {count} memory for {user}.", "Imported {count} memories for {user}.")
IMPORT_REPEATED = "{path} was already imported for {user}. Nothing was written."
IMPORT_TOO_LARGE = "{path} has {size:,} bytes. A Keepsake export is read in one piece, which can have at most {most:,}."
IMPORT_FAILED = "This database didn't accept {path}, so nothing of it was imported. Was it edited, or imported before?"
IMPORT_NOT_READABLE = "{path} can't be read as an export ({why})."
IMPORT_NOT_JSON = "not JSON"

# --- keepsake keys ----------------------------------------------------------------------------------------------------

KEY_MADE = "This is key {id} ({scopes}). I can't show it again, so put it in a safe place."
KEY_WHOSE = {
    "owner": "It acts for {user}: within its scopes it can do what they can, and answer questions that wait for them.",
    "own agent": "It is for {user}'s agent {agent}: within its scopes it reads and suggests. Only {user} can accept.",
    "agent": "It is for the agent {agent}, and the API users it names. It can suggest memories, never accept them.",
    "tenant": "It is for a backend: any agent, and the API users it names. It can suggest memories, never accept them.",
}
KEY_NEW_TENANT = "The tenant {tenant} is new."
KEY_REVOKED = "Key {id} is revoked and no longer works."
KEY_SCOPES = "--scope takes read, write or admin, separated by commas."
KEYS_NONE = "There are no keys. Create one with `keepsake keys new`."
KEYS_COLUMNS = ("id", "name", "for", "agent", "scopes", "created (UTC)", "last used", "revoked")
KEYS_TENANT = "the tenant"
NO_SUCH_TENANT = "There is no tenant {tenant} here."

# --- keepsake stats ---------------------------------------------------------------------------------------------------

STATS_HEADING = Plural("The last {days} day, {whose}", "The last {days} days, {whose}", gap="days")
STATS_OF_ALL = "all users"
STATS_OF = "only {user}"
STATS_COLUMNS = ("model", "calls", "tokens in", "from cache", "share", "to cache", "tokens out", "per call", "cost")
STATS_TOTAL = "total"
STATS_UNKNOWN = shared.UNKNOWN
STATS_NOTHING = "No model was called."
STATS_UNPRICED = Plural(
    "{calls:,} call has no known cost. Set KEEPSAKE_PRICES for its model; that counts from then on.",
    "{calls:,} calls have no known cost. Set KEEPSAKE_PRICES for their models; that counts from then on.",
    gap="calls",
)
STATS_DAYS = "--days takes a whole number from 1 to 36500."
STATS_NOT_OF_ONE = (
    "Summaries are shown for all users. Leave out --user, or choose one conversation with --conversation."
)
CHAIN_COLUMNS = ("conversation", "start", "end", "messages", "base ends", "status", "attempts", "ms", "when (UTC)")
CHAIN_EMPTY = "There are no summaries."
CHAIN_STUCK = Plural(
    "Stuck: {id} in {conversation}, started {minutes} minute ago",
    "Stuck: {id} in {conversation}, started {minutes} minutes ago",
    gap="minutes",
)
CHAIN_WORK = "{work}: {completed} completed, {failed} given up, {stuck} stuck"
CHAIN_TIMES = "({average} ms on average, {most} ms at most)"
AUDIT_NONE = "No problems found."
AUDIT_DUPLICATES = "These say the same ({count}):"
AUDIT_ECHOES = "These repeat the assistant or a tool, not their owner ({count}):"
AUDIT_CONTRADICTIONS = "These may contradict each other ({count}):"
AUDIT_NEVER_RECALLED = "These weren't needed for a month or more ({count}):"

# --- keepsake doctor --------------------------------------------------------------------------------------------------

DOCTOR_NAMES = {
    "settings": "settings",
    "database": "database",
    "owner": "table owner",
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
DOCTOR_ENV_FILE = "from the environment and .env"
DOCTOR_NO_ENV_FILE = "from the environment (there is no .env)"
DOCTOR_EMBEDDED = "embedded, in {folder}"
DOCTOR_AS_ROOT = "you are root, so the server runs as an unprivileged user"
DOCTOR_OWN_DATABASE = "DATABASE_URL, {address}"
DOCTOR_OWNER_SET = "KEEPSAKE_OWNER_URL is set (only `keepsake migrate` uses it)"
DOCTOR_OWNER_NOT_SET = "KEEPSAKE_OWNER_URL is not set (only `keepsake migrate` needs it)"
DOCTOR_NOT_YET = "no database yet: the first start creates it"
DOCTOR_NOT_USABLE = "✗ this database can't be used"
DOCTOR_VERSIONS = "{postgresql}, pgvector {pgvector}, schema {revision}"
DOCTOR_ROLE = "{role}, which can't bypass row-level security"
DOCTOR_MODEL_AT = "{model} at {address}"
DOCTOR_NO_MODEL = "none: I answer offline, from memory and by rules"
DOCTOR_TOKENS = Plural(
    "{calls} call counted, not above its estimate", "{calls} calls counted, none above its estimate", gap="calls"
)
DOCTOR_TOO_FEW_TOKENS = "✗ {below} of {calls} calls took more tokens than estimated, up to {most:.2f} times as many"
DOCTOR_SET_MARGIN = "Set KEEPSAKE_TOKEN_MARGIN to {margin:.2f}: this model counts more tokens than I estimate."
DOCTOR_NO_EMBEDDER = "off: I find messages by their words only"
DOCTOR_BUNDLED = "{model}, on this machine"
DOCTOR_REMOTE = "{model}; messages are sent there, except sensitive ones"
DOCTOR_NOT_HERE = "✗ can't run on this machine: I find messages by their words only"
DOCTOR_EMBEDDER_AWAY = "✗ doesn't answer: I find messages by their words only"
DOCTOR_SPEED = "answers in about {took:.0f} ms"
DOCTOR_TOO_SLOW = "✗ answers in about {took:.0f} ms, but KEEPSAKE_RECALL_MS={recall} leaves it only {left:.0f} ms"
DOCTOR_SET_RECALL = "Set KEEPSAKE_RECALL_MS to {enough} or more. Until then, most searches use words only."
DOCTOR_VECTORS = "{embedded} of {chunks} chunks done; Keepsake makes the rest while it runs. Until then, {meanwhile}"
DOCTOR_BY_WORDS = "I find the rest by words"
DOCTOR_BY_FORMER = "I use those of {model}"
DOCTOR_SET_BEFORE = (
    "The vectors of {model} can't be used. To use them until the new ones are done, set "
    "KEEPSAKE_EMBEDDER_BEFORE to its server."
)
DOCTOR_INBOX = Plural(
    "{count} update is waiting to be answered, since {since} UTC",
    "{count} updates are waiting to be answered, the oldest since {since} UTC",
)
DOCTOR_PARKED = Plural(
    "✗ {count} update failed three times and was given up in the last few days",
    "✗ {count} updates failed three times and were given up in the last few days",
)
DOCTOR_UNREADABLE = Plural(
    "✗ {count} update couldn't be read and was skipped in the last few days",
    "✗ {count} updates couldn't be read and were skipped in the last few days",
)
DOCTOR_GIVEN_UP = "✗ given up: {count} ({reasons})"
DOCTOR_STUCK = "✗ started but not finished in time: {count}"
DOCTOR_REBUILD = "`keepsake rebuild` retries what was given up. What is stuck continues while Keepsake runs."
DOCTOR_TOKEN = "TELEGRAM_BOT_TOKEN is set; `make run` starts @{name}"  # noqa: S105
DOCTOR_TOKEN_FAILS = "✗ TELEGRAM_BOT_TOKEN is set, but no bot can run with it right now"  # noqa: S105
DOCTOR_NO_TOKEN = "TELEGRAM_BOT_TOKEN is not set, so you chat in the terminal"  # noqa: S105
DOCTOR_TELEGRAM_HOLDS = Plural(
    "{count} update is waiting at Telegram: the bot isn't running, or can't fetch it",
    "{count} updates are waiting at Telegram: the bot isn't running, or can't fetch them",
)
DOCTOR_DAEMON = "{where}; people reach it at {url}"
DOCTOR_DAEMON_RUNS = "it is running"
DOCTOR_DAEMON_SICK = "✗ it is running, but can't reach its database"
DOCTOR_DAEMON_FREE = "it isn't running: start `keepsake serve`, or `keepsake bot` with KEEPSAKE_SERVE=1"
DOCTOR_DAEMON_TAKEN = "✗ it can't listen there"
DOCTOR_SET_WEB_URL = "Set KEEPSAKE_WEB_URL to an https address, and Telegram can open the review page inside the app."
DOCTOR_SET_KEY = "Set {key}, and {vendor} will answer."
DOCTOR_READY = "Ready: `make run` starts it."
