"""The simulated national tax portal over real HTTP: its businesses, appointments, changes, and faults."""

import asyncio

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from local_aws.network.tax_portal import RULES, TOKEN, PortalError, TaxPortal, checked, read

ROSE, STRANGER, UNAPPOINTED = "1001234591", "1001239999", "1001234593"


def asked(*requests):
    """The status and the answer of each request (method, path, body), in order."""

    async def ask():
        root = web.Application()
        root.add_subapp("/tax-portal", TaxPortal().application())
        async with TestClient(TestServer(root)) as client:
            answers = []
            for method, path, body in requests:
                headers = {"Authorization": f"Bearer {TOKEN}"} if body is not NOBODY else {}
                body = None if body is NOBODY else body
                response = await client.request(method, f"/tax-portal{path}", json=body, headers=headers)
                answers.append((response.status, await response.json()))
            return answers

    return asyncio.run(ask())


# A caller without a token.
NOBODY = object()


def test_the_rules_are_businesses_that_can_be_answered_of():
    businesses = read(RULES)
    assert businesses[ROSE]["appointed"] and not businesses[UNAPPOINTED]["appointed"]
    for tin, business in [
        ("2001234591", {"appointed": False}),
        (ROSE, {}),
        (ROSE, {"appointed": "yes"}),
        (ROSE, {"appointed": True}),
        (ROSE, {"appointed": True, "status": "dissolved", "details": {}}),
        (ROSE, {"appointed": False, "name": "Desert Rose"}),
    ]:
        with pytest.raises(PortalError):
            checked(tin, business)


def test_a_business_is_shown_to_who_has_the_token():
    [refused, rose, unappointed, stranger] = asked(
        ("GET", f"/businesses/{ROSE}", NOBODY),
        ("GET", f"/businesses/{ROSE}", None),
        ("GET", f"/businesses/{UNAPPOINTED}", None),
        ("GET", f"/businesses/{STRANGER}", None),
    )
    assert refused == (401, {"error": "invalid_token"})
    assert rose[0] == 200 and rose[1]["details"]["name"] == "Desert Rose LLC"
    assert unappointed == (200, {"appointed": False})
    assert stranger == (404, {"error": "unknown_tin"})


def test_a_business_is_registered_once_and_one_that_did_not_appoint_us_never():
    body = {"taxpayer_id": "txpay_1", "participant_id": f"0235:{ROSE}"}
    path = f"/businesses/{ROSE}/registration"
    [first, second, refused, stranger, registered] = asked(
        ("PUT", path, body),
        ("PUT", path, body),
        ("PUT", f"/businesses/{UNAPPOINTED}/registration", body),
        ("PUT", f"/businesses/{STRANGER}/registration", body),
        ("GET", "/registered", None),
    )
    assert [first[0], second[0], refused[0], stranger[0]] == [201, 200, 422, 404]
    assert registered[1] == {ROSE: body}


def test_what_changes_is_told_after_a_cursor():
    changed = {"appointed": True, "status": "suspended", "email": "a@b.example", "details": {}}
    [first, rest, wrong, put, after, lost] = asked(
        ("GET", "/changes?limit=2", None),
        ("GET", "/changes?after=2&limit=2", None),
        ("PUT", f"/businesses/{ROSE}", {"appointed": True}),
        ("PUT", f"/businesses/{ROSE}", changed),
        ("GET", "/changes?after=3", None),
        ("GET", "/changes?after=x", None),
    )
    assert (len(first[1]["tins"]), first[1]["cursor"], first[1]["more"]) == (2, "2", True)
    assert (len(rest[1]["tins"]), rest[1]["more"]) == (1, False)
    assert (wrong[0], put[0], lost[0]) == (400, 200, 400)
    assert after[1] == {"tins": [ROSE], "cursor": "4", "more": False}


def test_on_a_bad_day_it_answers_nothing():
    [down, silent, up, well] = asked(
        ("PUT", "/day", {"day": "down"}),
        ("GET", "/changes", None),
        ("PUT", "/day", {"day": "up"}),
        ("GET", "/changes", None),
    )
    assert [down[0], silent[0], up[0], well[0]] == [200, 503, 200, 200]
