"""Rules that decide the authority's answer to a document, and whether the authority is reachable.

The rules are in a TOML or JSON file and can change at run time. The first matching rule decides. Without a match, a document without faults
is accepted. A document with faults is refused by every rule except `silent`.
"""

import json
import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from local_aws.network.edge import Day

LONGEST_DELAY_SECONDS = 48 * 3600


class RulesError(ValueError):
    """The rules are invalid."""


class Answer(StrEnum):
    """The answer in the Message Level Status."""

    ACCEPT = "accept"
    # Accepted without confirmation (AB).
    ACCEPT_UNCONFIRMED = "accept-unconfirmed"
    REFUSE = "refuse"
    SILENT = "silent"


@dataclass(frozen=True)
class Rule:
    """Matches reports whose document number matches this pattern as a whole, optionally of one kind and role only."""

    number: re.Pattern[str]
    answer: Answer = Answer.ACCEPT
    reason: str = "Refused by a rule of this authority."
    kind: str | None = None
    role: str | None = None
    # Delay of the answer after the message.
    after_seconds: float = 0

    def fits(self, number: str, kind: str, role: str) -> bool:
        return self.number.fullmatch(number) is not None and self.kind in (None, kind) and self.role in (None, role)


@dataclass(frozen=True)
class Rules:
    rules: tuple[Rule, ...] = ()
    day: Day = Day.UP

    def choose(self, number: str, kind: str, role: str) -> Rule:
        return next((rule for rule in self.rules if rule.fits(number, kind, role)), _OTHERWISE)

    def as_json(self) -> dict:
        return {"day": self.day.value, "rules": [_shown(rule) for rule in self.rules]}

    def changed(self, content: object) -> "Rules":
        """The rules with a new day, new rules, or both; parts that the caller leaves out stay unchanged."""
        if not isinstance(content, dict) or not content.keys() <= {"day", "rules"}:
            raise RulesError('rules are {"day": …, "rules": [{"number": …, "answer": …}]}, either may be left out')
        rules = content.get("rules")
        if rules is not None and not isinstance(rules, list):
            raise RulesError("rules is a list")
        return Rules(self.rules if rules is None else tuple(map(_rule, rules)), _day(content.get("day", self.day)))


_OTHERWISE = Rule(re.compile(".*", re.DOTALL))


def read(path: Path) -> Rules:
    """Reads the rules of a file."""
    text = path.read_text()
    try:
        content = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except ValueError as error:
        raise RulesError(f"{path}: {error}") from None
    return Rules().changed(content)


def _shown(rule: Rule) -> dict:
    shown = {"number": rule.number.pattern, "answer": rule.answer.value, "after_seconds": rule.after_seconds}
    if rule.answer is Answer.REFUSE:
        shown["reason"] = rule.reason
    return shown | {name: value for name in ("kind", "role") if (value := getattr(rule, name)) is not None}


def _day(name: object) -> Day:
    try:
        return Day(name)
    except ValueError:
        raise RulesError(f"day is one of {', '.join(Day)}") from None


def _rule(content: object) -> Rule:
    fields = {"number", "answer", "reason", "kind", "role", "after_seconds"}
    if not isinstance(content, dict) or not content.keys() <= fields or "number" not in content:
        raise RulesError(f"a rule has number, and may have {', '.join(sorted(fields - {'number'}))}: {content!r}")
    given = dict(content)
    for name in fields & given.keys() - {"after_seconds"}:
        if not isinstance(given[name], str):
            raise RulesError(f"{name} of a rule is text: {given[name]!r}")
    try:
        given["number"] = re.compile(given["number"])
        given["answer"] = Answer(given.get("answer", Answer.ACCEPT))
        given["after_seconds"] = float(given.get("after_seconds", 0))
    except (re.error, ValueError, TypeError) as error:
        raise RulesError(f"{content!r}: {error}") from None
    if not 0 <= given["after_seconds"] <= LONGEST_DELAY_SECONDS:
        raise RulesError(f"after_seconds is from 0 to {LONGEST_DELAY_SECONDS}: {content!r}")
    return Rule(**given)
