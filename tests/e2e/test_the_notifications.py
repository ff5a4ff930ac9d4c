"""A member chooses notifications, by keyboard and without scripts, and gets the mail that was chosen, in the chosen language."""

import json

from kit.waiting import wait_for
from test_the_portal import invited, signed_in

PATH = "/sandbox/organization/notifications"


def mails_to(run, address: str) -> list[dict]:
    lines = (run.logs.parent / "mails.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if address in line]


def boxes(browser) -> dict[str, bool]:
    found = browser.driver.find_elements("css selector", "main input[type='checkbox']")
    return {box.get_attribute("id"): box.is_selected() for box in found}


def test_a_member_chooses_notifications_and_gets_them(run, browser, tenants):
    organization = tenants.organization()
    address = invited(run, organization, "viewer")
    browser.size(1_280)
    signed_in(run, browser, address)
    browser.push("nav.side a[href$='/organization/notifications']")
    browser.wait_for("When something happens")
    assert boxes(browser) == {"get-rejected": False, "get-failed": False, "get-sign_in": False, "get-digest": False}
    browser.look("notifications-1-none")

    browser.choose("#get-sign_in")
    browser.choose("#get-digest")
    browser.push("main form button")
    browser.wait_for("Your notifications were saved.")
    assert {name for name, chosen in boxes(browser).items() if chosen} == {"get-sign_in", "get-digest"}

    # In Arabic, on a phone.
    browser.size(390)
    browser.open(f"{run.api_url}{PATH}?lang=ar")
    browser.wait_for("كل صباح")
    browser.look("notifications-2-arabic")
    browser.driver.find_element("css selector", "#language option[value='ar']").click()
    browser.push("main form button")
    browser.wait_for("حُفظت إشعاراتك.")
    browser.size(1_280)

    # A sign-in after all sessions have ended is one with a new browser.
    browser.open(f"{run.api_url}/sandbox/organization/sessions?lang=en")
    browser.push("form[action$='/sign-out-everywhere'] button")
    signed_in(run, browser, address)

    def sign_ins() -> list[dict]:
        return [mail for mail in mails_to(run, address) if "تسجيل دخول جديد" in json.dumps(mail, ensure_ascii=False)]

    [mail] = wait_for("the mail about the sign-in", sign_ins)
    assert f"{run.api_url}{PATH}" in json.dumps(mail)
