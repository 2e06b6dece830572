"""Sentences that the chat and the review page have in common."""

from db.vocabulary import Approval, Attribute, Category, ProposalKind, Role
from memory.translation import Plural

# --- What a memory is about, and why I have it ------------------------------------------------------------------------

CATEGORIES = {
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
ATTRIBUTES = {
    Attribute.NAME: "Name",
    Attribute.PREFERRED_NAME: "Preferred name",
    Attribute.OCCUPATION: "Occupation",
    Attribute.LOCATION: "Where you live",
    Attribute.COMMUNICATION_STYLE: "How you like me to talk to you",
    Attribute.FAITH: "Faith",
    Attribute.INTEREST: "Interests",
    Attribute.FAMILY_MEMBER: "Family",
    Attribute.GOAL: "Goals",
    Attribute.IMPORTANT_DATE: "Important dates",
    Attribute.INTERACTION_PREFERENCE: "How I should behave",
    Attribute.CUSTOM: "Other parts",
}
APPROVALS = {
    Approval.ORDER: "you asked me to",
    Approval.WORDS: "you said so",
    Approval.YES: "you said yes",
    Approval.CARD: "you accepted my question",
    Approval.AUTO: "remembered automatically",
    Approval.IMPORT: "imported",
    Approval.MEMBERSHIP: "you are no longer in the space",
}
ABOUT_SUBJECT = "about {subject}"
DELETED = "deleted"
SENSITIVE = "sensitive"
SEARCH_NOTHING = "I don't remember anything with those words."

# --- Questions that wait for an answer --------------------------------------------------------------------------------

CARD_ASKED_BY = "asked by the agent {agent}"
CARD_YES = {ProposalKind.ADD: "Remember", ProposalKind.UPDATE: "Change", ProposalKind.FORGET: "Forget"}
CARD_REJECTED = {
    ProposalKind.ADD: "OK, I won't remember that.",
    ProposalKind.UPDATE: "OK, I'll leave it as it is.",
    ProposalKind.FORGET: "OK, I won't forget it.",
}

# --- Buttons ----------------------------------------------------------------------------------------------------------

BUTTON_EDIT = "Edit"
BUTTON_NO = "No"
BUTTON_UNDO = "Undo"
BUTTON_HISTORY = "History"
BUTTON_SHARE = "Share"
BUTTON_UNSHARE = "Make private"
BUTTON_DELETE = "Delete"

# --- People -----------------------------------------------------------------------------------------------------------

YOU = "you"
ME = "me"
ASSISTANT = "the assistant"
ROLES = {Role.OWNER: "owner", Role.MEMBER: "member"}
SPACE_LEFT = "You left the space. What you shared there is private again."

# --- Why a reply says what it says ------------------------------------------------------------------------------------

REPLY_FACTS = "I remembered:"
REPLY_MESSAGES = "I looked back at:"
REPLY_MORE_FACTS = Plural("I had {count} other memory at hand.", "I had {count} other memories at hand.")

# --- Everything else --------------------------------------------------------------------------------------------------

UNKNOWN = "unknown"
MEMORY_AWAY = "I can't reach my memory right now. Please try again in a moment."
FORGOTTEN_NOTHING = "I found nothing like that to forget."
ERASED = "I've erased everything about you."
