"""All settings: one frozen object, each field with its variable, its meaning and what it wants."""

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from memory.setting_groups.context import Context
from memory.setting_groups.embedders import Embedders
from memory.setting_groups.learning import Learning
from memory.setting_groups.models import Models
from memory.setting_groups.running import Running
from memory.setting_groups.serving import Serving
from memory.setting_groups.storage import Storage
from memory.setting_groups.telegram import Telegram


class Settings(Telegram, Serving, Models, Embedders, Storage, Context, Learning, Running):
    model_config = ConfigDict(frozen=True, extra="ignore")


def variables() -> dict[str, FieldInfo]:
    """Every variable with its field, group by group as they are named above; the object has them in another order."""
    groups = [group for group in Settings.__bases__ if issubclass(group, BaseModel)]
    return {field.alias: field for group in groups for field in group.model_fields.values() if field.alias}
