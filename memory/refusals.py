"""Why something is refused or fails: one code for each reason, and the English sentence that explains it.

An error carries its code and values. `str(error)` is the English sentence, which models and API clients read;
`translate_error` gives it in the user's language. A code is part of the REST API, so its value never changes.

A sentence that a model reads begins with what did not happen ("Not stored: …"), so that the model can react to it.
"""

from collections.abc import Mapping
from enum import StrEnum, auto

from memory.translation import Plural


class Refusal(StrEnum):
    # Facts
    FACT_NOT_FOUND = auto()
    VERSION_NOT_FOUND = auto()
    NOTHING_TO_UNDO = auto()
    FACT_LENGTH = auto()
    FACT_SECRET = auto()
    SUBJECT_KNOWN = auto()
    SUBJECT_KNOWN_CHOOSE = auto()
    STORE_KNOWN = auto()
    CHANGE_KNOWN = auto()
    RESTORE_KNOWN = auto()
    ATTRIBUTE_TAKEN = auto()
    CATEGORY_OFF = auto()
    FORGOTTEN_ON_REQUEST = auto()
    NOT_ORDERED = auto()
    NOBODY_TO_SHARE_WITH = auto()
    FORGET_CHANGED = auto()
    # Cards
    CARD_NOT_FOUND = auto()
    CARD_OUTDATED = auto()
    CARD_SEALED = auto()
    CARD_FIXED_WORDS = auto()
    ASK_NOT_HERE = auto()
    ASK_KNOWN = auto()
    ASK_DECLINED = auto()
    ASK_REPEATED = auto()
    ASK_MANUAL_MODE = auto()
    ASK_POINTLESS = auto()
    TOO_MANY_CARDS = auto()
    # Channels
    CHANNEL_TOO_OPEN = auto()
    CHANNEL_PUBLIC = auto()
    # Events and notes
    CONTENT_NOT_TEXT = auto()
    CONTENT_NOT_TEXTS = auto()
    CONTENT_TOO_LONG = auto()
    CONTENT_TOO_MANY = auto()
    CONTENT_NOT_A_CHOICE = auto()
    CONTENT_NOT_A_DAY = auto()
    CONTENT_UNREADABLE = auto()
    BASE64_WRONG = auto()
    REFS_UNSEEN = auto()
    NOTE_FORGOTTEN = auto()
    NOTE_UNAGREED = auto()
    NOTE_MANUAL_MODE = auto()
    NOTE_NOT_ALLOWED = auto()
    # Documents, files, decisions, tasks, handoffs, views
    SEALED = auto()
    DOCUMENT_UNNAMED = auto()
    DOCUMENT_EMPTY = auto()
    DOCUMENT_NOT_FOUND = auto()
    ARTIFACT_NOT_FOUND = auto()
    ARTIFACT_NOT_TEXT = auto()
    TEXT_TOO_LARGE = auto()
    BLOB_TOO_LARGE = auto()
    BLOB_ONLY = auto()
    FILE_SECRET = auto()
    META_TOO_LARGE = auto()
    DECISION_NOT_FOUND = auto()
    DECISION_EMPTY = auto()
    SUPERSEDED_NOT_FOUND = auto()
    SUPERSEDED_ELSEWHERE = auto()
    SUPERSEDED_ALREADY = auto()
    SUPERSEDED_ALOUD = auto()
    TASK_NOT_FOUND = auto()
    TASK_UNTITLED = auto()
    TASK_UNCHANGED = auto()
    TASK_DAY_PASSED = auto()
    TASK_NOT_YOURS = auto()
    TASK_SAID_ALOUD = auto()
    HANDOFF_CHANNEL = auto()
    HANDOFF_EMPTY = auto()
    HANDOFF_TOO_LARGE = auto()
    HANDOFF_TOO_LONG = auto()
    HANDOFF_SENSITIVE = auto()
    VIEW_NOT_FOUND = auto()
    VIEW_CHANNEL = auto()
    VIEW_TOO_LONG = auto()
    VIEW_TOO_LARGE = auto()
    VIEW_SENSITIVE = auto()
    VIEW_NOT_OWNER = auto()
    # Replies and calls
    REPLY_NOT_FOUND = auto()
    CALL_NOT_FOUND = auto()
    # People, spaces and keys
    NOT_FOUND = auto()
    USER_NOT_FOUND = auto()
    SPACE_NOT_FOUND = auto()
    SPACE_AMBIGUOUS = auto()
    SPACE_LEFT = auto()
    SPACE_NAME = auto()
    SPACE_NAME_SENSITIVE = auto()
    INVITATION_NOT_FOUND = auto()
    MEMBER_NOT_FOUND = auto()
    OWNERS_ONLY = auto()
    GROUP_MEMBERS = auto()
    LINK_NOT_FOUND = auto()
    KEY_NOT_FOUND = auto()
    KEY_SCOPES = auto()
    KEY_NAME = auto()
    KEY_USER_NOT_FOUND = auto()
    AGENT_NAME = auto()
    AGENT_NAME_TAKEN = auto()
    TENANT_NAME = auto()
    API_USER_NAME = auto()
    # Exports that are loaded
    IMPORT_SECRET = auto()
    IMPORT_NOT_EMPTY = auto()
    IMPORT_NOT_OURS = auto()
    IMPORT_UNKNOWN = auto()
    IMPORT_DAMAGED = auto()
    IMPORT_INCOMPLETE = auto()
    IMPORT_TOO_DEEP = auto()
    IMPORT_LOCKED = auto()
    IMPORT_SUSPICIOUS = auto()
    IMPORT_AMBIGUOUS = auto()
    IMPORT_TOO_MANY = auto()
    IMPORT_WHO = auto()
    IMPORT_OTHER_PERSON = auto()
    IMPORT_SILENT = auto()
    # The model and the embedder
    MODEL_TIMEOUT = auto()
    MODEL_KEY_WRONG = auto()
    MODEL_BUSY = auto()
    MODEL_REFUSED = auto()
    MODEL_REFUSED_STATUS = auto()
    MODEL_UNREACHABLE = auto()
    MODEL_BROKE_OFF = auto()
    ANSWER_MALFORMED = auto()
    ANSWER_CUT_OFF = auto()
    ANSWER_TRIES = auto()
    SUMMARY_NOTHING_TO_DO = auto()
    SUMMARY_UNFOUNDED = auto()
    SUMMARY_EMPTY = auto()
    EMBEDDER_TIMEOUT = auto()
    EMBEDDER_UNREACHABLE = auto()
    EMBEDDER_KEY_WRONG = auto()
    EMBEDDER_NOT_FOUND = auto()
    EMBEDDER_BUSY = auto()
    EMBEDDER_FAILED = auto()
    EMBEDDER_REFUSED = auto()
    EMBEDDER_UNREADABLE = auto()
    EMBEDDER_COUNT = auto()
    EMBEDDER_SIZES = auto()
    EMBEDDER_TOO_WIDE = auto()
    EMBEDDER_TOO_MUCH = auto()
    EMBEDDER_CLOSED = auto()
    EMBEDDER_CRASHED = auto()
    EMBEDDER_NOT_STARTED = auto()
    EMBEDDER_NOT_HERE = auto()
    EMBEDDER_NEEDS_CPU = auto()
    # This machine
    TOO_BUSY = auto()
    KEY_MISSING = auto()
    KEY_FILE_UNUSABLE = auto()
    KEY_FILE_EMPTY = auto()
    ENV_FILE_UNREADABLE = auto()
    ENV_FILE_LINE = auto()
    PORT_TAKEN = auto()


SENTENCES: Mapping[Refusal, str | Plural] = {
    # Facts
    Refusal.FACT_NOT_FOUND: "I can't find that memory.",
    Refusal.VERSION_NOT_FOUND: "That memory has no such version.",
    Refusal.NOTHING_TO_UNDO: "There is nothing to undo.",
    Refusal.FACT_LENGTH: "Not stored: a memory has to be {least} to {most} characters long.",
    Refusal.FACT_SECRET: "Not stored: this contains what looks like a secret ({kinds}).",
    Refusal.SUBJECT_KNOWN: "Not stored: I already remember something about {about}: {known}.",
    Refusal.SUBJECT_KNOWN_CHOOSE: (
        "Not stored: I already remember something about {about}: {known}. If this changes it, call update_memory with "
        "that id. If it is something else, call add_to_memory again with separate=true and without an attribute."
    ),
    Refusal.STORE_KNOWN: "Not stored: I already remember this: {known}.",
    Refusal.CHANGE_KNOWN: "Not changed: I already remember this: {known}.",
    Refusal.RESTORE_KNOWN: "I already remember this as [{id}].",
    Refusal.ATTRIBUTE_TAKEN: "I remember something else under “{attribute}” by now. Delete that first.",
    Refusal.CATEGORY_OFF: "Not stored: I was asked never to remember anything in the category “{kind}”.",
    Refusal.FORGOTTEN_ON_REQUEST: (
        "Not stored: I was asked to forget this. Only a direct request to remember it brings it back."
    ),
    Refusal.NOT_ORDERED: ("Not stored: I only remember what this user tells me to remember, and this was not asked."),
    Refusal.NOBODY_TO_SHARE_WITH: "There is nobody to share with here. Choose a space that has other members.",
    Refusal.FORGET_CHANGED: "This changed in the meantime, so I haven't deleted anything. Here is what would go now.",
    # Cards
    Refusal.CARD_NOT_FOUND: "That question is no longer open. It may have been answered, changed or expired.",
    Refusal.CARD_OUTDATED: "That memory changed after I asked, so my question no longer applies.",
    Refusal.CARD_SEALED: "This question is encrypted, and the key is missing.",
    Refusal.CARD_FIXED_WORDS: "I asked whether to forget something, so there is no text to change.",
    Refusal.ASK_NOT_HERE: "Not asked: this can't be asked here.",
    Refusal.ASK_KNOWN: "Not asked: I already remember this.",
    Refusal.ASK_DECLINED: "Not asked: the answer to this was no before.",
    Refusal.ASK_REPEATED: "Not asked: this was already asked, or the answer was no before.",
    Refusal.ASK_MANUAL_MODE: "Not asked: I only remember what this user asks me to remember.",
    Refusal.ASK_POINTLESS: "Not asked: this is already remembered, was already asked, or is not wanted.",
    Refusal.TOO_MANY_CARDS: Plural(
        "Not asked: {count} card is already waiting for an answer.",
        "Not asked: {count} cards are already waiting for an answer.",
    ),
    # Channels
    Refusal.CHANNEL_TOO_OPEN: "Not stored: this is too sensitive for this channel. Tell me in private.",
    Refusal.CHANNEL_PUBLIC: "Not stored: I don't keep things like this in public. Tell me in private.",
    # Events and notes
    Refusal.CONTENT_NOT_TEXT: "Not stored: {name} must be a text.",
    Refusal.CONTENT_NOT_TEXTS: "Not stored: {name} must be a list of texts.",
    Refusal.CONTENT_TOO_LONG: "Not stored: {name} has more than {most:,} characters.",
    Refusal.CONTENT_TOO_MANY: "Not stored: {name} takes at most {most} texts of {longest:,} characters each.",
    Refusal.CONTENT_NOT_A_CHOICE: "Not stored: {name} must be one of {choices}.",
    Refusal.CONTENT_NOT_A_DAY: "Not stored: {name} must be a date such as 2026-11-30.",
    Refusal.CONTENT_UNREADABLE: "Not stored: reading this failed before the end. Send less at once.",
    Refusal.BASE64_WRONG: "Not stored: base64 holds no valid base64.",
    Refusal.REFS_UNSEEN: "Not stored: {refs} did not appear in this turn. Cite only ids you were shown.",
    Refusal.NOTE_FORGOTTEN: "Not stored: the user asked to have this forgotten.",
    Refusal.NOTE_UNAGREED: (
        "Not stored: this is about the user, who has not agreed to keep it. A note does not get around that."
    ),
    Refusal.NOTE_MANUAL_MODE: "Not stored: I only remember what this user asks me to remember.",
    Refusal.NOTE_NOT_ALLOWED: "Not stored: this user has not agreed to that.",
    # Documents, files, decisions, tasks, handoffs, views
    Refusal.SEALED: "This is encrypted, and the key is missing.",
    Refusal.DOCUMENT_UNNAMED: "A document needs a name.",
    Refusal.DOCUMENT_EMPTY: "That document is empty, so I didn't keep it.",
    Refusal.DOCUMENT_NOT_FOUND: "I can't find that document among yours here.",
    Refusal.ARTIFACT_NOT_FOUND: "There is no such artifact, or it was old and has been removed.",
    Refusal.ARTIFACT_NOT_TEXT: "This is not a text. Only its bytes can be downloaded.",
    Refusal.TEXT_TOO_LARGE: "Not stored: a text may have at most {most:,} bytes.",
    Refusal.BLOB_TOO_LARGE: "Not stored: a blob may have at most {most:,} bytes.",
    Refusal.BLOB_ONLY: "Not stored: this is not UTF-8 text. Only a blob may hold other bytes.",
    Refusal.FILE_SECRET: "Not stored: the file contains what looks like a secret.",
    Refusal.META_TOO_LARGE: "Not stored: meta may have at most {most} plain fields of {longest:,} characters each.",
    Refusal.DECISION_NOT_FOUND: "There is no such decision.",
    Refusal.DECISION_EMPTY: "Not stored: a decision needs text in `decision`.",
    Refusal.SUPERSEDED_NOT_FOUND: "Not stored: there is no such decision to supersede.",
    Refusal.SUPERSEDED_ELSEWHERE: "Not stored: that decision was made in another space. Supersede it there.",
    Refusal.SUPERSEDED_ALREADY: "Not stored: that decision has already been superseded, by {by}.",
    Refusal.SUPERSEDED_ALOUD: (
        "Not stored: that decision was made in front of others. Supersede it where everybody who knows it can read it."
    ),
    Refusal.TASK_NOT_FOUND: "There is no such task.",
    Refusal.TASK_UNTITLED: "Not stored: a new task needs a title. To change a task, give its task_id.",
    Refusal.TASK_UNCHANGED: "Not stored: give what changes about the task: title, status, details or due.",
    Refusal.TASK_DAY_PASSED: "Not stored: {due} has passed. Ask which day was meant.",
    Refusal.TASK_NOT_YOURS: (
        "Not changed: only the person who wrote this task can reword it. You can change its status."
    ),
    Refusal.TASK_SAID_ALOUD: "Not changed: this task was written in front of others. Reword it there.",
    Refusal.HANDOFF_CHANNEL: "Not handed over: handoffs go through the channel `agent` only.",
    Refusal.HANDOFF_EMPTY: "Not handed over: a handoff needs a goal and the names of both agents.",
    Refusal.HANDOFF_TOO_LARGE: "Not handed over: goal and notes alone exceed the {most:,} tokens of a packet.",
    Refusal.HANDOFF_TOO_LONG: "Not handed over: {name} has more than {most:,} characters.",
    Refusal.HANDOFF_SENSITIVE: ("Not handed over: {name} holds something sensitive, which another agent may not read."),
    Refusal.VIEW_NOT_FOUND: "There is no such view yet.",
    Refusal.VIEW_CHANNEL: "This can only be changed in private, and only by people.",
    Refusal.VIEW_TOO_LONG: "I didn't keep that: it may have at most {most:,} characters.",
    Refusal.VIEW_TOO_LARGE: Plural(
        "I didn't keep that: it goes into every conversation, and there is room for about {most:,} character.",
        "I didn't keep that: it goes into every conversation, and there is room for about {most:,} characters.",
        gap="most",
    ),
    Refusal.VIEW_SENSITIVE: (
        "I didn't keep that: it goes into every conversation, so please leave out anything sensitive."
    ),
    Refusal.VIEW_NOT_OWNER: "Only an owner of a space can change how I speak and what I follow in it.",
    # Replies and calls
    Refusal.REPLY_NOT_FOUND: "I can't find that reply.",
    Refusal.CALL_NOT_FOUND: "There is no such call of yours.",
    # People, spaces and keys
    Refusal.NOT_FOUND: "There is no such thing here.",
    Refusal.USER_NOT_FOUND: "There is no such user.",
    Refusal.SPACE_NOT_FOUND: "You're not in a space like that.",
    Refusal.SPACE_AMBIGUOUS: ("You're in no space with that name, or in two. /space lists yours, each with its ID."),
    Refusal.SPACE_LEFT: (
        "You are no longer in that space, so it's just the two of us again. I didn't keep that message."
    ),
    Refusal.SPACE_NAME: "The name of a space has to be 1 to {most} characters long.",
    Refusal.SPACE_NAME_SENSITIVE: (
        "Everybody who joins reads the name of a space, so please leave out anything secret or sensitive."
    ),
    Refusal.INVITATION_NOT_FOUND: "This invitation doesn't work. It may have been used, expired or mistyped.",
    Refusal.MEMBER_NOT_FOUND: "There is no such member.",
    Refusal.OWNERS_ONLY: "Only an owner of a shared space can do that.",
    Refusal.GROUP_MEMBERS: (
        "This space belongs to a group chat: everyone in the group is a member, and its admins are the owners."
    ),
    Refusal.LINK_NOT_FOUND: "This link was already used, or it is too old. Send /memory web to get a new one.",
    Refusal.KEY_NOT_FOUND: "There is no such key, or it has already been revoked.",
    Refusal.KEY_SCOPES: "A key needs at least one scope: read, write or admin.",
    Refusal.KEY_NAME: "The name of a key may have at most {most} characters.",
    Refusal.KEY_USER_NOT_FOUND: (
        "There is no user {user} here. They have to write to the bot first; only API users don't."
    ),
    Refusal.AGENT_NAME: "The name of an agent has 1 to 64 characters: letters, digits and . _ @ : -",
    Refusal.AGENT_NAME_TAKEN: "Keepsake uses the names {names} itself. Please choose another one for the agent.",
    Refusal.TENANT_NAME: "The name of a tenant has 1 to 64 characters: letters, digits and _ -",
    Refusal.API_USER_NAME: "The name of an API user has 1 to 64 characters: letters, digits and . _ @ : -",
    # Exports that are loaded
    Refusal.IMPORT_SECRET: "The file contains what looks like a secret. Please remove it and try again.",
    Refusal.IMPORT_NOT_EMPTY: (
        "This user already has messages or memories. A Keepsake export can only be loaded into an empty user."
    ),
    Refusal.IMPORT_NOT_OURS: "This is not a Keepsake export that this version can load.",
    Refusal.IMPORT_UNKNOWN: (
        "{name} is not an export that I know. I can read result.json from Telegram Desktop, conversations.json from "
        "ChatGPT or Claude, an archive or folder with one of these, and Keepsake's own exports."
    ),
    Refusal.IMPORT_DAMAGED: "{name} is damaged, or an archive of a kind that I can't open.",
    Refusal.IMPORT_INCOMPLETE: "I can't read {name}: it is not JSON, or part of it is missing.",
    Refusal.IMPORT_TOO_DEEP: "I can't read {name}: something in it is nested too deeply or too large for an export.",
    Refusal.IMPORT_LOCKED: "{name} is protected by a password. Please unpack it and import the folder.",
    Refusal.IMPORT_SUSPICIOUS: "{name} claims to hold far more than any export does, so I didn't open it.",
    Refusal.IMPORT_AMBIGUOUS: "{name} contains more than one export. Please name the one you mean.",
    Refusal.IMPORT_TOO_MANY: "{name} contains more than {most:,} files. Please name the one you mean.",
    Refusal.IMPORT_WHO: "Which of these are you? Use --as with a name or a number: {people}.",
    Refusal.IMPORT_OTHER_PERSON: (
        "You are importing this for {person}, but it belongs to {people}. If that is you too, use --as with that "
        "number."
    ),
    Refusal.IMPORT_SILENT: (
        "This export holds no messages of yours, only from {people}. Use --as with the number you have in Telegram."
    ),
    # The model and the embedder
    Refusal.MODEL_TIMEOUT: "The model took longer than {most:g} seconds.",
    Refusal.MODEL_KEY_WRONG: "ANTHROPIC_API_KEY was refused. Please check it.",
    Refusal.MODEL_BUSY: "The model is busy right now. Please try again in a moment.",
    Refusal.MODEL_REFUSED: "The model's server refused the request.",
    Refusal.MODEL_REFUSED_STATUS: "The model's server refused the request (status {status}).",
    Refusal.MODEL_UNREACHABLE: "I can't reach the model right now.",
    Refusal.MODEL_BROKE_OFF: "The connection to the model broke off.",
    Refusal.ANSWER_MALFORMED: "The model's answer does not match the schema.",
    Refusal.ANSWER_CUT_OFF: "The model ended with: {reason}.",
    Refusal.ANSWER_TRIES: "Three attempts were started and none of them finished.",
    Refusal.SUMMARY_NOTHING_TO_DO: "There is nothing to summarise.",
    Refusal.SUMMARY_UNFOUNDED: "Nothing in the summary is found in the messages.",
    Refusal.SUMMARY_EMPTY: "The summary is empty.",
    Refusal.EMBEDDER_TIMEOUT: "The embeddings server took longer than {most:g} seconds.",
    Refusal.EMBEDDER_UNREACHABLE: "The embeddings server cannot be reached ({why}).",
    Refusal.EMBEDDER_KEY_WRONG: "The embeddings server refused KEEPSAKE_EMBEDDER_KEY. Please check it.",
    Refusal.EMBEDDER_NOT_FOUND: "The embeddings server has no such address or no such model. Please check both.",
    Refusal.EMBEDDER_BUSY: "The embeddings server is busy (status {status}).",
    Refusal.EMBEDDER_FAILED: "The embeddings server failed (status {status}).",
    Refusal.EMBEDDER_REFUSED: "The embeddings server refused the request (status {status}).",
    Refusal.EMBEDDER_UNREADABLE: "The embeddings server sent something that is not an embedding.",
    Refusal.EMBEDDER_COUNT: "The embeddings server sent another number of embeddings than it was asked for.",
    Refusal.EMBEDDER_SIZES: "The embeddings server sent embeddings of different sizes.",
    Refusal.EMBEDDER_TOO_WIDE: "Embeddings of {size} numbers cannot be stored. The limit is {most}.",
    Refusal.EMBEDDER_TOO_MUCH: "The embeddings server sent far more than embeddings.",
    Refusal.EMBEDDER_CLOSED: "The bundled embedder is closed.",
    Refusal.EMBEDDER_CRASHED: "The bundled embedder crashed on a text.",
    Refusal.EMBEDDER_NOT_STARTED: (
        "The bundled embedder does not start on this machine. Set KEEPSAKE_EMBEDDER to {choices}."
    ),
    Refusal.EMBEDDER_NOT_HERE: (
        "There is no bundled embedder for {system} on {machine}. Set KEEPSAKE_EMBEDDER to {choices}."
    ),
    Refusal.EMBEDDER_NEEDS_CPU: (
        "The bundled embedder needs a processor with {needs}. Set KEEPSAKE_EMBEDDER to {choices}."
    ),
    # This machine
    Refusal.TOO_BUSY: "Too many long texts are already waiting. Try again later, or send less at once.",
    Refusal.KEY_MISSING: (
        "This looks sensitive, and the key to encrypt it is missing, so I didn't keep it. "
        "Please restore KEEPSAKE_ENCRYPTION_KEY or the key file."
    ),
    Refusal.KEY_FILE_UNUSABLE: ("The key file {path} cannot be used: {why}. Fix that, or set KEEPSAKE_ENCRYPTION_KEY."),
    Refusal.KEY_FILE_EMPTY: (
        "The key file {path} holds no key. Restore it from your backup: without it, nothing that is encrypted can be "
        "read. Only if you have no backup, remove the file, and a new key is made."
    ),
    Refusal.ENV_FILE_UNREADABLE: "{path} cannot be read as text ({why}). Fix or remove it.",
    Refusal.ENV_FILE_LINE: "{path}, line {line}: this is not NAME=value.",
    Refusal.PORT_TAKEN: "{variable}: I can't listen on {where}: {why}.",
}

# Only models, API clients and logs show these, so they are not translated.
ENGLISH_ONLY = frozenset(
    {
        Refusal.SUBJECT_KNOWN_CHOOSE,
        Refusal.ASK_POINTLESS,
        Refusal.ANSWER_MALFORMED,
        Refusal.ANSWER_CUT_OFF,
        Refusal.ANSWER_TRIES,
        Refusal.SUMMARY_NOTHING_TO_DO,
        Refusal.SUMMARY_UNFOUNDED,
        Refusal.SUMMARY_EMPTY,
        Refusal.USER_NOT_FOUND,
        Refusal.VIEW_NOT_FOUND,
        *(code for code in Refusal if code.startswith(("content_not_", "content_too_", "note_", "refs_", "base64_"))),
        *(code for code in Refusal if code.startswith(("artifact_", "blob_", "meta_", "decision_", "superseded_"))),
        *(code for code in Refusal if code.startswith(("task_", "handoff_"))),
    }
)
