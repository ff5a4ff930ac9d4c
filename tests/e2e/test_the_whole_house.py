"""Runs after all tests of pages: every page was checked and every form was submitted by keyboard; and the checker itself finds the
faults that it looks for. The pages of onboarding are tested in tests/network, which has a national portal."""

import pytest

from kit import house
from kit.served import site

# The files that check pages and submit forms; only after all of them is the list complete.
TESTS = {
    "test_imports",
    "test_the_documents_of_people",
    "test_the_first_mile",
    "test_the_forms",
    "test_the_handwritten",
    "test_the_notifications",
    "test_the_pages",
    "test_the_portal",
}
ONBOARDING = {"/onboard", "/onboard/confirm", "/onboard/details", "/onboard/progress", "/onboard/sent"}
FAULTS = {
    "color-contrast": "<p style='color: #ccc'>Hardly to be read</p>",
    "too wide": "<p style='inline-size: 2000px'>Wide</p>",
    "label": "<details><summary>More</summary><input></details>",
    "unfolded is too wide": "<details><summary>More</summary><p style='inline-size: 2000px'>Wide</p></details>",
    "Content Security Policy": "<script>var nothing</script>",
    "http://127.0.0.2": "<img alt='' src='http://127.0.0.2:1/nothing.png'>",
    "broken": "<script src='/script.js'></script>",
}
GOOD = "<details><summary>More</summary><p>Text</p></details>"
PAGE = "<!doctype html><html lang='en'><title>Page</title><meta name='viewport' content='width=device-width'><main><h1>Page</h1>%s</main>"


@pytest.fixture(scope="module")
def faulty():
    """Pages with one fault each, by number, and one without a fault."""

    def answer(path):
        script = path == "/script.js"
        headers = {
            "content-type": "text/javascript" if script else "text/html; charset=utf-8",
            "content-security-policy": "script-src 'self'",
        }
        number = path.removeprefix("/")
        fault = list(FAULTS.values())[int(number)] if number.isdigit() else GOOD
        body = b"throw new Error('broken')" if script else (PAGE % fault).encode()
        return 404 if path == "/favicon.ico" else 200, headers, body

    with site(answer) as address:
        yield address


def test_the_judge_sees_what_it_looks_for(browser, axe, faulty):
    for number, told in enumerate(FAULTS):
        browser.open(f"{faulty}/{number}")
        with pytest.raises(AssertionError, match=told):
            browser.judge("faulty", axe)
        browser.scripts(run=False)
    browser.open(f"{faulty}/good")
    browser.judge("good", axe)
    assert not browser.driver.find_elements("css selector", "details[open]"), "a page is left as it was"
    with pytest.raises(AssertionError, match="200"):
        browser.judge("good", axe, status=404)


def test_no_page_and_no_form_is_left_out(request):
    house.only_after(request, TESTS)
    assert {language: house.not_judged(language) - ONBOARDING for language in ("en", "ar")} == {"en": set(), "ar": set()}
    assert house.not_pushed() - ONBOARDING == set()
