"""The reports by transaction and role, and the checks across several reports."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from local_aws.network.authority.taxdata import TaxData

SENDER, RECEIVER = "01", "02"
SUBMIT, RESUBMIT, WITHDRAW, FAILED = "S", "R", "W", "F"
_SUBMITS = (SUBMIT, RESUBMIT)


@dataclass
class Entry:
    """A received Tax Data Document, identified by its envelope."""

    instance_id: str
    # The provider that sent it, from the certificate of its message.
    provider: str
    received_at: str
    data: TaxData
    # ACCEPTED, REFUSED, or None when the authority does not answer.
    verdict: str | None
    reasons: list[str]
    # The code of the answer; None when the authority does not answer. The report is answered once the answer has a receipt.
    code: str | None = None
    mls_instance_id: str | None = None
    answer_due_at: str | None = None
    answered_at: str | None = None

    @property
    def refused(self) -> bool:
        return self.verdict == "REFUSED"

    def as_json(self) -> dict:
        data = self.data
        return {
            "instance_id": self.instance_id,
            "kind": data.kind,
            "scope": data.scope,
            "role": data.role,
            "number": data.number,
            "document_type": data.document.type if data.document else None,
            "reporting_party": data.reporting_party,
            "receiving_party": data.receiving_party,
            "representative": data.representative,
            "transport_header_id": data.transport_header_id or None,
            "provider": self.provider,
            "received_at": self.received_at,
            "verdict": self.verdict,
            "reasons": self.reasons,
            "code": self.code,
            "mls_instance_id": self.mls_instance_id,
            "answered_at": self.answered_at,
        }


@dataclass
class Ledger:
    """Entries in the order of arrival, with indexes."""

    entries: dict[str, Entry] = field(default_factory=dict)
    _sides: dict[tuple[str, str], list[Entry]] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        self.entries[entry.instance_id] = entry
        self._sides.setdefault((entry.data.transaction, entry.data.role), []).append(entry)

    def side(self, transaction: str, role: str) -> list[Entry]:
        return self._sides.get((transaction, role), [])

    def stands(self, transaction: str, role: str) -> Entry | None:
        """The currently accepted report: the last accepted one, unless it was withdrawn."""
        accepted = [entry for entry in self.side(transaction, role) if entry.verdict == "ACCEPTED"]
        return None if not accepted or accepted[-1].data.kind == WITHDRAW else accepted[-1]

    def objections(self, data: TaxData, provider: str) -> list[str]:
        """Reasons to refuse a new report, other than its own content."""
        return [*_parties(data, provider), *self._history(data), *self._other_side(data)]

    def _history(self, data: TaxData) -> Iterator[str]:
        """Whether the earlier reports allow a report of this kind."""
        before, stands = self.side(data.transaction, data.role), self.stands(data.transaction, data.role)
        about = f"role {data.role} of {data.transaction}"
        # A report without a verdict may still be accepted.
        since = before[_after_withdrawal(before) :]
        known = [entry for entry in since if not entry.refused]
        match data.kind:
            case "S" if any(entry.data.kind in _SUBMITS for entry in since):
                yield f"{about} was submitted before: {', '.join(_ids(since))}"
            case "S" | "F" if known:
                yield f"{about} was reported before: {', '.join(_ids(known))}"
            case "R" if not any(entry.data.kind in _SUBMITS for entry in before):
                yield f"{about} was never submitted, so there is nothing to submit again"
            case "R" if stands is not None:
                yield f"{about} is accepted already: {stands.instance_id}"
            case "W" if not any(entry.data.kind in _SUBMITS for entry in before):
                yield f"{about} was never submitted, so there is nothing to withdraw"
            case "W" if not any(entry.data.kind in _SUBMITS for entry in known):
                yield f"nothing stands of {about} that could be withdrawn"

    def _other_side(self, data: TaxData) -> Iterator[str]:
        """One envelope carried one document from one party to another, so both sides must report the same."""
        other_role = RECEIVER if data.role == SENDER else SENDER
        if not data.transport_header_id:
            return
        described = [entry for entry in self.side(data.transaction, other_role) if entry.data.document and not entry.refused]
        for other in described[-1:]:
            if data.document and data.document != other.data.document:
                yield f"role {other_role} of {data.transaction} is about another document: {other.data.document}, not {data.document}"
            if data.reporting_party == other.data.reporting_party:
                yield f"role {other_role} of {data.transaction} was reported by the same party: {data.reporting_party}"

    def as_json(self) -> dict:
        transactions: dict[str, dict] = {}
        for (transaction, role), entries in self._sides.items():
            stands = self.stands(transaction, role)
            told = transactions.setdefault(transaction, {"transaction": transaction, "roles": {}})
            told["roles"][role] = {
                "accepted": stands.instance_id if stands else None,
                "reports": [entry.as_json() for entry in entries],
            }
        return {"reports": len(self.entries), "transactions": list(transactions.values())}

    def as_table(self) -> str:
        """A line for each report; a star marks the currently accepted ones."""
        lines = [_HEAD]
        for (transaction, role), entries in self._sides.items():
            stands = self.stands(transaction, role)
            lines += [_line(transaction, entry, entry is stands) for entry in entries]
        columns = list(zip(*lines, strict=True))
        widths = [max(map(len, column)) for column in columns]
        return "".join("  ".join(map(str.ljust, line, widths)).rstrip() + "\n" for line in lines)


def _after_withdrawal(entries: list[Entry]) -> int:
    """The index of the first entry after the last accepted withdrawal."""
    places = [place for place, entry in enumerate(entries) if entry.data.kind == WITHDRAW and not entry.refused]
    return places[-1] + 1 if places else 0


def _ids(entries: list[Entry]) -> list[str]:
    return [entry.instance_id for entry in entries]


def _parties(data: TaxData, provider: str) -> Iterator[str]:
    """TDD 1.0.4: the envelope goes from the reporting party to the receiving party, and the reporting provider is the sender."""
    if data.sender != data.reporting_party:
        yield f"the envelope is from {data.sender}, the report from {data.reporting_party}"
    if data.receiver != data.receiving_party:
        yield f"the envelope is to {data.receiver}, the report to {data.receiving_party}"
    if data.representative != provider:
        yield f"the representative {data.representative} did not send this: {provider} did"


_HEAD = (" ", "number", "transaction", "role", "kind", "scope", "party", "by", "received", "verdict", "answered", "instance", "reasons")


def _line(transaction: str, entry: Entry, stands: bool) -> tuple[str, ...]:
    data = entry.data
    # A reason may be long; the JSON form contains all of it.
    verdict = entry.verdict or "silent"
    return (
        "*" if stands else " ",
        data.number or "-",
        transaction,
        data.role,
        data.kind,
        data.scope,
        data.reporting_party,
        entry.provider,
        entry.received_at[:19],
        f"{verdict} {entry.code}" if entry.code else verdict,
        (entry.answered_at or "-")[:19],
        entry.instance_id,
        "; ".join(entry.reasons)[:100],
    )
