"""All settings: one frozen object, each field with its variable, its meaning and what it wants."""

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from memory.settings.groups.context import ContextSettings
from memory.settings.groups.embedders import EmbedderSettings
from memory.settings.groups.learning import LearningSettings
from memory.settings.groups.models import ModelSettings
from memory.settings.groups.observability import ObservabilitySettings
from memory.settings.groups.serving import ServingSettings
from memory.settings.groups.storage import StorageSettings
from memory.settings.groups.telegram import TelegramSettings


class Settings(
    TelegramSettings,
    ServingSettings,
    ModelSettings,
    EmbedderSettings,
    StorageSettings,
    ContextSettings,
    LearningSettings,
    ObservabilitySettings,
):
    model_config = ConfigDict(frozen=True, extra="ignore")


def variables() -> dict[str, FieldInfo]:
    """Every variable with its field, group by group as they are named above; the object has them in another order."""
    groups = [group for group in Settings.__bases__ if issubclass(group, BaseModel)]
    return {field.alias: field for group in groups for field in group.model_fields.values() if field.alias}
