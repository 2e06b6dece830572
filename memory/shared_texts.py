"""Sentences that every front end says: names of categories, approvals and roles, and what is told alike."""

from db.vocabulary import Approval, Category, Role

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
APPROVALS = {
    Approval.ORDER: "you ordered it",
    Approval.WORDS: "you said so",
    Approval.YES: "you said yes",
    Approval.CARD: "you accepted it",
    Approval.AUTO: "you let me remember by myself",
    Approval.IMPORT: "you imported it",
    Approval.MEMBERSHIP: "the space was left",
}
ROLES = {Role.OWNER: "owner", Role.MEMBER: "member"}
MEMORY_AWAY = "I can't reach my memory just now. Please try again in a moment."
CARD_REJECTED = "All right, I will not."
SPACE_LEFT = "You left. What you had shared there is private again."
ERASED = "Everything of yours is gone."
