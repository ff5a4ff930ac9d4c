"""Section 4.4: the taxpayers and grants of an organization, with Authorization alone."""

import pytest

from kit.client import detail


@pytest.fixture
def organization(falcon):
    """The demo organization, for no taxpayer."""
    return falcon.but(taxpayer_id=None)


def pages(client, path: str, limit: int):
    """What a list has, page by page."""
    query, found = {"limit": limit}, []
    while True:
        page = client.request("GET", path, params=query).json()
        assert len(page["items"]) <= limit
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        query = {"limit": limit, "cursor": page["next_cursor"]}


def test_a_connected_taxpayer_is_found_by_its_participant_id_and_acted_for(organization, run):
    """Each entry carries taxpayer_id: what the other operations take as x-ae-taxpayer-id (5.1, point 3)."""
    falcon = run.taxpayer("Falcon")
    (found,) = organization.request("GET", "/taxpayers", params={"participant_id": falcon.participant_id}).json()["items"]
    assert (found["taxpayer_id"], found["status"]) == (falcon.taxpayer_id, "active")
    assert falcon.grant_id in [grant["grant_id"] for grant in found["grants"]]
    assert organization.but(taxpayer_id=found["taxpayer_id"]).list(limit=1).status_code == 200
    details = organization.request("GET", f"/taxpayers/{found['taxpayer_id']}").json()
    assert (details["name"], details["profile"]["name"]) == (falcon.name, falcon.name)


def test_taxpayers_and_grants_are_listed_page_by_page(organization, run):
    taxpayers = {each["taxpayer_id"] for each in pages(organization, "/taxpayers", 1)}
    assert {run.taxpayer("Falcon").taxpayer_id, run.taxpayer("Oasis").taxpayer_id} <= taxpayers
    assert run.taxpayer("Pearl").taxpayer_id not in taxpayers
    grants = pages(organization, "/grants", 1)
    assert {each["taxpayer_id"] for each in grants if each["status"] == "active"} == taxpayers
    assert len({each["grant_id"] for each in grants}) == len(grants)


def test_a_taxpayer_that_granted_nothing_is_nobodys_business(organization, run):
    """7: 403, request outside the organization's grants."""
    detail(organization.request("GET", f"/taxpayers/{run.taxpayer('Pearl').taxpayer_id}"), 403, "grant_required")


def test_a_key_tells_whose_it_is(organization, run):
    me = organization.request("GET", "/me").json()
    assert (me["environment"], me["organization_id"]) == ("sandbox", run.organization_id)
    assert run.sandbox_key not in str(me)
    detail(organization.but(key=None).request("GET", "/me"), 401, "unauthorized")
