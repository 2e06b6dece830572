"""Classifies the sensitivity of a text as the database stores it; the rules are in `memory/language/sensitivity.py`."""

from db.vocabulary import Sensitivity
from memory.language.sensitivity import sensitivity_of


def classify(text: str) -> Sensitivity:
    return Sensitivity(sensitivity_of(text))
