//! The cookies with their protections.
//!
//! ASVS 5, 3.3.3: "Verify that cookies have the '__Host-' prefix for the cookie name unless they are explicitly
//! designed to be shared with other hosts." With this prefix, a browser accepts a cookie only from this host, over TLS,
//! for all paths (RFC 6265bis, section 4.1.3.2), so no other host of the domain can set one.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::types::{Mode, OpaqueToken};

/// Identifies the browser by 256 random bits; forms and links are bound to it. Deleted when the browser is closed.
pub(super) const BROWSER: &str = "__Host-browser";
/// The chosen language, for a year.
pub(super) const LANGUAGE: &str = "__Host-language";
/// The chosen theme, for a year.
pub(super) const THEME: &str = "__Host-theme";

/// How long the chosen language and theme are kept, in seconds.
const CHOICE_KEPT: u32 = 31_536_000;

/// The session cookie: one for each mode, so that a person can be signed in to both.
pub(super) fn session(mode: Mode) -> &'static str {
    match mode {
        Mode::Live => "__Host-session",
        Mode::Sandbox => "__Host-sandbox-session",
    }
}

/// The value of a cookie. A cookie that occurs twice counts as missing, since its origin is unknown.
pub(super) fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs =
        lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value);
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

/// A token in a cookie.
pub(super) fn token(headers: &HeaderMap, name: &str) -> Option<OpaqueToken> {
    value(headers, name)?.parse().ok()
}

/// Sets a cookie.
///
/// ASVS 5, 3.3.4: "the cookie must have the 'HttpOnly' attribute set". `SameSite=Lax` (3.3.2), since links in mails and
/// redirects from clients come from other sites. Only forms change anything, and their origin is checked.
fn set(headers: &mut HeaderMap, name: &str, value: &str, age: Option<u32>) {
    let age = age.map(|age| format!("; Max-Age={age}")).unwrap_or_default();
    let cookie = format!("{name}={value}; Path=/; Secure; HttpOnly; SameSite=Lax{age}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

/// Sets a token until the browser is closed.
pub(super) fn set_token(headers: &mut HeaderMap, name: &str, token: &OpaqueToken) {
    set(headers, name, token.reveal(), None);
}

/// Keeps a choice of the reader: the language or the theme.
pub(super) fn set_choice(headers: &mut HeaderMap, name: &str, word: &str) {
    set(headers, name, word, Some(CHOICE_KEPT));
}

/// Deletes a cookie.
pub(super) fn forget(headers: &mut HeaderMap, name: &str) {
    set(headers, name, "", Some(0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_that_is_there_twice_counts_as_none() {
        let value_of = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_static(line));
            }
            value(&headers, "__Host-browser").map(str::to_owned)
        };
        assert_eq!(value_of(&["a=b; __Host-browser=x;c=d"]).as_deref(), Some("x"));
        assert_eq!(value_of(&["a=b", "__Host-browser=x"]).as_deref(), Some("x"));
        for lines in [
            ["__Host-browser=x; __Host-browser=y", "a=b"],
            ["__Host-browser=x", "__Host-browser=x"],
            ["Host-browser=x", "__host-browser=x"],
            ["__Host-browser", ""],
        ] {
            assert_eq!(value_of(&lines), None, "{lines:?}");
        }
    }
}
