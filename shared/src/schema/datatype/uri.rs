//! `xs:anyURI` (Part 2 section 3.2.17): a URI reference of RFC 3986, plus the characters that XLink would escape.

use super::trim;

/// Whether libxml2 accepts the value as a URI reference.
///
/// libxml2 deviates from RFC 3986. It accepts square brackets in a fragment, and any character between the brackets of
/// a host. An authority ends at the first character that does not fit.
pub(super) fn is_any_uri(value: &str) -> bool {
    let value = trim(value).as_bytes();
    value.is_empty() || absolute(value).is_some() || relative(value).is_some()
}

/// `scheme ":" hier-part [ "?" query ] [ "#" fragment ]`
fn absolute(value: &[u8]) -> Option<()> {
    let [b'A'..=b'Z' | b'a'..=b'z', ..] = value else { return None };
    let in_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let scheme = value.iter().take_while(|byte| in_scheme(byte)).count();
    let rest = value.get(scheme..)?.strip_prefix(b":")?;
    tail(match rest {
        [b'/', b'/', rest @ ..] => slashes(authority(rest)?),
        [b'/', rest @ ..] => slashes(segment(rest)),
        rest => slashes(segment(rest)),
    })
}

/// `relative-part [ "?" query ] [ "#" fragment ]`: the first segment of a path has no colon.
fn relative(value: &[u8]) -> Option<()> {
    tail(match value {
        [b'/', b'/', rest @ ..] => slashes(authority(rest)?),
        [b'/', rest @ ..] => slashes(segment(rest)),
        rest => {
            let after = run(rest, |byte| byte != b':' && is_pchar(byte));
            // A colon, or nothing, at the start of a segment leaves an empty path.
            slashes(after)
        }
    })
}

/// `[ "?" query ] [ "#" fragment ]`, followed by the end.
fn tail(value: &[u8]) -> Option<()> {
    let value = match value.strip_prefix(b"?") {
        Some(query) => run(query, |byte| is_pchar(byte) || matches!(byte, b'/' | b'?')),
        None => value,
    };
    let in_fragment = |byte| is_pchar(byte) || matches!(byte, b'/' | b'?' | b'[' | b']');
    let value = match value.strip_prefix(b"#") {
        Some(fragment) => run(fragment, in_fragment),
        None => value,
    };
    value.is_empty().then_some(())
}

/// Returns the rest after `*( "/" segment )`.
fn slashes(mut value: &[u8]) -> &[u8] {
    while let Some(rest) = value.strip_prefix(b"/") {
        value = segment(rest);
    }
    value
}

fn segment(value: &[u8]) -> &[u8] {
    run(value, is_pchar)
}

/// Returns the rest after `[ userinfo "@" ] host [ ":" port ]`.
fn authority(value: &[u8]) -> Option<&[u8]> {
    let user = run(value, |byte| byte == b':' || is_name_character(byte));
    let host = user.strip_prefix(b"@").unwrap_or(value);
    let rest = match host.strip_prefix(b"[") {
        Some(literal) => literal.get(literal.iter().position(|byte| *byte == b']')? + 1..)?,
        None => run(host, is_name_character),
    };
    let Some(port) = rest.strip_prefix(b":") else { return Some(rest) };
    let (port, rest) = super::digits(port);
    let port: Result<i32, _> = std::str::from_utf8(port).ok()?.parse();
    port.is_ok().then_some(rest)
}

/// Returns the rest after the characters that fit. A `%` fits only with two hexadecimal digits.
fn run(mut value: &[u8], fits: impl Fn(u8) -> bool) -> &[u8] {
    loop {
        value = match value {
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest
            }
            [byte, rest @ ..] if *byte != b'%' && fits(*byte) => rest,
            _ => return value,
        };
    }
}

/// `unreserved / sub-delims`, and the characters that are escaped before the check (Part 2 section 3.2.17).
fn is_name_character(byte: u8) -> bool {
    match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => true,
        b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => true,
        b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`' => true,
        _ => byte <= b' ' || byte >= 127,
    }
}

fn is_pchar(byte: u8) -> bool {
    is_name_character(byte) || matches!(byte, b':' | b'@')
}
