use crate::types::Mode;

/// The allowed destinations after a sign-in, within a mode. Each is a path, alone or followed by `/` or `?`.
const PLACES: [&str; 6] =
    ["/account", "/documents", "/oauth/authorize", "/oauth/consent", "/onboard", "/organization"];
/// Maximum length of a path with its query.
const MAX_LENGTH: usize = 1_024;

/// The destination after a sign-in: a path of this portal and mode, from the list above.
///
/// ASVS 5, 3.7.2: "Verify that the application will only automatically redirect the user to a different URL directly
/// from an application URL where the destination appears on an allowlist." RFC 9700, section 4.11: no open redirector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Then(String);

/// The text is no allowed destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no path to go on with")]
pub struct NotHere;

fn prefix(mode: Mode) -> &'static str {
    match mode {
        Mode::Live => "",
        Mode::Sandbox => "/sandbox",
    }
}

impl Then {
    /// The account, which is the default destination.
    pub fn account(mode: Mode) -> Self {
        Then(format!("{}/account", prefix(mode)))
    }

    /// The portal of an organization.
    pub fn organization(mode: Mode) -> Self {
        Then(format!("{}/organization", prefix(mode)))
    }

    /// Reads a path of a mode, with its query.
    pub fn parse(mode: Mode, text: &str) -> Result<Self, NotHere> {
        let path = text.strip_prefix(prefix(mode)).ok_or(NotHere)?;
        let is_listed = PLACES.iter().any(|place| {
            path.strip_prefix(place)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        });
        // Other characters, and dots and slashes in the path, could make browsers read the path differently.
        let plain = |byte: u8| byte.is_ascii_graphic() && !b"\\#\"<>`{}|^'".contains(&byte);
        let (path, _) = path.split_once('?').unwrap_or((path, ""));
        let is_plain = text.bytes().all(plain) && !path.contains("//") && !path.contains('.');
        let good = is_listed && is_plain && !path.contains('%') && text.len() <= MAX_LENGTH;
        if good { Ok(Then(text.to_owned())) } else { Err(NotHere) }
    }

    /// The path with its query.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_goes_on_to_a_page_of_the_same_portal_and_mode_alone() {
        for (mode, text) in [
            (Mode::Live, "/account"),
            (Mode::Live, "/oauth/consent?request=abc-_1&x=%2F%2Fevil.example"),
            (Mode::Live, "/onboard/details"),
            (Mode::Sandbox, "/sandbox/oauth/authorize?redirect_uri=https://app.example/cb"),
        ] {
            assert_eq!(Then::parse(mode, text).map(|then| then.0), Ok(text.to_owned()));
        }
        let long = format!("/account?{}", "x".repeat(MAX_LENGTH));
        for (mode, text) in [
            (Mode::Live, ""),
            (Mode::Live, "/"),
            (Mode::Live, "account"),
            (Mode::Live, "/accounts"),
            (Mode::Live, "//evil.example/account"),
            (Mode::Live, "/\\evil.example"),
            (Mode::Live, "https://evil.example/account"),
            (Mode::Live, "/account//evil.example"),
            (Mode::Live, "/account/../sign-out"),
            (Mode::Live, "/account/%2e%2e/sign-out"),
            (Mode::Live, "/account\r\nSet-Cookie: a=b"),
            (Mode::Live, "/account?a=b#c"),
            (Mode::Live, "/account?a=\u{661}"),
            (Mode::Live, " /account"),
            (Mode::Live, "/sandbox/account"),
            (Mode::Sandbox, "/account"),
            (Mode::Sandbox, "/sandboxed/account"),
            (Mode::Sandbox, "/sandbox//evil.example"),
            (Mode::Live, &long),
        ] {
            assert_eq!(Then::parse(mode, text), Err(NotHere), "{text}");
        }
    }

    #[test]
    fn where_one_goes_without_a_wish_is_among_the_places() {
        for mode in [Mode::Live, Mode::Sandbox] {
            for then in [Then::account(mode), Then::organization(mode)] {
                assert_eq!(Then::parse(mode, then.as_str()), Ok(then));
            }
        }
    }
}
