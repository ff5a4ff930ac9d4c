"""Validates a single Tax Data Document by schema and rules, with the product's validator or the official artefacts."""

import asyncio
import importlib.util
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from local_aws.console import Trouble

# The location of a finding that has no place in the document (Peppol MLS 1.1).
NOWHERE = "NA"


@dataclass(frozen=True)
class Fault:
    """A finding of a Message Level Status: `code` is its StatusReasonCode."""

    code: str
    place: str
    why: str


Judge = Callable[[bytes], Awaitable[list[Fault]]]


def by_schema(why: str) -> Fault:
    return Fault("SV", NOWHERE, why)


def by_rule(why: str, place: str = NOWHERE) -> Fault:
    return Fault("BV", place, why)


def product(tool: Path) -> Judge:
    """Validates with `access-point validate`."""

    async def judge(document: bytes) -> list[Fault]:
        process = await asyncio.create_subprocess_exec(
            str(tool), "validate", "--format", "json", "-",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        output, errors = await process.communicate(document)
        try:
            told = json.loads(output)
        except ValueError:
            raise Trouble(f"{tool} validate: exit status {process.returncode}, {errors.decode().strip()}") from None
        if "error" in told:
            return [by_schema(told["error"])]
        fatal = [found for found in told["findings"] if found["severity"] == "error" and found["origin"] == "rules"]
        rules = [by_rule(f"[{found['rule']}] {found['message']}", found.get("location") or NOWHERE) for found in fatal]
        return [by_schema(error) for error in told["xsd"]] + rules

    return judge


def official(reference: Path) -> Judge:
    """Validates with libxml2 and SaxonC on the official files of the folder ACCESS_POINT_REFERENCE, in a separate thread."""
    try:
        module = _load(reference / "conformance" / "oracle.py")
        from lxml import etree
    except (ImportError, FileNotFoundError) as missing:
        raise Trouble(f"the official artefacts cannot judge: {missing}; tests/requirements.txt names what they need") from None
    thread = ThreadPoolExecutor(1)
    oracle = thread.submit(module.Oracle)

    def judge(document: bytes) -> list[Fault]:
        tree = etree.fromstring(document)
        schema = oracle.result().schema("TaxData")
        schema.validate(tree)
        fired, crash = oracle.result().fired("tdd", etree.tostring(tree, encoding="unicode"))
        found = [by_schema(f"{error.line}: {error.message}") for error in schema.error_log]
        return found + [by_rule(f"[{rule}]") for rule in fired] + ([by_rule(crash)] if crash else [])

    return lambda document: asyncio.get_running_loop().run_in_executor(thread, judge, document)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("oracle", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
