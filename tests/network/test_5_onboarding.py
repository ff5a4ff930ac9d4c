"""A business onboards itself: from the national tax portal and a link in an e-mail to an active taxpayer of the network."""

import asyncio
import re

from sides import SECONDS, Side

from kit.browser import Browser
from kit.waiting import wait_for
from local_aws.network import lookup

# infra/local_aws/network/tax_portal.toml
ROSE, DEFECTIVE, NOT_APPOINTED = "1001234591", "1001234592", "1001234593"
ROSES_MAIL = "accounts@desert-rose.example"


def mails_to(side: Side, address: str) -> list[str]:
    path = side.run.logs.parent / "mails.jsonl"
    return [line for line in path.read_text().splitlines() if address in line] if path.exists() else []


def link(side: Side, address: str) -> str:
    """The path of the link in the newest mail to an address."""
    (mail,) = wait_for(f"a mail to {address}", lambda: mails_to(side, address)[-1:], SECONDS)
    return "/onboard/confirm?token=" + mail.split("/onboard/confirm?token=")[1][:43]


def asked(side: Side, tin: str, email: str) -> tuple[Browser, str]:
    """A browser that requested a link, and the page that it got."""
    browser = Browser(side.run.api_url)
    page = browser.submit(browser.get("/onboard"), "/onboard", tin=tin, email=email)
    return browser, page.text


def test_a_business_is_onboarded_and_found_in_the_network(network: dict, a: Side):
    browser, _ = asked(a, ROSE, ROSES_MAIL)
    page = browser.submit(browser.get(link(a, ROSES_MAIL)), "/onboard/confirm")
    assert "Desert Rose LLC" in page.text and "CN-4591" in page.text
    page = browser.submit(page, "/onboard/details")

    def done():
        nonlocal page
        page = browser.get(str(page.url))
        return 'action="/onboard/progress"' in page.text

    wait_for("the end of its onboarding", done, SECONDS)
    account = browser.submit(page, "/onboard/progress")
    assert "Desert Rose LLC" in account.text
    # The network finds the taxpayer.
    way = asyncio.run(lookup.find(f"0235:{ROSE}", network["network"]["name_server"], "Invoice"))
    assert (way.as4_url, way.seat) == (f"{a.edge_url}/as4", a.seat)


def test_only_who_reads_its_mail_learns_of_a_business_and_of_what_is_wrong_with_it(a: Side):
    email = "accounts@defective.example"
    others = {ROSE: "somebody@else.example", NOT_APPOINTED: "accounts@nobody.example", "1001234599": "accounts@unknown.example"}
    shown = {plain(asked(a, tin, address)[1], address) for tin, address in others.items()}
    browser, good = asked(a, DEFECTIVE, email)
    # The page is the same for every business.
    assert shown == {plain(good, email)}
    page = browser.submit(browser.get(link(a, email)), "/onboard/confirm")
    # Their mails would have arrived before.
    assert [mails_to(a, address) for address in others.values()] == [[], [], []]
    assert "Defective Details LLC" in page.text and "authority" in page.text.lower()
    assert 'action="/onboard/details"' not in page.text


def plain(page: str, email: str) -> str:
    """A page without the caller's own values."""
    return re.sub(r"apl_[0-9a-z]+", "apl_", page.replace(email, ""))
