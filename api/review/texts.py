"""Every sentence that a person reads on the review page.

What stands in braces is filled in. Templates have all of this as `texts`; a sentence with a gap is shown with
`texts.NAME | filled(gap=value)`, which escapes the value and keeps it in its own direction of writing.
"""

from memory import Approval, Attribute, Mode, ProposalKind, Scope
from memory import shared_texts as shared
from memory.facts.receipts import ReceiptKind

# --- Every page -------------------------------------------------------------------------------------------------------

NAME = "Keepsake"
SKIP = "Skip to the content"
WHOSE_MEMORY = "Memory of {name}"
NAVIGATION = "Sections"
SECTIONS = {
    "waiting": "Waiting",
    "remembered": "Remembered",
    "timeline": "Timeline",
    "insights": "Insights",
    "replies": "Replies",
    "spaces": "Spaces",
    "settings": "Settings",
    "data": "Your data",
}
LEAVE = "Leave"
LEAVE_HINT = "This page closes by itself an hour after you opened it."
NEWS = "What was done"
UNDO = "Undo"
CANCEL = "Cancel"
SURE = "Are you sure?"
PAGE_OF = "Page {page} of {pages}"
PAGE_BEFORE = "Earlier page"
PAGE_AFTER = "Next page"
PAGES = "Pages"

RECEIPTS = {
    ReceiptKind.STORED: "Remembered: {content}",
    ReceiptKind.KNOWN: "I knew that already: {content}",
    ReceiptKind.CHANGED: "Changed: {content} (before: {before})",
    ReceiptKind.FORGOTTEN: "Deleted: {content}",
    ReceiptKind.RESTORED: "Remembered again: {content}",
    ReceiptKind.SHARED: "Shared: {content}",
    ReceiptKind.UNSHARED: "Private again: {content}",
}
# What a form can lead to besides a receipt, by the name that `News` carries. {id} is the only gap.
NOTES: dict[str, str] = {}
# Those that tell that something was not done.
BAD_NEWS: set[str] = set()

CATEGORIES = shared.CATEGORIES
APPROVALS = {**shared.APPROVALS, Approval.COMMAND: "you did it yourself"}

# --- What goes wrong --------------------------------------------------------------------------------------------------

PROBLEM_TITLE = "That did not work"
PROBLEM_BACK = "To your page"
PROBLEMS = {
    400: "Your browser sent something that I cannot read. Nothing was changed.",
    401: "This page is yours alone, and I don't know who you are yet.",
    403: "That form did not come from your page, so I did nothing. Please open the page again and repeat it.",
    404: "There is no such page, or it is not there any more.",
    405: "There is no such page, or it is not there any more.",
    409: "My memory did not take that, so nothing was changed. Please try again.",
    413: "That was too long. Nothing was changed.",
    415: "Your browser sent something that I cannot read. Nothing was changed.",
    429: "That was a little fast. Please try again in a moment.",
    500: "Something went wrong on my side. Please look whether it was done before you try again.",
    503: shared.MEMORY_AWAY,
}
PROBLEM_ELSE = "Something went wrong. Please try again."
HOW_TO_ENTER = "Write /memory web to me, and I send you a link. It works once, for ten minutes."

# --- The way in and out -----------------------------------------------------------------------------------------------

OPEN_TITLE = "Your memory, on one page"
OPEN_ABOUT = (
    "See what I remember, correct it, and answer what waits for your word. This link opens once, for you alone."
)
OPEN_OTHER = (
    "The page of {name} is open in this browser, and this link is not theirs: it opens the page of somebody else. "
    "Go on only if that is you."
)
OPEN_BUTTON = "Open my page"
LINK_GONE = "This link opens nothing"
LINK_GONE_ABOUT = "It was used already, is too old, or is not whole."
LEFT = "You have left. See you!"
ENTERING = "One moment, I am opening your page …"
NOT_ENTERED = "I could not open your page from here."
NEEDS_SCRIPT = "Inside Telegram this page needs JavaScript."

# --- Waiting ----------------------------------------------------------------------------------------------------------

WAITING_LEAD = "I remember nothing of this until you say so. What you turn down I do not ask again."
WAITING_NONE = "Nothing waits for you"
WAITING_NONE_ABOUT = "When I would like to remember something by myself, I ask you here and in our chat."
ASKS = {
    ProposalKind.ADD: "Shall I remember this?",
    ProposalKind.UPDATE: "Shall I change this?",
    ProposalKind.FORGET: "Shall I forget this?",
}
ASKED = "Asked on {moment}, waits until {day}"
ASKED_ABOUT = "about {subject}"
ASKED_BY = "the agent {agent} asks"
YES = {ProposalKind.ADD: "Remember", ProposalKind.UPDATE: "Change", ProposalKind.FORGET: "Forget"}
NO = "No"
OWN_WORDS = "Reword"
OWN_WORDS_LABEL = "How should it read?"
OWN_WORDS_KEEP = "Keep my words"
WORDS_TYPED = (
    "You wrote other words than mine, so I kept neither yet. Press “Keep my words” to keep yours, or open this page "
    "anew to take mine."
)
WORDS_HINT = "5 to 500 characters."
ACCEPT_ALL = "Yes to all ({count})"
REJECT_ALL = "No to all ({count})"
ACCEPT_ALL_SURE = "Say yes to everything on this page?"
REJECT_ALL_SURE = "Say no to everything on this page?"
CARD_SEALED = "These words are encrypted, and their key is missing."
WORDS_GONE = "taken out:"
WORDS_COME = "put in:"
CHANGE = "What changes"
NOTES |= {
    "card_rejected": shared.CARD_REJECTED,
    "cards_rejected": "All right, I will not. Questions answered with no: {id}.",
    "card_gone": "That question is no longer open: it was answered, changed or ran out elsewhere meanwhile.",
    "cards_gone": "Questions that were answered, changed or ran out elsewhere meanwhile: {id}.",
    "cards_left": "Questions that could not be answered like this: {id}. They still wait; one by one I can say why.",
}
BAD_NEWS |= {"card_gone", "cards_gone", "cards_left"}

SOURCE_YOU = "You, {moment}"
SOURCE_REPORTED = "You, as an agent reported it, {moment}"
SOURCE_OTHER = "{speaker}, {moment}"
SOURCE_FORGOTTEN = "The words of this message were forgotten since."
SOURCE_SEALED = "This message is encrypted, and its key is missing."
SENSITIVE = "sensitive"
SENSITIVE_ABOUT = "Kept encrypted with your own key."

# --- Remembered -------------------------------------------------------------------------------------------------------

REMEMBERED_LEAD = "Everything I know about you. Open a line to see where it came from, or to change it."
REMEMBERED_SPACE_LEAD = "What the members of “{space}” share here. You can change what is yours."
REMEMBERED_NONE = "I remember nothing about you yet"
REMEMBERED_NONE_ABOUT = "Say “remember that …” in our chat and I will, or answer what waits for your word."
REMEMBERED_NONE_HERE = "Nobody shares anything here yet"
REMEMBERED_NONE_HERE_ABOUT = "Share something of yours, and everybody in this space sees it."
SEARCH = "Search"
SEARCH_LABEL = "Search what I remember"
SEARCH_FOUND = "Found for “{words}”: {count}"
SEARCH_NOTHING = "I remember nothing with these words."
LISTED_FIRST = "Only the first {count} are shown."
SEARCH_END = "Show everything"
FILTER_NOTHING = "Nothing on this page has these words. Press Search to look through everything."
WHOSE = "Whose"
MINE = "Mine"
CATEGORY_CHOICE = "Category"
ALL = "All"
DELETED_SHELF = "Deleted"
DELETED_LEAD = (
    "You can bring these back for a while. Then they are gone for good, also from the messages they came from."
)
DELETED_NONE = "Nothing is deleted."
ABOUT_ONE = "Only about {subject}"
ABOUT_NOBODY = "Without a subject"
SHARED_IN = "shared in {space}"
SHARED_BY = "shared by {owner}"
DELETED = "deleted"
CHANGE_FACT = "Change"
EDIT = "Edit"
EDIT_LABEL = "How should it read?"
SAVE = "Save"
DELETE = "Delete"
DELETE_SURE = "Delete this? You can take it back for a while."
SHARE = "Share"
SHARE_LABEL = "Share with the members of"
SHARE_HINT = "They see it from now on, not what it said before."
SHARE_SURE = "Show this to everybody in that space?"
UNSHARE = "Make private"
RESTORE = "Bring back"
NOTES |= {
    "undo_gone": "That can no longer be undone: it was changed again, or undone elsewhere meanwhile.",
}
BAD_NEWS |= {"undo_gone"}
EDIT_KNOWN = "Nothing was changed: I remember that already: {content}"
CHANGED_MEANWHILE = "It was changed elsewhere meanwhile, so I did nothing. This is how it reads now."

# --- One fact ---------------------------------------------------------------------------------------------------------

FACT_TITLE = "What I remember"
FACT_BACK = "All that is remembered"
FACT_SINCE = "since {day}"
FACT_ABOUT = "about {subject}"
FACT_DELETED = "You deleted this. You can bring it back for a while, then it is gone for good."
HISTORY = "History"
HISTORY_MORE = "Show the earlier versions ({count})"
VERSION = "Version {version}"
PROPOSED_BY = "proposed by {author}"
AUTHORS = {"assistant": "the assistant", "keepsake": "the program"}
RESTORE_VERSION = "Use these words again"
CHANGES = {
    ReceiptKind.STORED: "Remembered",
    ReceiptKind.KNOWN: "Known",
    ReceiptKind.CHANGED: "Changed",
    ReceiptKind.FORGOTTEN: "Deleted",
    ReceiptKind.RESTORED: "Brought back",
    ReceiptKind.SHARED: "Shared",
    ReceiptKind.UNSHARED: "Made private",
}
UNDID = "took version {version} back"

# --- Timeline ---------------------------------------------------------------------------------------------------------

TIMELINE_ABOUT = "Choose a day and see what I knew when it ended, and what that day had changed."
TIMELINE_DAY = "Day"
TIMELINE_SHOW = "Show"
TIMELINE_YESTERDAY = "Day before"
TIMELINE_TOMORROW = "Day after"
TIMELINE_TODAY = "Today"
TIMELINE_EARLIER_CHANGE = "Change before: {day}"
TIMELINE_LATER_CHANGE = "Next change: {day}"
TIMELINE_JUMPS = "Other days"
TIMELINE_NOT_A_DAY = "That is no day that I can read. Please write it like {example}."
TIMELINE_FUTURE = "{day} has not come yet. Nobody knows what I will know then."
TIMELINE_NOTHING = "Nothing was known yet"
TIMELINE_NOTHING_ABOUT = "At the end of {day} I remembered nothing about you."
TIMELINE_CALENDAR = "Days with changes in {month}"
TIMELINE_MONTH_BEFORE = "Month before"
TIMELINE_MONTH_AFTER = "Month after"
TIMELINE_CELL = "{day}: new {new}, changed {changed}, gone {gone}"
TIMELINE_CHANGES = "What this day changed"
TIMELINE_MORE = "Further changes of this day: {count}. What is new or changed is marked below."
TIMELINE_NO_CHANGES = "Nothing changed on this day."
TIMELINE_KNOWN = "What I knew at the end of it"
TIMELINE_NEW = "New"
TIMELINE_CHANGED = "Changed"
TIMELINE_GONE = "Gone"
TIMELINE_GONE_ABOUT = "I knew this the day before. What was forgotten for good is not shown on any day."
TIMELINE_FIGURES = {"known": "known", "new": "new", "changed": "changed", "gone": "gone"}
SHARED = "Shared"

# --- Insights ---------------------------------------------------------------------------------------------------------

INSIGHTS_ABOUT = "Your memory in numbers. Days are counted as they are where you live ({timezone})."
INSIGHTS_FIGURES = {
    "facts": "facts remembered",
    "recalled": "times recalled",
    "cost": "spent in the last {days} days",
    "cache": "of tokens from the cache",
}
NOT_KNOWN = "unknown"
NUMBERS = "The numbers"
OVER_TIME = "Facts over time"
OVER_TIME_SUMMARY = "From {first} on {since} to {last} on {until}; the most were {most}."
OVER_TIME_EMPTY = "I remember nothing about you yet. Tell me something, and this begins to grow."
BY_CATEGORY = "Facts by category"
BY_CATEGORY_SUMMARY = "Most are about {name}: {count} of {total}."
BY_CATEGORY_EMPTY = "Nothing to count yet."
RECALLED = "Recalled most"
RECALLED_ABOUT = "What my replies rested on most often."
RECALLED_TIMES = "Recalled: {count}"
RECALLED_LAST = "last on {day}"
RECALLED_EMPTY = "No reply has rested on a fact yet."
COSTS = "What the last {days} days cost"
COSTS_SUMMARY = "{total} in all; the dearest day was {day} with {most}."
COSTS_SUMMARY_NOTHING = "Nothing with a known price."
COSTS_EMPTY = "No model was asked in the last {days} days, so nothing was spent."
COSTS_UNPRICED = "Calls whose price I don't know: {count}. They are not in these sums; a ring marks their days."
COSTS_OTHERS = "other models"
COSTS_MODELS = "By model"
COSTS_DAYS = "By day and model"
CACHE = "Share of tokens from the cache"
CACHE_ABOUT = "What a model reads again from its cache costs a tenth. The more of it, the better."
CACHE_SUMMARY = "{share} of all tokens that were sent came from the cache."
CACHE_EMPTY = "No tokens were sent yet."
COLUMNS = {
    "day": "Day",
    "known": "Known",
    "new": "New",
    "changed": "Changed",
    "gone": "Gone",
    "category": "Category",
    "facts": "Facts",
    "model": "Model",
    "calls": "Calls",
    "sent": "Tokens in",
    "answered": "Tokens out",
    "cache": "From cache",
    "cost": "Cost",
}
PARTLY = "{cost} and what {count} calls of unknown price cost"

# --- Replies ----------------------------------------------------------------------------------------------------------

REPLIES_ABOUT = "My last replies to you, and what each of them rested on."
REPLIES_ASKED = "You asked"
REPLIES_SAID = "I replied"
REPLIES_SAID_BY = "{agent} replied"
REPLIES_WHY = "Why"
REPLIES_FACTS = "It rested on what I remember:"
REPLIES_MESSAGES = "It looked back at:"
REPLIES_MORE_FACTS = "Other facts that were at hand: {count}."
REPLIES_FRESH = "Nothing that I remember: it came from that conversation alone."
REPLIES_UNKNOWN = "What it rested on is not known any more."
REPLIES_WHOLE = "Show all of it"
REPLIES_GONE = "The words are gone: you had them forgotten."
REPLIES_YOU = "you"
REPLIES_ME = "I"
REPLIES_EMPTY = "No replies yet"
REPLIES_EMPTY_ABOUT = "When I answer you, what my answer rested on is shown here."
REPLIES_OLDER = "Older replies"
REPLIES_NEWEST = "Newest replies"

# --- Spaces -----------------------------------------------------------------------------------------------------------

SPACES_ABOUT = (
    "A space is what people remember together. Its members see what you share in it, and nothing else of yours."
)
SPACES_EMPTY = "You are in no shared space"
SPACES_EMPTY_ABOUT = "Make one and invite somebody, or join one with a code that you were given."
SPACES_MEMBERS = "Members: {count}"
SPACES_FACTS = "Shared facts: {count}"
SPACES_YOU = "you"
SPACES_ROLES = shared.ROLES
SPACES_GROUP = "group chat"
SPACES_GROUP_ABOUT = "This is a group chat: its members are those of the group, and so are its owners."
SPACES_SINCE = "since {day}"
SPACES_FOUND = "Make a space"
SPACES_NAME = "Name"
SPACES_NAME_HINT = "Everybody who joins reads it. At most {most} characters."
SPACES_FOUND_BUTTON = "Make it"
SPACES_JOIN = "Join a space"
SPACES_CODE = "Code of the invitation"
SPACES_JOIN_BUTTON = "Join"
SPACES_BACK = "All spaces"
SPACE_MEMBERS = "Members"
SPACE_FACTS = "Shared here"
SPACE_FACTS_EMPTY = "Nothing is shared here yet. Open one of your facts to share it."
SPACE_BY = "from {owner}"
SPACE_INVITE = "Invite somebody"
SPACE_INVITE_ABOUT = "You get a code for one person. It works once, for {days} days, and I show it only once."
SPACE_INVITE_BUTTON = "Make a code"
SPACE_INVITED = "Give this code to one person"
SPACE_INVITED_ABOUT = "It works once, for {days} days. I can't show it again; you can make another one."
SPACE_INVITED_HOW = "They enter it here under “Join a space”, or write /space join with it to me."
SPACE_MAKE_OWNER = "Make owner"
SPACE_MAKE_OWNER_NAMED = "Make {member} an owner"
SPACE_REMOVE = "Remove"
SPACE_REMOVE_NAMED = "Remove {member}"
SPACE_REMOVE_ABOUT = "What {member} shared here becomes private to them again."
SPACE_LEAVE = "Leave this space"
SPACE_LEAVE_ABOUT = "What you shared here becomes private again. To come back you need a new invitation."
SPACE_LEAVE_BUTTON = "Yes, leave"
NOTES |= {
    "space_founded": "The space is yours. Invite somebody to it.",
    "space_joined": "You are in. What its members share here you can read now.",
    "space_left": shared.SPACE_LEFT,
    "member_removed": "That member is removed.",
    "member_owns": "That member is an owner now, as you are.",
}

# --- Settings ---------------------------------------------------------------------------------------------------------

SETTINGS_ABOUT = "How I remember, when and in which language I write, and who may come to your memory."
SETTINGS_SAVE = "Save"
SETTINGS_MODE = "How I remember"
SETTINGS_MODES = {
    Mode.CONFIRM: ("I ask you first", "What you order me to remember I keep at once; before anything else I ask."),
    Mode.AUTO: ("I remember by myself", "I keep what you tell me about yourself, and show what I kept."),
    Mode.MANUAL: ("Only what you order", "I keep what you order me to, and never ask."),
}
SETTINGS_NEVER = "Never remember"
SETTINGS_NEVER_ABOUT = "Of these kinds I keep nothing new. What is remembered already stays until you delete it."
SETTINGS_REMINDERS = "Reminders"
SETTINGS_REMINDERS_OPTION = "Remind me of my important dates, in the morning of the day"
SETTINGS_PLACE = "Time and language"
SETTINGS_TIMEZONE = "Timezone"
SETTINGS_TIMEZONE_HINT = "Such as Europe/Berlin or America/Sao_Paulo."
SETTINGS_TIMEZONE_WRONG = "I don't know that timezone. Choose one of the list, such as Europe/Berlin."
SETTINGS_LANGUAGE = "Language"
SETTINGS_LANGUAGE_HINT = "In which I write first, such as reminders. In a chat I answer in yours."
SETTINGS_SESSIONS = "Open pages"
SETTINGS_SESSIONS_ABOUT = "Where this page of yours is open. Each closes by itself an hour after it was opened."
SETTINGS_SESSION = "Opened {moment}, closes {until}"
SETTINGS_SESSION_HERE = "this one"
SETTINGS_SESSIONS_END = "Leave everywhere"
SETTINGS_SESSIONS_END_ABOUT = "Links that you did not open yet go with them."
SETTINGS_KEYS = "API keys"
SETTINGS_KEYS_ABOUT = "Programs with one of these keys read or write your memory. Keys are made on the command line."
SETTINGS_KEYS_EMPTY = "No key of yours opens anything."
SETTINGS_KEY_UNNAMED = "without a name"
SETTINGS_KEY_OWNER = "speaks for you: may answer cards"
SETTINGS_KEY_AGENT = "agent {agent}: may only propose"
SETTINGS_KEY_MADE = "made {day}"
SETTINGS_KEY_USED = "last used {moment}"
SETTINGS_KEY_UNUSED = "never used"
SETTINGS_KEY_REVOKE = "Revoke"
SETTINGS_KEY_REVOKE_NAMED = "Revoke the key {name}"
SETTINGS_KEY_SURE = "Whoever uses this key is shut out at once. It cannot be brought back."
SCOPES = {Scope.READ: "reads", Scope.WRITE: "writes", Scope.ADMIN: "administers"}
NOTES |= {
    "mode_chosen": "That is how I remember from now on.",
    "never_chosen": "Noted. Of these kinds I keep nothing new.",
    "reminders_on": "I will remind you of your important dates.",
    "reminders_off": "I will not remind you any more.",
    "place_chosen": "Noted. Days and moments here are counted that way now.",
    "key_revoked": "The key is revoked. It opens nothing any more.",
    "key_gone": "There is no such key, or it is revoked already.",
}
BAD_NEWS |= {"key_gone"}

# --- Your data --------------------------------------------------------------------------------------------------------

DATA_ABOUT = "It is yours: take it with you, have a part of it forgotten, or have all of it erased."
DATA_EXPORT = "Take it with you"
DATA_EXPORT_ABOUT = (
    "Everything of yours in one file: facts with their history, messages, settings. What is encrypted here is in plain "
    "words there, so keep it well."
)
DATA_JSON = "Download for programs (JSON)"
DATA_MARKDOWN = "Download to read (Markdown)"
DATA_FORGET = "Have something forgotten"
DATA_FORGET_ABOUT = (
    "What is forgotten here is gone for good, also from the messages it came from. First I show you what that would be."
)
DATA_SUBJECT = "About somebody or something"
DATA_SUBJECT_HINT = "A name under which I remember things, such as Alec."
DATA_TOPIC = "A topic of our conversations"
DATA_TOPICS_EMPTY = "There are no topics yet."
DATA_ATTRIBUTE = "A part of your profile"
DATA_SPAN = "A span of time"
DATA_SINCE = "From"
DATA_UNTIL = "To, that day included"
DATA_SPAN_HINT = "Messages, and what was remembered, asked and noted in those days."
DATA_SUMMARIES = "My digests of our conversations"
DATA_SUMMARIES_HINT = "The messages themselves stay."
DATA_SHOW = "Show what would go"
DATA_CHOOSE = "Choose …"
DATA_ASK = "Shall this be forgotten?"
DATA_ASK_ABOUT = "It is gone for good then, and nobody can bring it back."
DATA_ASK_WISHES = {
    "subject": "Everything that I remember under the name {words}",
    "topic": "The topic {words}, and what I remember under that name",
    "attribute": "This part of your profile: {words}",
    "span": "Everything from {since} to {until}",
    "summaries": "All digests of our conversations",
}
DATA_ASK_FACTS = "Facts that go: {count}"
DATA_ASK_MORE = "and {count} more"
DATA_ASK_MESSAGES = "Messages that are removed: {count}"
DATA_ASK_TOPICS = "Topics that go: {words}"
DATA_ASK_SUMMARIES = "All digests of our conversations go: {count}"
DATA_ASK_CARDS = "Questions of mine that go, answered or not: {count}"
DATA_ASK_ENTRIES = "Decisions, tasks, files and handoffs that go: {count}"
DATA_ASK_TRACES = "Their words also go from the messages they came from, and from digests and cards that repeat them."
DATA_ASK_NOTHING = "I find nothing of that kind. You can still have it forgotten; then nothing happens."
DATA_ASK_YES = "Yes, forget this"
DATA_WRONG = {
    "subject": "Please write a name.",
    "topic": "Please choose a topic.",
    "attribute": "Please choose a part of your profile.",
    "span": "Please give two days, the first one first.",
    "": "I did not understand what shall be forgotten.",
}
ATTRIBUTES = {
    Attribute.NAME: "Name",
    Attribute.PREFERRED_NAME: "Preferred name",
    Attribute.OCCUPATION: "Occupation",
    Attribute.LOCATION: "Where you live",
    Attribute.COMMUNICATION_STYLE: "How you like to be spoken to",
    Attribute.FAITH: "Faith",
    Attribute.INTEREST: "Interests",
    Attribute.FAMILY_MEMBER: "Family",
    Attribute.GOAL: "Goals",
    Attribute.IMPORTANT_DATE: "Important dates",
    Attribute.INTERACTION_PREFERENCE: "How I should behave",
    Attribute.CUSTOM: "Other parts",
}
DATA_ERASE = "Erase everything"
DATA_ERASE_ABOUT = "All facts, messages, settings and keys of yours, for good. I ask twice."
DATA_ERASE_BUTTON = "Erase everything …"
ERASE_FIRST = "Erase everything?"
ERASE_FIRST_ABOUT = "This removes every trace of you here, at once. Nobody can bring it back:"
ERASE_PARTS = (
    "every fact with its history, and what waits for your word",
    "every message, digest, task, decision and file of yours",
    "your settings, keys and open pages; you leave all spaces",
)
ERASE_GO_ON = "Go on"
ERASE_LAST = "I ask once more"
ERASE_LAST_ABOUT = "If you are sure, write the word {word} here."
ERASE_WORD = "erase"
ERASE_FIELD = "The word"
ERASE_WRONG = "That was not the word, so nothing was erased."
ERASE_BUTTON = "Erase everything for good"
ERASED = shared.ERASED
ERASED_ABOUT = "Thank you for the time together. Should you write to me again, we begin anew, as strangers."
NOTES |= {
    "forgot_facts": "Facts forgotten for good: {id}",
    "forgot_messages": "Messages removed: {id}",
    "forgot_topics": "Topics forgotten: {id}",
    "forgot_summaries": "Digests forgotten: {id}",
    "forgot_cards": "Questions of mine removed: {id}",
    "forgot_entries": "Decisions, tasks, files and handoffs removed: {id}",
    "forgot_nothing": "There was nothing of that kind to forget.",
}
