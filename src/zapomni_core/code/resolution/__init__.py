"""Who calls whom in a repository, from the facts of its files alone."""

from zapomni_core.code.resolution.changes import changed_names
from zapomni_core.code.resolution.configuration import CONFIGURATION_NAMES
from zapomni_core.code.resolution.repository import Repository

__all__ = ["CONFIGURATION_NAMES", "Repository", "changed_names"]
