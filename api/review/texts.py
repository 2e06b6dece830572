"""Every sentence that a person reads on the review page.

What stands in braces is filled in. Templates have all of this as `texts`; a sentence with a gap is shown with
`texts.NAME | fill_in(gap=value)`, which escapes the value and keeps it in its own direction of writing.
"""

from memory import Approval, Mode, ProposalKind, Scope
from memory import shared_texts as shared
from memory.facts.receipts import ReceiptKind
from memory.translation import Plural

# --- Every page -------------------------------------------------------------------------------------------------------

NAME = "Keepsake"
SKIP = "Skip to the content"
WHOSE_MEMORY = "{name}'s memory"
NAVIGATION = "Sections"
SECTIONS = {
    "waiting": "Questions",
    "remembered": "Memories",
    "timeline": "Timeline",
    "insights": "Insights",
    "replies": "Replies",
    "spaces": "Spaces",
    "settings": "Settings",
    "data": "Your data",
}
SIGN_OUT = "Sign out"
SIGN_OUT_HINT = "This page signs you out an hour after you opened it."
NEWS = "What just happened"
UNDO = shared.BUTTON_UNDO
CANCEL = "Cancel"
SURE = "Are you sure?"
PAGES = "Pages"
PAGE_OF = "Page {page} of {pages}"
PAGE_BEFORE = "Previous page"
PAGE_AFTER = "Next page"

RECEIPTS = {
    ReceiptKind.STORED: "Remembered: {content}",
    ReceiptKind.KNOWN: "I already knew that: {content}",
    ReceiptKind.CHANGED: "Changed: {content} (was: {before})",
    ReceiptKind.FORGOTTEN: "Deleted: {content}",
    ReceiptKind.RESTORED: "Remembered again: {content}",
    ReceiptKind.SHARED: "Shared: {content}",
    ReceiptKind.UNSHARED: "Private again: {content}",
}
# What a form can lead to besides a receipt, by the name that a flash message carries. {count} is the only gap.
NOTES: dict[str, str | Plural] = {}
# Those that tell that something was not done.
BAD_NEWS: set[str] = set()

CATEGORIES = shared.CATEGORIES
APPROVALS = {**shared.APPROVALS, Approval.COMMAND: "you did it yourself"}
YOU = shared.YOU
UNKNOWN = shared.UNKNOWN

# --- What goes wrong --------------------------------------------------------------------------------------------------

PROBLEM_TITLE = "That didn't work"
PROBLEM_BACK = "Back to your page"
PROBLEMS = {
    400: "Your browser sent something I can't read, so I changed nothing. Please go back and try again.",
    401: "This page is for one person only, and I don't know yet who you are.",
    403: "That form didn't come from your page, so I did nothing. Please open your page again and repeat it.",
    404: "There is no such page, or it's gone.",
    405: "There is no such page, or it's gone.",
    409: "My memory didn't accept that, so I changed nothing. Please try again.",
    413: "That was too long, so I changed nothing. Please try something shorter.",
    415: "Your browser sent something I can't read, so I changed nothing. Please go back and try again.",
    429: "That was a bit fast for me. Please try again in a moment.",
    500: "Something went wrong on my side. Please check whether it worked before you try again.",
    503: shared.MEMORY_AWAY,
}
PROBLEM_ELSE = "Something went wrong. Please try again."
HOW_TO_SIGN_IN = "Send me /memory web, and I'll send you a link. It works once, for ten minutes."

# --- Signing in and out -----------------------------------------------------------------------------------------------

SIGN_IN_TITLE = "Your memory, on one page"
SIGN_IN_ABOUT = "See what I remember, correct it, and answer my questions. This link works once, and only for you."
SIGN_IN_OTHER = (
    "{name}'s page is open in this browser, and this link opens someone else's page. Continue only if that's you."
)
SIGN_IN_BUTTON = "Open my page"
SIGN_IN_LINK_GONE = "This link doesn't work"
SIGN_IN_LINK_GONE_ABOUT = "It was used already, is too old, or is incomplete."
SIGNING_IN = "One moment, I'm opening your page …"
SIGN_IN_FAILED = "I couldn't open your page from here."
SIGN_IN_NEEDS_SCRIPT = "Inside Telegram, this page needs JavaScript."
SIGNED_OUT = "You're signed out. See you!"

# --- Questions --------------------------------------------------------------------------------------------------------

QUESTIONS_ABOUT = "Nothing changes until you say yes. If you say no, I won't ask again."
QUESTIONS_NONE = "No questions for you"
QUESTIONS_NONE_ABOUT = "When I'd like to remember something, I ask you here and in our chat."
QUESTIONS_YES_TO_ALL = "Yes to all ({count})"
QUESTIONS_NO_TO_ALL = "No to all ({count})"
QUESTIONS_YES_TO_ALL_SURE = "Say yes to everything on this page?"
QUESTIONS_NO_TO_ALL_SURE = "Say no to everything on this page?"
CARD_TITLES = {
    ProposalKind.ADD: "Should I remember this?",
    ProposalKind.UPDATE: "Should I change this?",
    ProposalKind.FORGET: "Should I forget this?",
}
CARD_ASKED = "Asked on {moment}, open until {day}"
CARD_ASKED_BY = shared.CARD_ASKED_BY
CARD_YES = shared.CARD_YES
CARD_NO = shared.BUTTON_NO
CARD_REWORD = "Reword"
CARD_REWORD_LABEL = "How should it read?"
CARD_REWORD_SAVE = "Save my words"
CARD_WORDS_TYPED = (
    "You typed your own words, so I haven't saved anything yet. Press “Save my words” to keep your version, or "
    "open this page again to see my suggestion."
)
CARD_SEALED = "This is encrypted, and its key is missing."
WORDS_HINT = "5 to 500 characters."
DIFF = "What changes"
DIFF_REMOVED = "removed:"
DIFF_ADDED = "added:"
NOTES |= {
    "rejected_add": shared.CARD_REJECTED[ProposalKind.ADD],
    "rejected_update": shared.CARD_REJECTED[ProposalKind.UPDATE],
    "rejected_forget": shared.CARD_REJECTED[ProposalKind.FORGET],
    "cards_rejected": Plural("OK, that's a no to {count} question.", "OK, that's a no to {count} questions."),
    "card_gone": "That question is no longer open. It was answered or changed elsewhere, or it expired.",
    "cards_gone": Plural(
        "{count} question is no longer open. It was answered or changed elsewhere, or it expired.",
        "{count} questions are no longer open. They were answered or changed elsewhere, or they expired.",
    ),
    "cards_left": Plural(
        "{count} question is still open: I couldn't do that one. Answer it by itself, and I'll tell you why.",
        "{count} questions are still open: I couldn't do those. Answer them one by one, and I'll tell you why.",
    ),
}
BAD_NEWS |= {"card_gone", "cards_gone", "cards_left"}

# --- Where a memory or a question came from ---------------------------------------------------------------------------

SOURCE_YOU = "You, {moment}"
SOURCE_REPORTED = "You, reported by an agent, {moment}"
SOURCE_OTHER = "{speaker}, {moment}"
SOURCE_FORGOTTEN = "This message has been forgotten."
SOURCE_SEALED = "This message is encrypted, and its key is missing."

# --- Memories: the list -----------------------------------------------------------------------------------------------

MEMORIES_ABOUT = "Everything I know about you. Open a memory to see where it came from, or to change it."
MEMORIES_ABOUT_SPACE = "What the members of “{space}” share here. You can change your own."
MEMORIES_ABOUT_DELETED = (
    "You can bring these back for a while. After that they are gone for good, also from the messages they came from."
)
MEMORIES_NONE = "I don't remember anything about you yet"
MEMORIES_NONE_ABOUT = "Say “remember that …” in our chat and I will, or answer one of my questions."
MEMORIES_NONE_IN_SPACE = "Nobody has shared anything here yet"
MEMORIES_NONE_IN_SPACE_ABOUT = "Share one of your memories, and everyone in this space can see it."
MEMORIES_NONE_DELETED = "Nothing is deleted."
MEMORIES_SEARCH = "Search"
MEMORIES_SEARCH_LABEL = "Search your memories"
MEMORIES_FOUND = Plural("{count} memory found for “{words}”", "{count} memories found for “{words}”")
MEMORIES_FOUND_NOTHING = shared.SEARCH_NOTHING
MEMORIES_FIRST = "Only the first {count} are shown."
MEMORIES_SHOW_ALL = "Show everything"
MEMORIES_FILTER_NOTHING = "Nothing on this page has those words. Press Search to look through everything."
MEMORIES_WHOSE = "Whose memories"
MEMORIES_MINE = "Mine"
MEMORIES_DELETED = "Deleted memories"
MEMORIES_CATEGORY = "Category"
MEMORIES_ALL = "All"
MEMORIES_ABOUT_ONE = "Only about {subject}"
MEMORIES_ABOUT_NOBODY = "About nobody in particular"

# --- One memory: in the list and on its own page ----------------------------------------------------------------------

FACT_TITLE = "What I remember"
FACT_BACK = "All memories"
FACT_SINCE = "since {day}"
FACT_ABOUT = shared.ABOUT_SUBJECT
FACT_SENSITIVE = shared.SENSITIVE
FACT_SENSITIVE_ABOUT = "Encrypted with your own key."
FACT_SHARED_IN = "shared in {space}"
FACT_SHARED_BY = "shared by {owner}"
FACT_DELETED = shared.DELETED
FACT_DELETED_ABOUT = "You deleted this. You can bring it back for a while, then it's gone for good."
FACT_CHANGE = "Change"
FACT_EDIT = shared.BUTTON_EDIT
FACT_EDIT_LABEL = "How should it read?"
FACT_SAVE = "Save"
FACT_DELETE = shared.BUTTON_DELETE
FACT_DELETE_SURE = "Delete this? You can bring it back for a while."
FACT_SHARE = shared.BUTTON_SHARE
FACT_SHARE_LABEL = "Share with the members of"
FACT_SHARE_HINT = "They see it from now on, but not what it said before."
FACT_SHARE_SURE = "Show this to everyone in that space?"
FACT_UNSHARE = shared.BUTTON_UNSHARE
FACT_RESTORE = "Bring back"
FACT_EDIT_KNOWN = "I already remember that, so I changed nothing: {content}"
FACT_CHANGED_MEANWHILE = "This was changed somewhere else in the meantime, so I did nothing. Here is how it reads now."
NOTES |= {
    "undo_gone": "That can't be undone any more: it was changed again, or undone elsewhere.",
}
BAD_NEWS |= {"undo_gone"}

# --- One memory: its history ------------------------------------------------------------------------------------------

HISTORY = shared.BUTTON_HISTORY
HISTORY_MORE = Plural("Show {count} earlier version", "Show {count} earlier versions")
HISTORY_VERSION = "Version {version}"
HISTORY_PROPOSED_BY = "suggested by {author}"
HISTORY_AUTHORS = {"assistant": shared.ASSISTANT, "keepsake": "the program"}
HISTORY_UNDID = "undid version {version}"
HISTORY_RESTORE = "Use these words again"
HISTORY_CHANGES = {
    ReceiptKind.STORED: "Remembered",
    ReceiptKind.KNOWN: "Already known",
    ReceiptKind.CHANGED: "Changed",
    ReceiptKind.FORGOTTEN: "Deleted",
    ReceiptKind.RESTORED: "Brought back",
    ReceiptKind.SHARED: "Shared with others",
    ReceiptKind.UNSHARED: "Made private",
}

# --- Timeline ---------------------------------------------------------------------------------------------------------

TIMELINE_ABOUT = "Choose a day to see what I knew at the end of it, and what had changed that day."
TIMELINE_DAY = "Day"
TIMELINE_SHOW = "Show"
TIMELINE_YESTERDAY = "Day before"
TIMELINE_TOMORROW = "Day after"
TIMELINE_TODAY = "Today"
TIMELINE_EARLIER_CHANGE = "Previous change: {day}"
TIMELINE_LATER_CHANGE = "Next change: {day}"
TIMELINE_JUMPS = "Other days"
TIMELINE_NOT_A_DAY = "I can't read that as a day. Please write it like {example}."
TIMELINE_FUTURE = "{day} is still to come, so I can't know what I'll remember then."
TIMELINE_NOTHING = "I didn't know anything yet"
TIMELINE_NOTHING_ABOUT = "At the end of {day} I remembered nothing about you."
TIMELINE_CALENDAR = "Days with changes in {month}"
TIMELINE_MONTH_BEFORE = "Previous month"
TIMELINE_MONTH_AFTER = "Next month"
TIMELINE_CELL = "{day}: {new} new, {changed} changed, {gone} gone"
TIMELINE_CHANGES = "What changed that day"
TIMELINE_MORE = Plural(
    "{count} more change that day. What is new or changed is marked below.",
    "{count} more changes that day. What is new or changed is marked below.",
)
TIMELINE_NO_CHANGES = "Nothing changed that day."
TIMELINE_KNOWN = "What I knew at the end of the day"
TIMELINE_NEW = "New"
TIMELINE_CHANGED = "Changed"
TIMELINE_GONE = "Gone"
TIMELINE_GONE_ABOUT = "I knew these the day before. What you asked me to forget for good isn't shown on any day."
TIMELINE_SHARED = "Shared"
TIMELINE_FIGURES = {"known": "known", "new": "new", "changed": "changed", "gone": "gone"}

# --- Insights ---------------------------------------------------------------------------------------------------------

INSIGHTS_ABOUT = "Your memory in numbers. Days are counted in your time zone ({timezone})."
INSIGHTS_FIGURES = {
    "facts": "memories",
    "recalled": "uses in replies",
    "cost": "spent in the last {days} days",
    "cache": "of tokens from the cache",
}
INSIGHTS_NUMBERS = "The numbers"
INSIGHTS_COLUMNS = {
    "day": "Day",
    "known": "Known",
    "new": "New",
    "changed": "Changed",
    "gone": "Gone",
    "category": "Category",
    "facts": "Memories",
    "model": "Model",
    "calls": "Calls",
    "sent": "Tokens in",
    "answered": "Tokens out",
    "cache": "From cache",
    "cost": "Cost",
}

OVER_TIME = "Memories over time"
OVER_TIME_SUMMARY = "From {first} on {since} to {last} on {until}, with a peak of {most}."
OVER_TIME_EMPTY = "I don't remember anything about you yet. Tell me something, and this starts to grow."

BY_CATEGORY = "Memories by category"
BY_CATEGORY_SUMMARY = "The largest category is {name}: {count} of {total}."
BY_CATEGORY_EMPTY = "Nothing to count yet."

RECALLED = "Most used memories"
RECALLED_ABOUT = "What I used most often in my replies."
RECALLED_TIMES = Plural("used {count} time", "used {count} times")
RECALLED_LAST = "last on {day}"
RECALLED_EMPTY = "I haven't used a memory in a reply yet."

COSTS = "Cost of the last {days} days"
COSTS_SUMMARY = "{total} in all; the most expensive day was {day} with {most}."
COSTS_SUMMARY_NOTHING = "Nothing with a known price."
COSTS_EMPTY = "No model was used in the last {days} days, so nothing was spent."
COSTS_UNPRICED = Plural(
    "I don't know the price of {count} call. It isn't included here; a ring marks its day.",
    "I don't know the price of {count} calls. They aren't included here; a ring marks their days.",
)
COSTS_PARTLY = Plural("{cost} and {count} call without a known price", "{cost} and {count} calls without a known price")
COSTS_OTHERS = "other models"
COSTS_BY_MODEL = "By model"
COSTS_BY_DAY = "By day and model"

CACHE = "Share of tokens from the cache"
CACHE_ABOUT = "Reading from the cache costs a tenth of the price, so more is better."
CACHE_SUMMARY = "{share} of all tokens sent came from the cache."
CACHE_EMPTY = "No tokens were sent yet."

# --- Replies ----------------------------------------------------------------------------------------------------------

REPLIES_ABOUT = "My latest replies to you, and what each of them was based on."
REPLIES_ASKED = "You asked"
REPLIES_ANSWERED = "I replied"
REPLIES_ANSWERED_BY = "{agent} replied"
REPLIES_WHY = "Why"
REPLIES_FACTS = shared.REPLY_FACTS
REPLIES_MESSAGES = shared.REPLY_MESSAGES
REPLIES_MORE_FACTS = shared.REPLY_MORE_FACTS
REPLIES_ONLY_CONVERSATION = "No memories, only that conversation."
REPLIES_UNKNOWN = "I no longer know what this reply was based on."
REPLIES_SHOW_ALL = "Show all of it"
REPLIES_FORGOTTEN = "You asked me to forget this."
REPLIES_ME = shared.ME
REPLIES_NONE = "No replies yet"
REPLIES_NONE_ABOUT = "When I reply to you, you can see here what my reply was based on."
REPLIES_OLDER = "Older replies"
REPLIES_NEWEST = "Newest replies"

# --- Spaces -----------------------------------------------------------------------------------------------------------

SPACES_ABOUT = (
    "A space is a memory you share with other people. They see what you share in it, and nothing else of yours."
)
SPACES_NONE = "You aren't in a shared space yet"
SPACES_NONE_ABOUT = "Create one and invite someone, or join one with a code you were given."
SPACES_MEMBERS = Plural("{count} member", "{count} members")
SPACES_FACTS = Plural("{count} shared memory", "{count} shared memories")
SPACES_ROLES = shared.ROLES
SPACES_GROUP = "group chat"
SPACES_CREATE = "Create a space"
SPACES_NAME = "Name of the space"
SPACES_NAME_HINT = "Everyone who joins can see it. At most {most} characters."
SPACES_CREATE_BUTTON = "Create"
SPACES_JOIN = "Join a space"
SPACES_CODE = "Invitation code"
SPACES_JOIN_BUTTON = "Join"

# --- One space --------------------------------------------------------------------------------------------------------

SPACE_BACK = "All spaces"
SPACE_IS_GROUP = "This is a group chat: everyone in the group is a member, and its admins are the owners."
SPACE_MEMBERS = "Members"
SPACE_MEMBER_SINCE = "since {day}"
SPACE_FACTS = "Shared here"
SPACE_FACTS_NONE = "Nothing is shared here yet. Open one of your memories to share it."
SPACE_FACTS_ALL = Plural("Show {count} shared memory", "Show all {count} shared memories")
SPACE_FACT_OWNER = "from {owner}"
SPACE_INVITE = "Invite someone"
SPACE_INVITE_ABOUT = "You get a code for one person. It works once, and I can show it only once."
SPACE_INVITE_BUTTON = "Get a code"
SPACE_INVITED = "Give this code to one person"
SPACE_INVITED_ABOUT = "It works once, until {day}. I can't show it again, but you can get another one."
SPACE_INVITED_HOW = "They enter it on their page under “Join a space”, or send me /space join and the code."
SPACE_MAKE_OWNER = "Make owner"
SPACE_MAKE_OWNER_NAMED = "Make {member} an owner"
SPACE_REMOVE = "Remove"
SPACE_REMOVE_NAMED = "Remove {member}"
SPACE_REMOVE_ABOUT = "What {member} shared here becomes private again."
SPACE_LEAVE = "Leave this space"
SPACE_LEAVE_ABOUT = "What you shared here becomes private again. To come back, you need a new invitation."
SPACE_LEAVE_BUTTON = "Yes, leave"
NOTES |= {
    "space_founded": "I created the space, and you own it. Now invite someone.",
    "space_joined": "You're in. You can see what the members share here.",
    "space_left": shared.SPACE_LEFT,
    "member_removed": "I removed that member.",
    "member_owns": "That member is an owner now, just like you.",
}

# --- Settings ---------------------------------------------------------------------------------------------------------

SETTINGS_ABOUT = "How I remember, your time zone and language, and who has access to your memory."
SETTINGS_SAVE = "Save"

SETTINGS_MODE = "How I remember"
SETTINGS_MODES = {
    Mode.CONFIRM: ("Ask me first", "I remember what you ask me to. Before I remember anything else, I ask you."),
    Mode.AUTO: (
        "Remember automatically",
        "I remember what you tell me about yourself, and show you what I remembered.",
    ),
    Mode.MANUAL: ("Only when I say so", "I only remember what you ask me to, and never ask you."),
}
SETTINGS_NEVER = "Never remember"
SETTINGS_NEVER_ABOUT = "I remember nothing new in these categories. What I remember already stays until you delete it."

SETTINGS_REMINDERS = "Reminders"
SETTINGS_REMINDERS_OPTION = "Remind me of my important dates, on the morning of the day"

SETTINGS_PLACE = "Time and language"
SETTINGS_TIMEZONE = "Time zone"
SETTINGS_TIMEZONE_HINT = "For example Europe/Berlin or America/Sao_Paulo."
SETTINGS_TIMEZONE_WRONG = "I don't know that time zone. Please choose one from the list, such as Europe/Berlin."
SETTINGS_LANGUAGE = "Language"
SETTINGS_LANGUAGE_HINT = "For messages I send on my own, such as reminders. In a chat I answer in the language you use."

SETTINGS_SESSIONS = "Where you're signed in"
SETTINGS_SESSIONS_ABOUT = "The places where your page is open. Each one signs you out after an hour."
SETTINGS_SESSION = "Opened {moment}, ends {until}"
SETTINGS_SESSION_HERE = "this one"
SETTINGS_SESSIONS_END = "Sign out everywhere"
SETTINGS_SESSIONS_END_ABOUT = "Links you haven't opened yet stop working too."

SETTINGS_KEYS = "API keys"
SETTINGS_KEYS_ABOUT = "Programs with one of these keys can read or change your memory. Create keys on the command line."
SETTINGS_KEYS_NONE = "You have no keys."
SETTINGS_KEY_UNNAMED = "unnamed"
SETTINGS_KEY_OWNER = "acts for you, and can answer questions"
SETTINGS_KEY_AGENT = "agent {agent}, can only suggest"
SETTINGS_KEY_CREATED = "created {day}"
SETTINGS_KEY_USED = "last used {moment}"
SETTINGS_KEY_UNUSED = "never used"
SETTINGS_KEY_SCOPES = {Scope.READ: "read", Scope.WRITE: "write", Scope.ADMIN: "admin"}
SETTINGS_KEY_REVOKE = "Revoke"
SETTINGS_KEY_REVOKE_NAMED = "Revoke the key {name}"
SETTINGS_KEY_SURE = "Programs that use this key lose access at once. You can't bring it back."
NOTES |= {
    "mode_chosen": "Saved. That's how I remember from now on.",
    "never_chosen": "Saved. I remember nothing new in these categories.",
    "reminders_on": "I'll remind you of your important dates.",
    "reminders_off": "I won't remind you any more.",
    "place_chosen": "Saved. I use this time zone and language from now on.",
    "key_revoked": "The key is revoked and no longer works.",
    "key_gone": "There is no such key, or it is revoked already.",
}
BAD_NEWS |= {"key_gone"}

# --- Your data --------------------------------------------------------------------------------------------------------

DATA_ABOUT = "Your data belongs to you: take it with you, ask me to forget part of it, or erase all of it."

DATA_EXPORT = "Take it with you"
DATA_EXPORT_ABOUT = (
    "Everything in one file: memories with their history, messages and settings. What is encrypted here is readable in "
    "that file, so keep it safe."
)
DATA_JSON = "Download for programs (JSON)"
DATA_MARKDOWN = "Download to read (Markdown)"

DATA_FORGET = "Make me forget something"
DATA_FORGET_ABOUT = "It will be gone for good, also from the messages it came from. I'll show you first what would go."
DATA_SUBJECT = "About someone or something"
DATA_SUBJECT_HINT = "A name I remember things under, such as Alec."
DATA_TOPIC = "A topic of our conversations"
DATA_TOPICS_NONE = "There are no topics yet."
DATA_ATTRIBUTE = "A part of your profile"
DATA_SPAN = "A period of time"
DATA_SINCE = "From"
DATA_UNTIL = "To (including that day)"
DATA_SPAN_HINT = "Messages from those days, and what I remembered, asked and noted then."
DATA_SUMMARIES = "My summaries of our conversations"
DATA_SUMMARIES_HINT = "The messages themselves stay."
DATA_SHOW = "Show what would go"
DATA_CHOOSE = "Choose …"
DATA_WRONG = {
    "subject": "Please enter a name.",
    "topic": "Please choose a topic.",
    "attribute": "Please choose a part of your profile.",
    "span": "Please enter two days, the earlier one first.",
    "": "I didn't understand what to forget.",
}
ATTRIBUTES = shared.ATTRIBUTES

# --- Your data: what would be forgotten -------------------------------------------------------------------------------

FORGET_TITLE = "Should I forget this?"
FORGET_ABOUT = "It will be gone for good, and nobody can bring it back."
FORGET_WISHES = {
    "subject": "Everything I remember under the name {words}",
    "topic": "The topic {words}, and what I remember under that name",
    "attribute": "This part of your profile: {words}",
    "span": "Everything from {since} to {until}",
    "summaries": "All summaries of our conversations",
}
FORGET_FACTS = Plural("{count} memory will go:", "{count} memories will go:")
FORGET_FACTS_MORE = "and {count} more"
FORGET_MESSAGES = Plural("{count} message will be removed.", "{count} messages will be removed.")
FORGET_TOPICS = "These topics will go: {words}"
FORGET_SUMMARIES = Plural(
    "{count} summary of our conversations will go.", "{count} summaries of our conversations will go."
)
FORGET_CARDS = Plural(
    "{count} question of mine will go, answered or not.", "{count} questions of mine will go, answered or not."
)
FORGET_ENTRIES = Plural("{count} working note of mine will go.", "{count} working notes of mine will go.")
FORGET_TRACES = (
    "The same words also go from the messages they came from, and from summaries and questions that repeat them."
)
FORGET_NOTHING = "I can't find anything like that. You can go on, but nothing will happen."
FORGET_YES = "Yes, forget this"
NOTES |= {
    "forgot_facts": Plural("I forgot {count} memory for good.", "I forgot {count} memories for good."),
    "forgot_messages": Plural("I removed {count} message.", "I removed {count} messages."),
    "forgot_topics": Plural("I forgot {count} topic.", "I forgot {count} topics."),
    "forgot_summaries": Plural("I removed {count} summary.", "I removed {count} summaries."),
    "forgot_cards": Plural("I removed {count} question of mine.", "I removed {count} questions of mine."),
    "forgot_entries": Plural("I removed {count} working note of mine.", "I removed {count} working notes of mine."),
    "forgot_nothing": shared.FORGOTTEN_NOTHING,
}

# --- Your data: erasing everything ------------------------------------------------------------------------------------

ERASE = "Erase everything"
ERASE_ABOUT = "All your memories, messages, settings and keys, for good. I ask twice."
ERASE_OPEN = "Erase everything …"
ERASE_FIRST = "Erase everything?"
ERASE_FIRST_ABOUT = "This removes every trace of you here, at once. Nobody can bring it back:"
ERASE_PARTS = (
    "every memory with its history, and every question of mine",
    "every message, summary, task, decision and file of yours",
    "your settings, keys and open pages; you leave all spaces",
)
ERASE_GO_ON = "Continue"
ERASE_LAST = "One last question"
ERASE_LAST_ABOUT = "If you're sure, type the word {word} here."
ERASE_WORD = "erase"
ERASE_FIELD = "The word"
ERASE_WRONG = "That wasn't the word, so I erased nothing."
ERASE_BUTTON = "Erase everything for good"
ERASED = shared.ERASED
ERASED_ABOUT = "Thank you for the time together. If you write to me again, we start over as strangers."
