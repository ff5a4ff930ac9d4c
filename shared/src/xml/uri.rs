//! Checks whether text is a URI reference (RFC 3986 section 4.1), as a namespace name must be.

/// Whether the text is a URI or a relative reference.
pub(super) fn is_reference(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    let free = |text: &str, more: &[u8]| all(text, |byte| is_pchar(byte) || more.contains(&byte));
    // libxml2 accepts brackets in a fragment, although the RFC does not.
    free(fragment, b"/?[]") && free(query, b"/?") && (is_absolute(text) || is_relative(text))
}

/// `scheme ":" hier-part`.
fn is_absolute(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(letters)
        && (is_hierarchical(rest) || is_path(rest))
}

/// `relative-part`: as `hier-part` without a scheme. The first segment has no colon.
fn is_relative(text: &str) -> bool {
    let first = text.split('/').next().unwrap_or_default();
    is_hierarchical(text) || (!first.contains(':') && is_path(text))
}

/// `"//" authority path-abempty`.
fn is_hierarchical(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("//") else { return false };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (user, place) = authority.rsplit_once('@').unwrap_or(("", authority));
    let colon = place.rfind(':').filter(|colon| !place[*colon..].contains(']'));
    let (host, port) = place.split_at(colon.unwrap_or(place.len()));
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let registered = |byte: u8| is_pchar(byte) && !matches!(byte, b':' | b'@');
    all(user, |byte| is_pchar(byte) && byte != b'@')
        // The RFC allows a colon without a port; libxml2 does not.
        && port != ":"
        && port.bytes().skip(1).all(|byte| byte.is_ascii_digit())
        && (literal.is_some() || all(host, registered))
        && all(path, |byte| is_pchar(byte) || byte == b'/')
}

/// A path without authority. It must not begin with two slashes.
fn is_path(text: &str) -> bool {
    !text.starts_with("//") && all(text, |byte| is_pchar(byte) || byte == b'/')
}

/// `pchar`, including the percent sign, whose digits [`all`] checks.
fn is_pchar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:@".contains(&byte)
}

/// Whether every byte is allowed and two hexadecimal digits follow every percent sign.
fn all(text: &str, allowed: impl Fn(u8) -> bool) -> bool {
    let escaped = |part: &str| {
        part.as_bytes().first_chunk::<2>().is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    text.bytes().all(allowed) && text.split('%').skip(1).all(escaped)
}

#[cfg(test)]
mod tests {
    use super::is_reference;

    #[test]
    fn a_namespace_name_is_a_uri_or_a_relative_reference() {
        for text in [
            "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
            "http://www.w3.org/2000/09/xmldsig#",
            "http://user:pw@[::1]:80/a/b?c=d&e#f/g?h",
            "file:///etc/hosts",
            "a",
            "a/b:c",
            "../x",
            "//host/path",
            "%41",
            "x:",
            "?q",
            "#f",
        ] {
            assert!(is_reference(text), "{text}");
        }
        for text in [
            "urn:a b",
            "a\"b",
            "<",
            "{x}",
            "a^b",
            "a`b",
            "a\\b",
            "a|b",
            "%4",
            "%zz",
            "é",
            "1a:b",
            ":a",
            "a#b#c",
            "http://h:8x/",
            "http://h:",
            "a[b]",
        ] {
            assert!(!is_reference(text), "{text}");
        }
    }
}
