"""Looks up a participant step by step in the network itself, to show the route of a message."""

import asyncio
import base64
import socket
from dataclasses import dataclass
from urllib.parse import quote

import aiohttp
from cryptography import x509
from cryptography.x509.oid import NameOID
from defusedxml.ElementTree import fromstring
from dnslib import QTYPE, RCODE, DNSRecord

from local_aws.network.locator import SCHEME, dns_name
from local_aws.network.pki import pem
from local_aws.network.publisher import ADDRESSING, IDENTIFIERS, SIGNATURE, SMP

SECONDS = 5


@dataclass(frozen=True)
class Way:
    """The result of a lookup."""

    dns_name: str
    smp: str
    # The signer of the SMP's answer.
    smp_signer: str
    document_type: str
    as4_url: str
    # The common name of the access point's certificate.
    seat: str
    # The access point's certificate in PEM.
    certificate: str


def smp_of(participant: str, name_server: str) -> str | None:
    """The SMP that DNS names, if the name exists."""
    host, port = name_server.rsplit(":", 1)
    question = DNSRecord.question(dns_name(participant), "NAPTR")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(SECONDS)
        asking.sendto(question.pack(), (host, int(port)))
        answer = DNSRecord.parse(asking.recv(4096))
    if answer.header.rcode == RCODE.NXDOMAIN:
        return None
    rule = next(each.rdata.regexp.decode() for each in answer.rr if each.rtype == QTYPE.NAPTR)
    return rule.split(rule[0])[2]


async def find(participant: str, name_server: str, root: str) -> Way:
    """Looks up a participant's first registration for documents with this root element."""
    smp = await asyncio.to_thread(smp_of, participant, name_server)
    if smp is None:
        raise LookupError(f"{participant} is not in DNS")
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    async with aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session:
        group = fromstring(await _get(session, f"{smp}/{quote(f'{SCHEME}::{participant}', safe='')}"))
        addresses = [each.get("href", "") for each in group.iter(f"{{{SMP}}}ServiceMetadataReference")]
        address = next((each for each in addresses if f"%3A%3A{root}%23%23" in each), None)
        if address is None:
            raise LookupError(f"{participant} is not registered for {root}")
        metadata = fromstring(await _get(session, address))
    certificate = _certificate(metadata.find(f".//{{{SMP}}}Certificate").text)
    document_type = metadata.find(f".//{{{IDENTIFIERS}}}DocumentIdentifier").text
    return Way(
        dns_name=dns_name(participant),
        smp=smp,
        smp_signer=_common_name(_certificate(metadata.find(f".//{{{SIGNATURE}}}X509Certificate").text)),
        document_type=document_type,
        as4_url=metadata.find(f".//{{{ADDRESSING}}}Address").text,
        seat=_common_name(certificate),
        certificate=pem(certificate),
    )


async def _get(session: aiohttp.ClientSession, url: str) -> bytes:
    # The address is already percent-encoded.
    async with session.get(aiohttp.client.URL(url, encoded=True)) as response:
        return await response.read()


def _certificate(text: str) -> x509.Certificate:
    return x509.load_der_x509_certificate(base64.b64decode(text))


def _common_name(certificate: x509.Certificate) -> str:
    return str(certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)
