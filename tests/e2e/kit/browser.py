"""A simulated browser: it stores cookies, follows redirects, and fills in the forms of a page."""

import random
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx

from . import issued


@dataclass
class Form:
    action: str
    fields: dict[str, str]
    buttons: list[tuple[str, str]]


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.open: Form | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.open = Form(given.get("action", ""), {}, [])
            self.forms.append(self.open)
        elif tag == "input" and self.open is not None and "name" in given:
            self.open.fields[given["name"]] = given.get("value", "")
        elif tag == "button" and self.open is not None and "name" in given:
            self.open.buttons.append((given["name"], given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None


class Browser:
    """Stays within one site: a redirect to another site is returned."""

    def __init__(self, site: str):
        self.site = site
        # Each browser has a network address of its own, since the service limits the mails that one may request. Other systems
        # than Linux have one loopback address.
        place = f"127.{random.randrange(1, 255)}.{random.randrange(255)}.{random.randrange(1, 255)}" if sys.platform == "linux" else None
        self.http = httpx.Client(trust_env=False, timeout=30, transport=httpx.HTTPTransport(local_address=place))
        # Stored here, since libraries send no Secure cookie without TLS; browsers do so to loopback.
        self.cookies: dict[str, str] = {}

    def _ask(self, method: str, url: str, data: dict[str, str] | None = None) -> httpx.Response:
        header = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        answer = self.http.request(method, url, data=data, headers=header if self.cookies else {})
        for cookie in answer.headers.get_list("set-cookie"):
            assert cookie.startswith("__Host-") and "; Secure" in cookie and "; HttpOnly" in cookie, cookie
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = issued.noted(value)
        self.http.cookies.clear()
        return answer

    def _follow(self, answer: httpx.Response) -> httpx.Response | str:
        while answer.has_redirect_location:
            assert answer.status_code == 303, answer.status_code
            to = urljoin(str(answer.url), answer.headers["location"])
            if urlsplit(to).netloc != urlsplit(self.site).netloc:
                return to
            answer = self._ask("GET", to)
        return answer

    def get(self, url: str) -> httpx.Response | str:
        """The page, or the address of another site."""
        return self._follow(self._ask("GET", urljoin(self.site, url)))

    def submit(self, page: httpx.Response, action: str, **fields: str) -> httpx.Response | str:
        """Submits the form of the page with this action and these fields."""
        parser = _Forms()
        parser.feed(page.text)
        (form,) = (form for form in parser.forms if form.action == action)
        return self._follow(self._ask("POST", urljoin(str(page.url), form.action), form.fields | fields))
