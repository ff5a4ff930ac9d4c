"""OpenPeppol on one machine: an access point that receives the statistics of a month, and a page that validates and shows them."""

import json
import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from xml.etree.ElementTree import Element

from aiohttp import web
from defusedxml.ElementTree import fromstring

from local_aws.network.authority.faults import Judge
from local_aws.network.peer import Peer
from local_aws.network.publisher import STATISTICS

# Its participant identifier.
PARTICIPANT = "9925:be0848934496"


class OpenPeppol:
    """Stores everything in `folder`, which is empty at the start. `judge` is set once it serves."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._judge: Judge
        self._judged: dict[str, dict] = {}

    async def serve(self, owned: AsyncExitStack, peer: Peer, judge: Judge) -> None:
        """`peer` serves the participant and accepts only these reports."""
        self._judge = judge
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        takes = [word for each in STATISTICS for word in ("--takes", each.document_type)]
        await peer.serve(owned, options=[*takes, "--out", str(self._inbox), "--keep", str(self._folder)])

    @property
    def _inbox(self) -> Path:
        return self._folder / "inbox.jsonl"

    def _came(self) -> Iterator[dict]:
        """The accepted messages in order; a repeated message is listed again."""
        lines = self._inbox.read_text().splitlines() if self._inbox.exists() else []
        for told in map(json.loads, lines):
            if told.get("instance_id") and not told["again"]:
                yield told

    async def reports(self) -> list[dict]:
        """Each received report with its findings."""
        for told in self._came():
            name = told["instance_id"]
            if name not in self._judged:
                report, named = document(self._envelope(name)), {"instance_id": name, "from": told["from"], "sender": told["sender"]}
                self._judged[name] = named | said(report) | {"faults": [fault.why for fault in await self._judge(report)]}
        return list(self._judged.values())

    def _envelope(self, instance_id: str) -> bytes:
        return (self._folder / f"{instance_id}.xml").read_bytes()

    async def _show(self, _: web.Request) -> web.Response:
        return web.json_response(await self.reports())

    async def _message(self, request: web.Request) -> web.Response:
        name = request.match_info["instance_id"]
        if name not in {each["instance_id"] for each in self._came()}:
            raise web.HTTPNotFound
        return web.Response(body=self._envelope(name), content_type="application/xml")

    def application(self) -> web.Application:
        made = web.Application()
        made.router.add_get("/reports", self._show)
        made.router.add_get("/messages/{instance_id}", self._message)
        return made


def document(envelope: bytes) -> bytes:
    """The exact bytes of the report in an envelope."""
    name = fromstring(envelope)[1].tag.rpartition("}")[2].encode()
    end = b"</" + name + b">"
    return envelope[envelope.index(b"<" + name) : envelope.rindex(end) + len(end)]


def said(report: bytes) -> dict:
    """The kind of a report and its totals."""
    root = fromstring(report)

    def text(path: str) -> str:
        return root.findtext("/".join(f"{{*}}{step}" for step in path.split("/")), "")

    kind = {"TransactionStatisticsReport": "TSR", "EndUserStatisticsReport": "EUSR"}[root.tag.rpartition("}")[2]]
    total: Element | None = root.find("{*}Total" if kind == "TSR" else "{*}FullSet")
    numbers = {} if total is None else {each.tag.rpartition("}")[2]: int(each.text or 0) for each in total}
    return {"kind": kind, "month": text("Header/ReportPeriod/StartDate")[:7], "reporter": text("Header/ReporterID"), "total": numbers}
