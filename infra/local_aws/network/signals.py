"""Answers of an access point, built by hand and signed with its key: invalid receipts, and every error of ebMS.

They are written in canonical form (Exclusive XML Canonicalization), so that no canonicalization is needed before signing.
"""

import base64
import hashlib
import re
import uuid
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from local_aws.network.pki import Seat

CONTENT_TYPE = "application/soap+xml;charset=UTF-8"
SOAP = "http://www.w3.org/2003/05/soap-envelope"
EBMS = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/"
SIGNALS = "http://docs.oasis-open.org/ebxml-bp/ebbp-signals-2.0"
SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
UTILITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
TOKEN = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3"
BASE64 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"
SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
CANONICAL = "http://www.w3.org/2001/10/xml-exc-c14n#"
RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
DIGEST = "http://www.w3.org/2001/04/xmlenc#sha256"

# ebMS 3.0 core, 6.7, and AS4 profile 1.0, 3.2; the last one is phase4's own.
ERRORS = {
    "EBMS:0001": "ValueNotRecognized",
    "EBMS:0003": "ValueInconsistent",
    "EBMS:0004": "Other",
    "EBMS:0005": "ConnectionFailure",
    "EBMS:0007": "MimeInconsistency",
    "EBMS:0008": "FeatureNotSupported",
    "EBMS:0009": "InvalidHeader",
    "EBMS:0010": "ProcessingModeMismatch",
    "EBMS:0011": "ExternalPayloadError",
    "EBMS:0101": "FailedAuthentication",
    "EBMS:0102": "FailedDecryption",
    "EBMS:0103": "PolicyNoncompliance",
    "EBMS:0202": "DeliveryFailure",
    "EBMS:0301": "MissingReceipt",
    "EBMS:0302": "InvalidReceipt",
    "EBMS:0303": "DecompressionFailure",
    "EBMS:4001": "DuplicateDetected",
}
# The one detail that the Peppol AS4 profile prescribes.
NOT_SERVICED = "PEPPOL:NOT_SERVICED"

_BODY = f'<S12:Body xmlns:S12="{SOAP}" xmlns:wsu="{UTILITY}" wsu:Id="body"></S12:Body>'


def message_id_of(message: bytes) -> str:
    """The eb:MessageId of a message."""
    found = re.search(rb"<(?:\w+:)?MessageId>\s*([^<\s]+)\s*<", message)
    if found is None:
        raise ValueError("the message has no MessageId")
    return found[1].decode()


def sender_of(message: bytes) -> str | None:
    """The seat that sent a message: its first eb:PartyId, that of eb:From."""
    found = re.search(rb"<(?:\w+:)?PartyId[^>]*>\s*([^<\s]+)\s*<", message)
    return found and found[1].decode()


def error(code: str, message_id: str, seat: Seat | None) -> bytes:
    """An error about a message, unsigned if there is no seat."""
    short = ERRORS[code]
    detail = NOT_SERVICED if code == "EBMS:0004" else f"A bad day: {short}"
    content = (
        f'<eb:Error category="Processing" errorCode="{code}" origin="ebMS" refToMessageInError="{message_id}" severity="failure" '
        f'shortDescription="{short}"><eb:ErrorDetail>{detail}</eb:ErrorDetail></eb:Error>'
    )
    return _signal(message_id, content, seat)


def receipt(given: bytes, message_id: str, seat: Seat, *, digest: str = "") -> bytes:
    """A receipt for a message that another access point confirmed. `digest` makes it a receipt for other content."""
    references = re.findall(r"<ds:Reference xmlns:ds=.*?</ds:Reference>", given.decode(), re.DOTALL)
    if digest:
        references = [re.sub("(<ds:DigestValue>)[^<]*", rf"\g<1>{digest}", each) for each in references]
    parts = "".join(f"<ebbp:MessagePartNRInformation>{each}</ebbp:MessagePartNRInformation>" for each in references)
    information = f'<ebbp:NonRepudiationInformation xmlns:ebbp="{SIGNALS}">{parts}</ebbp:NonRepudiationInformation>'
    return _signal(message_id, f"<eb:Receipt>{information}</eb:Receipt>", seat)


def unsigned(given: bytes) -> bytes:
    """The receipt without its signature."""
    return re.sub(rb"<wsse:Security .*</wsse:Security>", b"", given, flags=re.DOTALL)


def spoilt(given: bytes) -> bytes:
    """The receipt with a change after signing."""
    return given.replace(b"<eb:Timestamp>2", b"<eb:Timestamp>1", 1)


def _signal(ref_to: str, content: str, seat: Seat | None) -> bytes:
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    information = (
        f"<eb:MessageInfo><eb:Timestamp>{now}</eb:Timestamp><eb:MessageId>{uuid.uuid4()}@bad-days.local</eb:MessageId>"
        f"<eb:RefToMessageId>{ref_to}</eb:RefToMessageId></eb:MessageInfo>"
    )
    messaging = (
        f'<eb:Messaging xmlns:S12="{SOAP}" xmlns:eb="{EBMS}" xmlns:wsu="{UTILITY}" wsu:Id="messaging" S12:mustUnderstand="true">'
        f"<eb:SignalMessage>{information}{content}</eb:SignalMessage></eb:Messaging>"
    )
    security = "" if seat is None else _security(messaging, seat)
    return f'<S12:Envelope xmlns:S12="{SOAP}"><S12:Header>{security}{messaging}</S12:Header>{_BODY}</S12:Envelope>'.encode()


def _security(messaging: str, seat: Seat) -> str:
    references = "".join(
        f'<ds:Reference URI="#{name}"><ds:Transforms><ds:Transform Algorithm="{CANONICAL}"></ds:Transform></ds:Transforms>'
        f'<ds:DigestMethod Algorithm="{DIGEST}"></ds:DigestMethod>'
        f"<ds:DigestValue>{_base64(hashlib.sha256(content.encode()).digest())}</ds:DigestValue></ds:Reference>"
        for name, content in (("messaging", messaging), ("body", _BODY))
    )
    info = (
        f'<ds:SignedInfo xmlns:ds="{SIGNATURE}"><ds:CanonicalizationMethod Algorithm="{CANONICAL}"></ds:CanonicalizationMethod>'
        f'<ds:SignatureMethod Algorithm="{RSA_SHA256}"></ds:SignatureMethod>{references}</ds:SignedInfo>'
    )
    value = _base64(seat.key.sign(info.encode(), PKCS1v15(), SHA256()))
    certificate = _base64(seat.certificate.public_bytes(Encoding.DER))
    return (
        f'<wsse:Security xmlns:wsse="{SECURITY}" xmlns:wsu="{UTILITY}" S12:mustUnderstand="true">'
        f'<wsse:BinarySecurityToken EncodingType="{BASE64}" ValueType="{TOKEN}" wsu:Id="signer">{certificate}</wsse:BinarySecurityToken>'
        f'<ds:Signature xmlns:ds="{SIGNATURE}">{info}<ds:SignatureValue>{value}</ds:SignatureValue>'
        f'<ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference URI="#signer" ValueType="{TOKEN}"></wsse:Reference>'
        "</wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature></wsse:Security>"
    )


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
