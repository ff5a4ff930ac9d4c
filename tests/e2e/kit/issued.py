"""Issued secrets without a recognizable prefix: cookies, and tokens of links."""

SECRETS: set[str] = set()


def noted(value: str) -> str:
    """Records the value of a cookie or parameter; a short value, such as a language, is no secret."""
    if len(value) >= 43:
        SECRETS.add(value)
    return value
