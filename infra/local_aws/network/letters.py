"""Test messages of the local network: bodies for the API, and envelopes built by hand."""

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from local_aws.network.locator import SCHEME
from local_aws.options import ROOT

UBL = "urn:oasis:names:specification:ubl:schema:xsd"
ENVELOPE = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"
STATUS = f"{UBL}:ApplicationResponse-2::ApplicationResponse##urn:peppol:edec:mls:1.0::2.1"


def invoice(number: str, recipient: dict) -> bytes:
    """A sample invoice to a business of the demo data."""
    body = json.loads((ROOT / "events" / "invoices" / "minimal.json").read_text())
    tin = recipient["participant_id"].partition(":")[2]
    body |= {"invoice_number": number}
    # A TRN is the TIN and five more digits.
    body["customer"] |= {"name": recipient["name"], "electronic_address": {"id": tin}, "vat_identifier": f"{tin}00003"}
    return json.dumps(body).encode()


_INSTANCE = r"<(?:\w+:)?InstanceIdentifier>([^<]*)(?=</(?:\w+:)?InstanceIdentifier>\s*<(?:\w+:)?Type>)"


def instance_of(envelope: str) -> str:
    """The instance identifier of an envelope, not that of one of its scopes."""
    found = re.search(_INSTANCE, envelope)
    if found is None:
        raise ValueError("the envelope has no InstanceIdentifier")
    return found[1]


def renewed(envelope: str, number: str) -> str:
    """The document with another number in another envelope."""
    changed = _replaced(_INSTANCE, str(uuid.uuid4()), envelope)
    return _replaced(r"<cbc:ID>[^<]*(?=</cbc:ID>)", number, changed)


def miscalculated(envelope: str, number: str) -> tuple[str, str]:
    """The document with an amount due that breaks ibr-co-16.

    Also returns its instance identifier.
    """
    changed = renewed(envelope, number)
    return instance_of(changed), _replaced(r"<cbc:PayableAmount [^>]*>[^<]*", "1.00", changed)


def asked(envelope: str, kind: str) -> str | None:
    """The value of the scope MLS_TYPE or MLS_TO, if present."""
    found = re.search(rf"<(?:\w+:)?Type>{kind}</(?:\w+:)?Type>\s*<(?:\w+:)?InstanceIdentifier>([^<]*)", envelope)
    return found and found[1]


def asking(envelope: str, kind: str, value: str, scheme: str = "") -> str:
    """The envelope with a scope MLS_TYPE or MLS_TO, which replaces an existing one."""
    without = re.sub(rf"<(\w+:)?Scope>\s*<(\w+:)?Type>{kind}</.*?</(\w+:)?Scope>", "", envelope, flags=re.DOTALL)
    identifier = f"<Identifier>{scheme}</Identifier>" if scheme else ""
    scope = f"<Scope><Type>{kind}</Type><InstanceIdentifier>{value}</InstanceIdentifier>{identifier}</Scope>"
    return without.replace("</BusinessScope>", f"{scope}</BusinessScope>", 1)


def _replaced(pattern: str, text: str, within: str) -> str:
    """Replaces the first element that matches a pattern, with its start tag and text."""
    found = re.search(pattern, within)
    if found is None:
        raise ValueError(f"the envelope has no {pattern}")
    start = found[0][: found[0].rindex(">") + 1]
    return within[: found.start()] + start + text + within[found.end() :]


@dataclass(frozen=True)
class Finding:
    """A finding: its location, its text and its StatusReasonCode."""

    place: str
    why: str
    code: str = "BV"


def rejection(sender: str, receiver: str, instance: str, place: str, why: str) -> str:
    """A status in its envelope: rejects the business document `instance` for an error at `place`."""
    return status(sender, receiver, instance, "RE", [Finding(place, why)])


def status(sender: str, receiver: str, instance: str, code: str, findings: Sequence[Finding] = ()) -> str:
    """A Message Level Status in its envelope, about the message of the envelope `instance` (Peppol MLS 1.1).

    `sender` and `receiver` are the participant identifiers of the providers.
    """
    now = datetime.now(UTC)
    described = f"<cbc:Description>{_text(findings[0].why)}</cbc:Description>" if findings else ""
    lines = "".join(
        f"<cac:LineResponse><cac:LineReference><cbc:LineID>{_text(finding.place)}</cbc:LineID></cac:LineReference>"
        f"<cac:Response><cbc:Description>{_text(finding.why)}</cbc:Description>"
        f"<cac:Status><cbc:StatusReasonCode>{finding.code}</cbc:StatusReasonCode></cac:Status></cac:Response></cac:LineResponse>"
        for finding in findings
    )
    content = (
        f'<ApplicationResponse xmlns="{UBL}:ApplicationResponse-2" xmlns:cac="{UBL}:CommonAggregateComponents-2" '
        f'xmlns:cbc="{UBL}:CommonBasicComponents-2">'
        "<cbc:CustomizationID>urn:peppol:edec:mls:1.0</cbc:CustomizationID><cbc:ProfileID>urn:peppol:edec:mls</cbc:ProfileID>"
        f"<cbc:ID>{uuid.uuid4()}</cbc:ID><cbc:IssueDate>{now:%Y-%m-%d}</cbc:IssueDate><cbc:IssueTime>{now:%H:%M:%S}Z</cbc:IssueTime>"
        f"<cac:SenderParty>{_endpoint(sender)}</cac:SenderParty><cac:ReceiverParty>{_endpoint(receiver)}</cac:ReceiverParty>"
        f"<cac:DocumentResponse><cac:Response><cbc:ResponseCode>{code}</cbc:ResponseCode>{described}</cac:Response>"
        f"<cac:DocumentReference><cbc:ID>{instance}</cbc:ID></cac:DocumentReference>{lines}"
        "</cac:DocumentResponse></ApplicationResponse>"
    )
    return _enveloped(sender, receiver, now, content)


# Characters that XML 1.0 does not allow.
_NO_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(text: str) -> str:
    return escape(_NO_CHARACTERS.sub("\ufffd", text))


def _endpoint(participant: str) -> str:
    scheme, _, value = participant.partition(":")
    return f'<cbc:EndpointID schemeID="{scheme}">{value}</cbc:EndpointID>'


def _enveloped(sender: str, receiver: str, now: datetime, status: str) -> str:
    """Peppol Business Message Envelope 2.0.2."""
    parties = "".join(
        f'<{role}><Identifier Authority="{SCHEME}">{participant}</Identifier></{role}>'
        for role, participant in (("Sender", sender), ("Receiver", receiver))
    )
    scopes = "".join(
        f"<Scope><Type>{kind}</Type><InstanceIdentifier>{value}</InstanceIdentifier>{scheme}</Scope>"
        for kind, value, scheme in (
            ("DOCUMENTID", STATUS, "<Identifier>busdox-docid-qns</Identifier>"),
            ("PROCESSID", "urn:peppol:edec:mls", "<Identifier>cenbii-procid-ubl</Identifier>"),
            ("COUNTRY_C1", "AE", ""),
        )
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><StandardBusinessDocument xmlns="{ENVELOPE}"><StandardBusinessDocumentHeader>'
        f"<HeaderVersion>1.0</HeaderVersion>{parties}<DocumentIdentification><Standard>{UBL}:ApplicationResponse-2</Standard>"
        f"<TypeVersion>2.1</TypeVersion><InstanceIdentifier>{uuid.uuid4()}</InstanceIdentifier><Type>ApplicationResponse</Type>"
        f"<CreationDateAndTime>{now.isoformat(timespec='milliseconds')}</CreationDateAndTime></DocumentIdentification>"
        f"<BusinessScope>{scopes}</BusinessScope></StandardBusinessDocumentHeader>{status}</StandardBusinessDocument>"
    )
