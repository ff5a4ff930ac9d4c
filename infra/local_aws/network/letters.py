"""What the access points of the local network send each other: bodies for the API, and envelopes made by hand."""

import json
import re
import uuid

from local_aws.options import ROOT


def invoice(number: str, recipient: dict) -> bytes:
    """A sample invoice to a business of the demo data."""
    body = json.loads((ROOT / "events" / "invoices" / "minimal.json").read_text())
    tin = recipient["participant_id"].partition(":")[2]
    body |= {"invoice_number": number}
    # A TRN is the TIN and five more digits.
    body["customer"] |= {"name": recipient["name"], "electronic_address": {"id": tin}, "vat_identifier": f"{tin}00003"}
    return json.dumps(body).encode()


def miscalculated(envelope: str, number: str) -> tuple[str, str]:
    """An envelope like another, with another number, and an amount due that is not what the rules compute (ibr-co-16).

    Returns its instance identifier, too.
    """
    instance = str(uuid.uuid4())
    changed = _replaced(r"<(\w+:)?InstanceIdentifier>[^<]*(?=</(\w+:)?InstanceIdentifier>\s*<(\w+:)?Type>)", instance, envelope)
    changed = _replaced(r"<cbc:ID>[^<]*(?=</cbc:ID>)", number, changed)
    return instance, _replaced(r"<cbc:PayableAmount [^>]*>[^<]*", "1.00", changed)


def _replaced(pattern: str, text: str, within: str) -> str:
    """The first element that a pattern finds, start tag and text, with another text."""
    found = re.search(pattern, within)
    if found is None:
        raise ValueError(f"the envelope has no {pattern}")
    start = found[0][: found[0].rindex(">") + 1]
    return within[: found.start()] + start + text + within[found.end() :]
