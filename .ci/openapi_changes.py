"""Finds the changes of the OpenAPI document that break existing clients.

    openapi_changes.py OLD NEW

Prints each breaking change, and exits with 1 when one is not in CORRECTIONS. A client may rely on the old document: the service
still accepts the client's requests, and each field that the client reads still exists with the same type. Additions to
responses break nothing: clients ignore unknown fields, events and values of open lists, as the document requires.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

METHODS = ("get", "put", "post", "delete", "patch")
# Limits of requests: a greater value of the first group, or a smaller one of the second, allows less.
LEAST = ("minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum")
MOST = ("maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum")

# Errors of the old document that were corrected, in the words of this program, with the reason why no working client breaks.
NEVER_WITHOUT = "the service has refused every request without it, with 400, since there is the operation"
CORRECTIONS = {
    "POST /archives: the query parameter issued_from is required": NEVER_WITHOUT,
    "POST /archives: the query parameter issued_to is required": NEVER_WITHOUT,
    # RFC 5321, section 4.5.3.1.3.
    "PUT /taxpayer/business-card body.entities[].contacts[].email: maxLength is 254, was 500": "no mailbox has a longer address",
}


@dataclass(frozen=True)
class Document:
    """A document with a function that follows references."""

    root: dict

    def follow(self, value: dict) -> dict:
        while "$ref" in value:
            target = self.root
            for part in value["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            # Keywords beside a reference only describe the value.
            value = target
        return value

    def operations(self) -> dict[str, dict]:
        found = {}
        for path, item in self.root.get("paths", {}).items():
            found |= {f"{method.upper()} {path}": item[method] for method in METHODS if method in item}
        return found

    def events(self) -> dict[str, dict]:
        return {f"event {name}": self.follow(item)["post"] for name, item in self.root.get("webhooks", {}).items()}


@dataclass(frozen=True)
class Comparison:
    """Two documents, and the direction of the compared schema: `sent` by clients, or read by them."""

    old: Document
    new: Document
    sent: bool

    def schemas(self, where: str, old: dict, new: dict, seen: frozenset = frozenset()) -> Iterator[str]:
        # A schema can be recursive only through a reference.
        pair = (old.get("$ref"), new.get("$ref"))
        if pair != (None, None):
            if pair in seen:
                return
            seen |= {pair}
        old, new = self.old.follow(old), self.new.follow(new)
        yield from self._types(where, old, new)
        yield from self._values(where, old, new)
        if self.sent:
            yield from self._limits(where, old, new)
        yield from self._members(where, old, new, seen)
        if "items" in old and "items" in new:
            yield from self.schemas(f"{where}[]", old["items"], new["items"], seen)
        for name in ("oneOf", "anyOf", "allOf"):
            yield from self._forms(where, old.get(name, []), new.get(name, []), seen)

    def _types(self, where: str, old: dict, new: dict) -> Iterator[str]:
        before, after = types(old), types(new)
        # A schema without a type allows any type.
        if self.sent and after and not (before and before <= after):
            yield f"{where}: takes {said(after)}, took {said(before)}"
        if not self.sent and before and not (after and after <= before):
            yield f"{where}: is {said(after)}, was {said(before)}"
        # A response keeps its format; a request gets no new format.
        kept, other = (new, old) if self.sent else (old, new)
        if "format" in kept and kept["format"] != other.get("format"):
            yield f"{where}: its format is {new.get('format', 'none')}, was {old.get('format', 'none')}"

    def _values(self, where: str, old: dict, new: dict) -> Iterator[str]:
        if not self.sent:
            return
        before, after = values(old), values(new)
        if after is not None and (before is None or before - after):
            gone = "any value" if before is None else ", ".join(sorted(before - after))
            yield f"{where}: does not take {gone} any more"

    def _limits(self, where: str, old: dict, new: dict) -> Iterator[str]:
        for name in (*LEAST, *MOST):
            before, after = old.get(name), new.get(name)
            narrower = after is not None and (before is None or (after > before if name in LEAST else after < before))
            if narrower and not (before is None and name in LEAST and after == 0):
                yield f"{where}: {name} is {after}, was {'not there' if before is None else before}"
        if new.get("pattern") not in (None, old.get("pattern")):
            yield f"{where}: has another pattern, {new['pattern']}"

    def _members(self, where: str, old: dict, new: dict, seen: frozenset) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        needed = set(new.get("required", [])) - set(old.get("required", []))
        for name in sorted(before.keys() - after.keys()):
            # The service refuses unknown fields.
            yield f"{where}.{name}: is gone"
        if self.sent:
            for name in sorted(needed):
                yield f"{where}.{name}: is required"
        else:
            for name in sorted(set(old.get("required", [])) - set(new.get("required", [])) & after.keys()):
                if name in after:
                    yield f"{where}.{name}: may be absent"
        for name in sorted(before.keys() & after.keys()):
            yield from self.schemas(f"{where}.{name}", before[name], after[name], seen)

    def _forms(self, where: str, old: list[dict], new: list[dict], seen: frozenset) -> Iterator[str]:
        """For requests, some new form must accept each old form; for responses, the other way round."""
        kept, offered = (old, new) if self.sent else (new, old)
        if not (kept and offered):
            return
        for form in kept:
            pairs = ((form, other) if self.sent else (other, form) for other in offered)
            found = [list(self.schemas(where, one, other, seen)) for one, other in pairs]
            if all(found):
                yield min(found, key=len)[0]


def types(schema: dict) -> set[str]:
    named = schema.get("type", [])
    return {named} if isinstance(named, str) else set(named)


def values(schema: dict) -> set[str] | None:
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    return None if listed is None else {json.dumps(value) for value in listed}


def said(names: set[str]) -> str:
    return " or ".join(sorted(names)) or "anything"


def contents(old: dict, new: dict, where: str, comparison: Comparison) -> Iterator[str]:
    for kind, body in old.get("content", {}).items():
        if kind not in new.get("content", {}):
            yield f"{where}: there is no {kind} any more"
        else:
            yield from comparison.schemas(where, body.get("schema", {}), new["content"][kind].get("schema", {}))


def operation(name: str, was: dict, now: dict, old: Document, new: Document) -> Iterator[str]:
    sent, read = Comparison(old, new, sent=True), Comparison(old, new, sent=False)
    before = {key(it): it for it in map(old.follow, was.get("parameters", []))}
    after = {key(it): it for it in map(new.follow, now.get("parameters", []))}
    for one in sorted(before.keys() - after.keys()):
        yield f"{name}: the {one[0]} parameter {one[1]} is gone"
    for one in sorted(after):
        if after[one].get("required") and not before.get(one, {}).get("required"):
            yield f"{name}: the {one[0]} parameter {one[1]} is required"
        if one in before:
            yield from sent.schemas(f"{name} {one[1]}", before[one].get("schema", {}), after[one].get("schema", {}))
    body, other = old.follow(was.get("requestBody", {})), new.follow(now.get("requestBody", {}))
    if other.get("required") and not body.get("required"):
        yield f"{name}: a body is required"
    yield from contents(body, other, f"{name} body", sent)
    for status, answer in was.get("responses", {}).items():
        # Errors are identified by codes, and codes may be added or removed.
        if not status.startswith("2"):
            continue
        if status not in now.get("responses", {}):
            yield f"{name}: is not answered with {status} any more"
            continue
        yield from contents(old.follow(answer), new.follow(now["responses"][status]), f"{name} {status}", read)
    if was.get("security") and not all(scheme in now.get("security", []) for scheme in was["security"]):
        yield f"{name}: a credential that was taken is not"


def key(parameter: dict) -> tuple[str, str]:
    return parameter["in"], parameter["name"]


def breaking(was: dict, now: dict) -> list[str]:
    """Describes every breaking change."""
    old, new = Document(was), Document(now)
    found = []
    for name, before in old.operations().items():
        after = new.operations().get(name)
        found += [f"{name}: is gone"] if after is None else operation(name, before, after, old, new)
    for name, before in old.events().items():
        after = new.events().get(name)
        if after is None:
            found.append(f"{name}: is gone")
            continue
        body, other = old.follow(before.get("requestBody", {})), new.follow(after.get("requestBody", {}))
        found += contents(body, other, name, Comparison(old, new, sent=False))
    errors = Comparison(old, new, sent=False)
    shapes = [document.root.get("components", {}).get("schemas", {}).get("ErrorResponse") for document in (old, new)]
    if shapes[0]:
        found += errors.schemas("error", shapes[0], shapes[1] or {})
    return sorted(set(found))


def main(old: str, new: str) -> int:
    was, now = (json.loads(Path(name).read_text(encoding="utf-8")) for name in (old, new))
    found = breaking(was, now)
    for each in found:
        print(f"corrects: {each}; {CORRECTIONS[each]}" if each in CORRECTIONS else f"breaks: {each}")
    return 0 if CORRECTIONS.keys() >= set(found) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
