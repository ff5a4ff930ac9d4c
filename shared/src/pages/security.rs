//! The security headers of pages.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};

use crate::rendering;

/// The `Content-Security-Policy` of every answer. It ends with `form-action`, so that a page can add a target.
///
/// ASVS 5, 3.4.3: "The directives object-src 'none' and base-uri 'none' must be defined"; 3.4.6: "Verify that the web
/// application uses the frame-ancestors directive of the Content-Security-Policy header field for every HTTP response".
/// Script and style sheet are files. No page has inline ones, so the policy allows none, by nonce or otherwise.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; object-src 'none'; \
                      base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// RFC 6797, section 6.1. ASVS 5, 3.4.1: "A maximum age of at least 1 year must be defined, and for L2 and up, the
/// policy must apply to all subdomains as well."
const STRICT_TRANSPORT_SECURITY: &str = "max-age=63072000; includeSubDomains";

/// HTML Standard, section 7.1.3: the page that opened the window cannot access it.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
/// Fetch Standard, section 3.7: no other site can embed the answer.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The origin of a form's target: the callback of an OAuth client.
///
/// Browsers differ in whether `form-action` applies to a redirect after a form (Content Security Policy Level 3,
/// section 6.4.1, leaves it open). Chromium blocks a redirect to an origin that the policy of the form's page does not
/// name. Therefore this one page names the one origin of its answer, and every other page names none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormTarget(String);

impl FormTarget {
    /// The origin of a redirect URI: `https`, or `http` on loopback (RFC 8252, section 7.3). `None` for any other URI,
    /// and for one that cannot be written into a policy unchanged.
    pub fn of(redirect_uri: &str) -> Option<Self> {
        let uri: axum::http::Uri = redirect_uri.parse().ok()?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        let is_loopback = matches!(authority.host(), "localhost" | "127.0.0.1" | "[::1]");
        if scheme != "https" && !(scheme == "http" && is_loopback) {
            return None;
        }
        // No user information, and no character that ends a source or a directive.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]_".contains(&byte);
        let authority = authority.as_str();
        authority.bytes().all(plain).then(|| FormTarget(format!("{scheme}://{authority}")))
    }

    /// Allows the forms of a page to lead there.
    pub fn allow(&self, headers: &mut HeaderMap) {
        let policy = format!("{POLICY} {}", self.0);
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
}

/// Allows the script of a page to call the service itself, and no other origin.
pub(crate) fn allow_calls(headers: &mut HeaderMap) {
    allow(headers, "connect-src 'self'");
}

/// Allows [`allow_calls`], and frames with pages of the service itself.
pub(super) fn allow_calls_and_frames(headers: &mut HeaderMap) {
    allow(headers, "connect-src 'self'; frame-src 'self'");
}

fn allow(headers: &mut HeaderMap, directives: &str) {
    let policy = format!("{POLICY}; {directives}");
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// A document as people read it, with a policy that forbids everything active.
pub(crate) fn preview_of(page: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, &*rendering::POLICY),
    ];
    (headers, page).into_response()
}

/// Adds the security headers to every answer. A policy of the page and the caching of an asset are kept.
pub(crate) fn protect(headers: &mut HeaderMap) {
    let fixed = HeaderValue::from_static;
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(fixed(POLICY));
    // RFC 9111, section 5.2.2.5. ASVS 5, 7.4.1: "such that the back button … cannot resume an authenticated session".
    headers.entry(header::CACHE_CONTROL).or_insert(fixed("no-store"));
    headers.insert(header::STRICT_TRANSPORT_SECURITY, fixed(STRICT_TRANSPORT_SECURITY));
    // ASVS 5, 3.4.4: "Verify that all responses contain a X-Content-Type-Options: nosniff header field."
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    // ASVS 5, 3.4.5, and RFC 9700, section 4.2.4: addresses contain sign-in links and codes.
    headers.insert(header::REFERRER_POLICY, fixed("no-referrer"));
    headers.insert(OPENER_POLICY, fixed("same-origin"));
    headers.insert(RESOURCE_POLICY, fixed("same-origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_may_lead_to_one_callback_origin_and_to_nothing_that_breaks_the_policy() {
        let allowed = |uri| {
            let mut headers = HeaderMap::new();
            FormTarget::of(uri)?.allow(&mut headers);
            protect(&mut headers);
            let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
            policy.split_once("form-action ").map(|(_, action)| action.to_owned())
        };
        let cases = [
            ("https://app.example/cb?x=1", Some("'self' https://app.example")),
            ("https://app.example:8443/", Some("'self' https://app.example:8443")),
            ("http://127.0.0.1:9000/cb", Some("'self' http://127.0.0.1:9000")),
            ("http://[::1]:9000/cb", Some("'self' http://[::1]:9000")),
            ("http://app.example/cb", None),
            ("https://user@app.example/", None),
            ("https://a;script-src/", None),
            ("https://*/", None),
            ("https://a b/", None),
            ("javascript:alert(1)", None),
            ("app.example", None),
            ("/cb", None),
        ];
        for (uri, expected) in cases {
            assert_eq!(allowed(uri).as_deref(), expected, "{uri}");
        }
    }
}
