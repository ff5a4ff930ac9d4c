"""The stand-ins over real HTTP: the edge's days, the SMP's documents, the Directory, the revocation lists."""

import asyncio
import hashlib
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from lxml import etree

from local_aws.network import lookup
from local_aws.network.locator import SCHEME
from local_aws.network.pki import pem
from local_aws.network.publisher import DOCUMENTS, SIGNATURE, Endpoint
from local_aws.network.stand_ins import StandIns

FALCON = "0235:1001234501"


@asynccontextmanager
async def network(folder, behind="http://127.0.0.1:9/as4"):
    made = StandIns(folder)
    made.publish("PAE000901")
    edge = made.edge("a", behind)
    await made.listen()
    try:
        async with aiohttp.ClientSession() as session:
            yield made, edge, session
    finally:
        await made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("keys")


@asynccontextmanager
async def access_point():
    """Answers every message with its length; `taken` has the types of those that came."""
    taken = []

    async def take(request: web.Request) -> web.Response:
        taken.append(request.headers["content-type"])
        return web.Response(text=str(len(await request.read())), content_type="application/soap+xml")

    application = web.Application()
    application.router.add_post("/as4", take)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    try:
        yield f"http://{host}:{port}/as4", taken
    finally:
        await runner.cleanup()


def test_an_edge_hands_over_or_hangs_up_as_it_is_told(folder):
    async def steps():
        async with access_point() as (behind, taken), network(folder, behind) as (_, edge, session):

            async def message():
                async with session.post(f"{edge}/as4", data=b"12345", headers={"content-type": "multipart/related; x=1"}) as answer:
                    return answer.status, await answer.text()

            async def day(name):
                async with session.put(f"{edge}/day", json={"day": name}) as answer:
                    return answer.status

            assert await message() == (200, "5")
            assert await day("down") == 200
            with pytest.raises(aiohttp.ClientError):
                await message()
            assert taken == ["multipart/related; x=1"]
            assert await day("deaf") == 200
            with pytest.raises(aiohttp.ClientError):
                await message()
            assert len(taken) == 2
            assert await day("busy") == 200
            assert (await message())[0] == 503
            assert len(taken) == 2
            assert await day("sunny") == 400
            assert await day("up") == 200
            assert await message() == (200, "5")
            async with session.get(f"{edge}/day") as answer:
                assert await answer.json() == {"day": "up", "came": 5}

    asyncio.run(steps())


def test_an_edge_with_nobody_behind_it_says_so(folder):
    async def steps():
        async with network(folder) as (_, edge, session), session.post(f"{edge}/as4", data=b"x") as answer:
            assert answer.status == 502

    asyncio.run(steps())


def test_a_participant_is_found_by_dns_and_smp(folder):
    async def steps():
        async with network(folder) as (made, edge, _):
            seat = made.pki.access_point("PAE000001")
            made.publishers["PAE000901"].add(FALCON, Endpoint(f"{edge}/as4", seat.certificate), DOCUMENTS)
            with pytest.raises(LookupError):
                await lookup.find(FALCON, made.names.address, "Invoice")
            made.locator.create("PAE000901", FALCON)
            way = await lookup.find(FALCON, made.names.address, "CreditNote")
            assert (way.smp, way.smp_signer) == (f"{made.url}/smp/PAE000901", "PAE000901")
            assert (way.as4_url, way.seat) == (f"{edge}/as4", "PAE000001")
            assert "CreditNote##urn:peppol:pint:billing-1@ae-1*" in way.document_type

    asyncio.run(steps())


def test_an_smp_is_told_of_a_participant_that_came_later(folder):
    async def steps():
        async with network(folder) as (made, edge, session):
            services = [[each.document_type, each.process] for each in DOCUMENTS[:1]]
            told = {"address": f"{edge}/as4", "certificate": pem(made.pki.access_point("PAE000001").certificate), "services": services}
            address = aiohttp.client.URL(f"{made.url}/smp/PAE000901/{SCHEME}%3A%3A{FALCON.replace(':', '%3A')}", encoded=True)
            async with session.put(address, json=told) as answer:
                assert answer.status == 204
            made.locator.create("PAE000901", FALCON)
            way = await lookup.find(FALCON, made.names.address, "Invoice")
            assert (way.as4_url, way.seat) == (f"{edge}/as4", "PAE000001")
            with pytest.raises(LookupError):
                await lookup.find(FALCON, made.names.address, "CreditNote")

    asyncio.run(steps())


def test_what_an_smp_says_bears_its_signature_over_the_canonical_document(folder):
    async def steps():
        async with network(folder) as (made, edge, session):
            publisher = made.publishers["PAE000901"]
            publisher.add(FALCON, Endpoint(f"{edge}/as4?a=1&b=2", made.pki.access_point("PAE000001").certificate), DOCUMENTS)
            async with session.get(f"{made.url}/smp/PAE000901/{SCHEME}%3A%3A{FALCON.replace(':', '%3A')}") as answer:
                group = etree.fromstring(await answer.read())
            (address, *rest) = group.xpath("//@href")
            assert len(rest) == 3
            async with session.get(aiohttp.client.URL(address, encoded=True)) as answer:
                document = etree.fromstring(await answer.read())
            async with session.get(f"{address}x") as answer:
                assert answer.status == 404
            return made.pki.publisher("PAE000901").certificate.public_key(), document

    key, document = asyncio.run(steps())
    signature = document.find(f"{{{SIGNATURE}}}Signature")
    info = signature.find(f"{{{SIGNATURE}}}SignedInfo")
    value = _decoded(signature, "SignatureValue")
    key.verify(value, etree.tostring(info, method="c14n"), PKCS1v15(), SHA256())
    digest = _decoded(info, "DigestValue")
    document.remove(signature)
    assert hashlib.sha256(etree.tostring(document, method="c14n")).digest() == digest


def _decoded(within, name: str) -> bytes:
    import base64

    return base64.b64decode(within.find(f".//{{{SIGNATURE}}}{name}").text)


def test_the_directory_lists_who_is_put_there(folder):
    async def steps():
        async with network(folder) as (made, _, session):
            address = f"{made.directory_url}/indexer/1.0/"
            one = aiohttp.client.URL(f"{address}{SCHEME}%3A%3A{FALCON.replace(':', '%3A')}", encoded=True)
            async with session.get(one) as answer:
                assert answer.status == 404
            async with session.put(address, data=f"{SCHEME}::{FALCON}") as answer:
                assert answer.status == 204
            async with session.get(one) as answer:
                assert answer.status == 204
            async with session.put(address, data=FALCON) as answer:
                assert answer.status == 400
            async with session.delete(one) as answer:
                assert answer.status == 204
            assert made.directory.listed == set()
            assert made.directory.asked == [("PUT", FALCON), ("DELETE", FALCON)]

    asyncio.run(steps())


def test_revocation_lists_are_where_certificates_say(folder):
    async def steps():
        async with network(folder) as (made, _, session):
            certificate = made.pki.access_point("PAE000001").certificate
            (point,) = certificate.extensions.get_extension_for_class(x509.CRLDistributionPoints).value
            async with session.get(point.full_name[0].value) as answer:
                assert answer.content_type == "application/pkix-crl"
                assert x509.load_der_x509_crl(await answer.read()).issuer == certificate.issuer
            async with session.get(f"{made.url}/crl/other.crl") as answer:
                assert answer.status == 404

    asyncio.run(steps())
