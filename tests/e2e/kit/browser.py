"""A person's browser without its window: keeps cookies, follows redirects, fills in the forms that are on a page."""

from dataclasses import dataclass
from html.parser import HTMLParser
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin, urlsplit

import requests


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
    """Stays within one site: where a redirect leads elsewhere, that is the answer."""

    def __init__(self, site: str):
        self.site = site
        self.session = requests.Session()
        self.session.trust_env = False
        # Browsers take Secure cookies from loopback without TLS.
        self.session.cookies.set_policy(DefaultCookiePolicy(secure_protocols=("http", "https")))

    def _ours(self, url: str) -> bool:
        return urlsplit(url).netloc == urlsplit(self.site).netloc

    def _follow(self, answer: requests.Response) -> requests.Response | str:
        while answer.is_redirect:
            assert answer.status_code == 303, answer.status_code
            to = urljoin(answer.url, answer.headers["location"])
            if not self._ours(to):
                return to
            answer = self.session.get(to, allow_redirects=False, timeout=30)
        return answer

    def get(self, url: str) -> requests.Response | str:
        """The page, or the address elsewhere that it leads to."""
        return self._follow(self.session.get(urljoin(self.site, url), allow_redirects=False, timeout=30))

    def submit(self, page: requests.Response, action: str, **fields: str) -> requests.Response | str:
        """Sends the form of the page that leads to an action, with what is filled in."""
        parser = _Forms()
        parser.feed(page.text)
        (form,) = (form for form in parser.forms if form.action == action)
        url = urljoin(page.url, form.action)
        return self._follow(self.session.post(url, data=form.fields | fields, allow_redirects=False, timeout=30))
