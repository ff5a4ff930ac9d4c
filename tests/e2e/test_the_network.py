"""The AS4 endpoint of a deployment without a network."""

import httpx


def test_messages_of_access_points_are_refused_for_now_where_there_is_no_network(run):
    """Senders retry after 503, so nothing is lost while a deployment is not connected."""
    content_type = 'multipart/related; boundary="b"; type="application/soap+xml"'
    message = b"--b\r\nContent-Type: application/soap+xml\r\n\r\n\xff\x00\r\n--b--\r\n"
    response = httpx.post(f"{run.api_url}/as4", data=message, headers={"content-type": content_type}, timeout=30)
    assert (response.status_code, response.content) == (503, b"")


def test_the_address_of_messages_takes_nothing_but_messages(run):
    assert httpx.get(f"{run.api_url}/as4", timeout=30).status_code in (404, 405)
