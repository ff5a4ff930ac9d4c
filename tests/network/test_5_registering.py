"""Registrations: the product's SMP, the SML, the Directory, and their use by others."""

import asyncio

import httpx
import pytest
from lxml import etree
from sides import SECONDS, Side

from kit import bodies
from kit.client import detail, sent
from kit.waiting import wait_for
from local_aws.network import lookup
from local_aws.network.locator import SCHEME

CARD = {
    "entities": [
        {
            "names": [{"name": "Falcon Trading LLC", "language": "en"}],
            "country_code": "AE",
            "contacts": [{"type": "invoicing", "email": "bills@example.com"}],
        }
    ]
}


CREDIT_NOTE = {
    "type": "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote"
    "##urn:peppol:pint:billing-1@ae-1::2.1",
    "process": "urn:peppol:bis:billing",
}


def found(network: dict, participant: str, root: str = "Invoice") -> lookup.Way:
    return asyncio.run(lookup.find(participant, network["network"]["name_server"], root))


def segment(participant: str) -> str:
    return f"{SCHEME}%3A%3A{participant.replace(':', '%3A')}"


def registrations(side: Side) -> dict[str, str]:
    """The state in each register."""
    response = side.live.request("GET", "/taxpayer/registrations")
    assert response.status_code == 200, response.text
    return {each["register"]: each["state"] for each in response.json()["items"]}


@pytest.mark.parametrize("root", ["Invoice", "CreditNote"])
def test_a_taxpayer_is_found_by_the_sml_and_our_smp(network, a, root):
    way = found(network, a.participant, root)
    assert (way.smp, way.smp_signer) == (a.run.described["smp_url"], "PAE000901")
    assert (way.as4_url, way.seat) == (f"{a.edge_url}/as4", a.seat)
    assert registrations(a)["network"] == "registered"


def test_the_access_point_itself_is_found_for_statuses(network, a):
    way = found(network, a.spid, "ApplicationResponse")
    assert way.document_type.endswith("##urn:peppol:edec:mls:1.0::2.1")
    assert way.seat == a.seat


def test_our_smp_says_nothing_of_strangers(a, b):
    smp = a.run.described["smp_url"]
    assert httpx.get(f"{smp}/{segment(a.participant)}").status_code == 200
    for stranger in (b.participant, f"0235:{bodies.STRANGER_TIN}"):
        assert httpx.get(f"{smp}/{segment(stranger)}").status_code == 404
    assert httpx.get(f"{smp}/businesscard/{segment(b.participant)}").status_code == 404


def test_a_business_card_is_listed_and_taken_out_again(network, a):
    card = httpx.URL(f"{a.run.described['smp_url']}/businesscard/{segment(a.participant)}")
    index = f"{network['network']['directory_url']}/indexer/1.0/{segment(a.participant)}"
    response = a.live.request("PUT", "/taxpayer/business-card", json=CARD)
    assert response.status_code == 200, response.text
    assert a.live.request("GET", "/taxpayer/business-card").json() == response.json()
    assert httpx.get(index).status_code == 404

    assert a.live.request("PUT", "/taxpayer/directory-listing").status_code == 200
    wait_for("the Directory to list Falcon", lambda: httpx.get(index).status_code == 204, SECONDS)
    wait_for("the listing", lambda: registrations(a).get("directory") == "registered", SECONDS)
    shown = etree.fromstring(httpx.get(card).content)
    assert "Falcon Trading LLC" in shown.xpath("//@name") + shown.xpath("//*[local-name()='Name']/text()")

    assert a.live.request("DELETE", "/taxpayer/directory-listing").status_code == 200
    wait_for("the Directory to forget Falcon", lambda: httpx.get(index).status_code == 404, SECONDS)
    wait_for("the listing's end", lambda: registrations(a).get("directory") == "withdrawn", SECONDS)
    assert httpx.get(card).status_code == 404


def test_our_smp_leads_to_another_one_as_long_as_the_operator_says_so(a, b, other_program):
    whose = ("--taxpayer", a.live.taxpayer_id, "--document", "credit_note")
    with other_program.publishes(a) as (smp, signer):
        told = a.operate("register", "redirect", *whose, "--to", smp, "--certificate-uid", signer)
        assert f"\tredirect\t{smp}/" in told
        try:
            found = other_program.looks_up(a, CREDIT_NOTE)
            assert (found["outcome"], found["address"], found["seat"]) == ("found", f"{a.edge_url}/as4", a.seat)
            assert [other_program.smp in step["learned"] for step in found["steps"][-2:]] == [False, True], found
            # The other access point has not looked up credit notes yet.
            body = bodies.credit_note(customer=a.party())
            sent(b.live.send(body, "credit_note"))
            assert a.arrived(bodies.number_of(body))
        finally:
            told = a.operate("register", "end-redirect", *whose)
    assert "redirect" not in told
    assert len(other_program.looks_up(a, CREDIT_NOTE)["steps"]) == len(found["steps"]) - 1


def test_a_taxpayer_moves_to_another_smp_and_comes_back(network, a, b, locator):
    """Both with a migration key that one SMP sets and the other passes to the SML."""
    whose, ours = ("--taxpayer", a.live.taxpayer_id), a.run.described["smp_url"]
    key = wait_for("the key", lambda: migration_key(a, whose), SECONDS)
    assert (registrations(a)["network"], smp_of(network, a)) == ("prepared", ours)
    locator.take_over(a.participant, key)
    assert smp_of(network, a) not in (ours, None)
    # Senders with a cached lookup still send to the old access point, until the taxpayer is withdrawn there too.
    body = bodies.invoice(customer=a.party())
    sent(b.live.send(body))
    assert a.arrived(bodies.number_of(body))
    a.operate("register", "withdraw", *whose)
    wait_for("the withdrawal", lambda: registrations(a)["network"] == "withdrawn", SECONDS)
    # It belongs to the other SMP, so the product's SMP cannot remove it from DNS.
    assert smp_of(network, a) not in (ours, None)

    locator.prepare(a.participant, "Ours-Again-2026!")
    a.operate("register", "begin", *whose, "--migration-key", "Ours-Again-2026!")
    wait_for("the registration", lambda: registrations(a)["network"] == "registered", SECONDS)
    assert smp_of(network, a) == ours
    sent(b.live.send(bodies.invoice(customer=a.party())))


def migration_key(side: Side, whose: tuple[str, ...]) -> str | None:
    """The migration key of a taxpayer, once the SML has it."""
    _, _, _, status, key = side.operate("register", "migrate-out", *whose).strip("\n").split("\t")
    return key if status == "prepared" else None


def smp_of(network: dict, side: Side) -> str | None:
    """The SMP that DNS names."""
    return lookup.smp_of(side.participant, network["network"]["name_server"])


def test_who_is_withdrawn_is_served_no_more_until_he_is_registered_again(network, a, b):
    sent(b.live.send(bodies.invoice(customer=a.party())))
    a.operate("register", "withdraw", "--taxpayer", a.live.taxpayer_id)
    try:
        wait_for("the withdrawal", lambda: registrations(a)["network"] == "withdrawn", SECONDS)
        with pytest.raises(LookupError):
            found(network, a.participant)
        # The sender uses its cached lookup; the access point refuses the document.
        body, key = bodies.invoice(customer=a.party()), bodies.unique("key")
        first = detail(b.live.send(body, key=key), 422, "transmission_refused")
        (failed,) = b.live.list(direction="outbound", number=bodies.number_of(body)).json()["items"]
        assert failed["status"] == "failed"
        (attempt,) = b.attempts(failed["document_id"])
        assert (attempt["outcome"], attempt["ebms_code"]) == ("refused", "EBMS:0004")
        assert "PEPPOL:NOT_SERVICED" in attempt["cause"]
        b.webhooks.wait_for("document.status", failed["document_id"])
        again = detail(b.live.send(body, key=key), 422, "transmission_refused")
        assert (again["message"], again["errors"]) == (first["message"], first["errors"])
        assert len(b.attempts(failed["document_id"])) == 1
    finally:
        a.operate("register", "begin", "--taxpayer", a.live.taxpayer_id)
    wait_for("the registration", lambda: registrations(a)["network"] == "registered", SECONDS)
    sent(b.live.send(bodies.invoice(customer=a.party())))
