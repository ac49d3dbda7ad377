"""What can keep the settings of a client from being changed.

ConfigProblem    nothing was written; the message is for the user
├─ Unparsable    the file is not what its name says
├─ Uneditable    the entry cannot be put in, or taken out, by changing nothing else
└─ Unwritable    the file may not be changed
"""

from __future__ import annotations

__all__ = ["ConfigProblem", "Uneditable", "Unparsable", "Unwritable"]


class ConfigProblem(Exception):
    """The settings of a client were left as they are."""


class Unparsable(ConfigProblem):
    """The file is not what its name says."""


class Uneditable(ConfigProblem):
    """The entry cannot be put in, or taken out, by changing nothing else."""


class Unwritable(ConfigProblem):
    """The file may not be changed."""
