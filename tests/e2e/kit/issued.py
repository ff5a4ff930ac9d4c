"""Secrets that the tests were given and that no prefix tells from other texts: cookies, and the tokens of links."""

SECRETS: set[str] = set()


def noted(value: str) -> str:
    """Keeps the value of a cookie or a parameter; one that is short, such as a language, is no secret."""
    if len(value) >= 43:
        SECRETS.add(value)
    return value
