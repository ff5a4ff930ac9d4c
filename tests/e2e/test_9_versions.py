"""Section 9: versioning and the older paths."""

import pytest

from kit import bodies
from kit.client import sent


@pytest.mark.parametrize("prefix", ["/v1", "/api/v1", "/api"])
@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_the_aliases_send(falcon, prefix, operation):
    """9, points 1 and 2: the version is the v1 segment; /api/v1/… and /api/… keep working."""
    client = falcon.but(prefix=prefix)
    document = sent(client.send(bodies.BUILDERS[operation](), operation))
    assert client.get(document["document_id"]).json() == document
    assert client.ubl(document["document_id"]).content == falcon.ubl(document["document_id"]).content


@pytest.mark.parametrize("prefix", ["/v1", "/api/v1", "/api"])
def test_the_aliases_validate_and_list(falcon, prefix):
    """9, point 2: /api/v1/… and /api/… aliases keep working."""
    client = falcon.but(prefix=prefix)
    assert client.validate(bodies.invoice()).json()["valid"] is True
    assert client.list(limit=1).status_code == 200


def test_a_key_used_on_one_path_is_the_same_key_on_another(falcon):
    """9, point 2, with 3.3: an alias is the same operation."""
    body, key = bodies.invoice(), bodies.unique("key")
    first = falcon.send(body, key=key)
    again = falcon.but(prefix="/api").send(body, key=key)
    assert again.content == first.content and again.headers["idempotent-replayed"] == "true"


@pytest.mark.parametrize("prefix", ["/v2", "/api/v2", ""])
def test_there_is_no_other_version(falcon, prefix):
    """9, point 1: a breaking change ships as a new version; there is none yet."""
    assert falcon.but(prefix=prefix).list().status_code == 404
