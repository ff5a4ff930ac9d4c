"""Judges every received report once, in order, records the verdict, and answers."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from defusedxml.ElementTree import tostring

from local_aws.console import Trouble, say
from local_aws.network import letters
from local_aws.network.authority import answers, taxdata
from local_aws.network.authority.answers import Postman
from local_aws.network.authority.faults import Fault, Judge, by_rule
from local_aws.network.authority.journal import Journal, Lines
from local_aws.network.authority.ledger import Entry
from local_aws.network.authority.rules import Answer, Rule, Rules
from local_aws.network.authority.taxdata import TaxData
from local_aws.network.pki import spid
from local_aws.network.publisher import TAX_DATA

JUDGE_AGAIN_SECONDS = 1.0


class Office:
    """`inbox` has a line for each message that as4-peer confirmed, `messages` has the envelopes."""

    def __init__(self, folder: Path, participant: str, judge: Judge, postman: Postman, rules: Rules):
        self.participant, self.rules = participant, rules
        self.messages, self._answers = folder / "messages", folder / "answers"
        for each in (self.messages, self._answers):
            each.mkdir(parents=True, exist_ok=True)
        self.inbox = Lines(folder / "inbox.jsonl")
        self.inbox.mend()
        self._journal = Journal(folder / "journal.jsonl")
        self.ledger = self._journal.ledger()
        self._judge, self._postman = judge, postman
        self._came = asyncio.Event()
        self._delivering: set[asyncio.Task] = set()

    def look(self) -> None:
        """Wakes the worker: a message may have arrived."""
        self._came.set()

    async def work(self) -> None:
        """Sends the answers that are still open, then judges new reports one after the other."""
        for entry in self.ledger.entries.values():
            self._answer(entry)
        while True:
            self._came.clear()
            for told in self.inbox.new():
                await self._take(told)
            await self._came.wait()

    async def _take(self, told: dict) -> None:
        instance_id = told.get("instance_id")
        if instance_id is None or instance_id in self.ledger.entries or told["document_type"] != TAX_DATA[0].document_type:
            return
        try:
            data, element = taxdata.read((self.messages / f"{instance_id}.xml").read_bytes())
        except taxdata.Unreadable as error:
            say(f"{instance_id}: {error}")
            return
        provider, received = spid(told["from"]), datetime.now(UTC)
        own = await self._faults(tostring(element))
        faults = own + [by_rule(each) for each in self.ledger.objections(data, provider)]
        rule = self.rules.choose(data.number, data.kind, data.role)
        entry = decided(instance_id, provider, received, data, faults, rule)
        if entry.code is not None:
            self._write(entry, faults, rule)
        self._journal.judged(entry)
        self.ledger.add(entry)
        self._answer(entry)

    async def _faults(self, document: bytes) -> list[Fault]:
        """A report is never refused because the validator failed."""
        while True:
            try:
                return await self._judge(document)
            except (Trouble, OSError) as error:
                say(f"{error}; again in {JUDGE_AGAIN_SECONDS:g} s")
                await asyncio.sleep(JUDGE_AGAIN_SECONDS)

    def _write(self, entry: Entry, faults: list[Fault], rule: Rule) -> None:
        """Stores the status in its envelope before the verdict is recorded."""
        told = faults or [by_rule(rule.reason)] if entry.code == "RE" else []
        findings = [letters.Finding(fault.place, fault.why, fault.code) for fault in told]
        envelope = letters.status(self.participant, entry.provider, entry.instance_id, entry.code, findings)
        entry.mls_instance_id = letters.instance_of(envelope)
        answers.keep(self._answers, entry.mls_instance_id, envelope)

    def _answer(self, entry: Entry) -> None:
        if entry.mls_instance_id is None or entry.answered_at is not None:
            return
        task = asyncio.create_task(self._deliver(entry))
        self._delivering.add(task)
        task.add_done_callback(self._delivered)

    async def _deliver(self, entry: Entry) -> None:
        wait = datetime.fromisoformat(entry.answer_due_at) - datetime.now(UTC)
        await asyncio.sleep(max(0.0, wait.total_seconds()))
        envelope = answers.kept(self._answers, entry.mls_instance_id).read_text()
        await self._postman.deliver(entry.provider, entry.mls_instance_id, envelope)
        entry.answered_at = datetime.now(UTC).isoformat()
        self._journal.answered(entry)

    def _delivered(self, task: asyncio.Task) -> None:
        self._delivering.discard(task)
        if not task.cancelled() and (error := task.exception()):
            say(f"an answer was given up: {error!r}")


def decided(instance_id: str, provider: str, received: datetime, data: TaxData, faults: list[Fault], rule: Rule) -> Entry:
    """The verdict that follows from a rule and the faults: a report with faults is refused, unless the rule is silent."""
    code = {Answer.ACCEPT: "AP", Answer.ACCEPT_UNCONFIRMED: "AB", Answer.REFUSE: "RE", Answer.SILENT: None}[rule.answer]
    code = "RE" if faults and code else code
    reasons = [fault.why for fault in faults]
    if code == "RE" and not faults:
        reasons = [rule.reason]
    return Entry(
        instance_id=instance_id,
        provider=provider,
        received_at=received.isoformat(),
        data=data,
        verdict={"AP": "ACCEPTED", "AB": "ACCEPTED", "RE": "REFUSED", None: None}[code],
        reasons=reasons,
        code=code,
        answer_due_at=(received + timedelta(seconds=rule.after_seconds)).isoformat() if code else None,
    )
