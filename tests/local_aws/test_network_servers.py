"""The network's servers over real HTTP: the edge's days, the SMP's documents, the Directory, the revocation lists."""

import asyncio
import base64
import hashlib
import time
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from lxml import etree

from local_aws.http_api import BODY_BYTES
from local_aws.network import lookup
from local_aws.network.locator import SCHEME
from local_aws.network.pki import kept_seat, pem
from local_aws.network.publisher import DOCUMENTS, SIGNATURE, Endpoint
from local_aws.network.stand_ins import StandIns

FALCON = "0235:1001234501"


@asynccontextmanager
async def network(folder, behind="http://127.0.0.1:9/as4"):
    made = StandIns(folder)
    made.publish("PAE000901")
    edge = made.edge("a", behind, made.pki.access_point("PAE000001"))
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
async def access_point(most=1024**2):
    """Answers every message with its length; `taken` has the content types of the received ones."""
    taken = []

    async def take(request: web.Request) -> web.Response:
        taken.append(request.headers["content-type"])
        return web.Response(text=str(len(await request.read())), content_type="application/soap+xml")

    application = web.Application(client_max_size=most)
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

            async def day(name, **more):
                async with session.put(f"{edge}/day", json={"day": name} | more) as answer:
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
            assert [await day("slow", seconds=seconds) for seconds in (-1, 30, "long", 0.3)] == [400, 400, 400, 200]
            begun = time.monotonic()
            assert await message() == (200, "5") and time.monotonic() - begun >= 0.3
            assert await day("slow", seconds=5, **{"from": "PAE000001"}) == 200
            assert await message() == (200, "5") and time.monotonic() - begun < 5
            assert await day("up") == 200
            assert await message() == (200, "5")
            async with session.get(f"{edge}/day") as answer:
                assert await answer.json() == {"day": "up", "came": 7}

    asyncio.run(steps())


def test_an_edge_takes_as_much_as_the_http_api_behind_it_and_no_more(folder):
    async def steps():
        async with access_point(BODY_BYTES) as (behind, taken), network(folder, behind) as (_, edge, session):

            async def message(size):
                async with session.post(f"{edge}/as4", data=b"x" * size, headers={"content-type": "multipart/related; x=1"}) as answer:
                    return answer.status, await answer.text()

            for size in (1024**2 + 1, BODY_BYTES):
                assert await message(size) == (200, str(size))
            assert await message(BODY_BYTES + 1) == (413, "")
            assert len(taken) == 2

    asyncio.run(steps())


def canonical(element: etree._Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True)


@pytest.mark.parametrize("signed", ["", " unsigned"])
def test_an_edge_refuses_by_an_error_that_bears_its_signature_or_none(folder, signed):
    async def steps():
        async with network(folder) as (made, edge, session):
            async with session.put(f"{edge}/day", json={"day": f"EBMS:0202{signed}"}) as answer:
                assert answer.status == 200
            async with session.post(f"{edge}/as4", data=b"<eb:MessageId>1@a.test</eb:MessageId>") as answer:
                return etree.fromstring(await answer.read()), kept_seat(made.folder, "PAE000001")

    document, seat = asyncio.run(steps())
    (code,) = document.xpath("//*[local-name()='Error']/@errorCode")
    (about,) = document.xpath("//*[local-name()='RefToMessageId']/text()")
    assert (code, about) == ("EBMS:0202", "1@a.test")
    infos = document.xpath("//*[local-name()='SignedInfo']")
    assert len(infos) == (not signed)
    for info in infos:
        for name, kind in (("messaging", "Messaging"), ("body", "Body")):
            (digest,) = info.xpath(f"*[@URI='#{name}']/*[local-name()='DigestValue']/text()")
            (element,) = document.xpath(f"//*[local-name()='{kind}']")
            assert base64.b64decode(digest) == hashlib.sha256(canonical(element)).digest()
        (value,) = document.xpath("//*[local-name()='SignatureValue']/text()")
        seat.key.public_key().verify(base64.b64decode(value), canonical(info), PKCS1v15(), SHA256())


def test_bad_days_of_names_and_of_an_smp_are_about_one_participant(folder):
    async def steps():
        async with network(folder) as (made, edge, session):
            publisher, oasis = made.publishers["PAE000901"], "0235:1001234502"
            for participant in (FALCON, oasis):
                publisher.add(participant, Endpoint(f"{edge}/as4", made.pki.access_point("PAE000001").certificate), DOCUMENTS)
                made.locator.create("PAE000901", participant)
            smp = f"{made.url}/smp/PAE000901"

            async def day(url, name):
                async with session.put(f"{url}/day", json={"day": name, "participant": FALCON}) as answer:
                    return answer.status

            async def found():
                return [await lookup.find(each, made.names.address, "Invoice") for each in (FALCON, oasis)]

            assert len(await found()) == 2
            for url, name, error in ((made.names_url, "nobody", LookupError), (smp, "broken", aiohttp.ClientError)):
                assert await day(url, name) < 300
                with pytest.raises(error):
                    await found()
                await lookup.find(oasis, made.names.address, "Invoice")
                assert await day(url, "up") < 300
                assert await day(url, "sunny") == 400
            for name in ("foreign", "expired"):
                await day(smp, name)
                assert [each.smp_signer for each in await found()] == ["PAE000901"] * 2

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
