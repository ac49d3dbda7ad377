"""Take much in at once: documents, exports of other programs; and tell junk from the rest."""

from zapomni_core.intake.auditing import audit
from zapomni_core.intake.documents import Wanted
from zapomni_core.intake.exports import Export
from zapomni_core.intake.intake import Intake
from zapomni_core.intake.results import (
    Audit,
    AuditFinding,
    DocumentOutcome,
    DocumentsAdded,
    ImportFailure,
    ImportReport,
)
from zapomni_core.intake.storing import Storing

__all__ = [
    "Audit",
    "AuditFinding",
    "DocumentOutcome",
    "DocumentsAdded",
    "Export",
    "ImportFailure",
    "ImportReport",
    "Intake",
    "Storing",
    "Wanted",
    "audit",
]
