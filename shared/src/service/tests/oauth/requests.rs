//! Authorization requests.

use super::*;
use crate::access::oauth::{RedirectUri, RedirectUriError};

fn with(
    mut query: Vec<(&'static str, String)>,
    name: &'static str,
    value: &str,
) -> Vec<(&'static str, String)> {
    query.retain(|(other, _)| *other != name);
    query.push((name, value.to_owned()));
    query
}

#[tokio::test]
async fn what_is_asked_for_waits_as_it_was_asked() {
    let flow = Flow::new().await;
    let Pending { request, client, organization_name, .. } = flow.pending().await;
    assert_eq!(request.scopes, [Scope::InvoicesRead, Scope::InvoicesWrite].into());
    assert_eq!(request.grant_label.as_deref(), Some("Head office"));
    assert_eq!((client.name.as_str(), organization_name.as_str()), ("Books", "Integrator"));
}

/// "If the request fails due to a missing, invalid, or mismatching redirection URI, or if the client identifier is
/// missing or invalid, the authorization server SHOULD inform the resource owner of the error and MUST NOT
/// automatically redirect the user-agent to the invalid redirection URI" (RFC 6749, section 4.1.2.1).
#[tokio::test]
async fn until_client_and_redirect_uri_are_proven_nobody_is_redirected() {
    let flow = Flow::new().await;
    let live = with(flow.query(), "client_id", "client_0");
    assert!(matches!(flow.ask(live).await, Authorized::Wrong(Problem::UnknownClient)));
    let nobody = with(flow.query(), "client_id", "");
    assert!(matches!(flow.ask(nobody).await, Authorized::Wrong(Problem::NoClient)));
    let nowhere = with(flow.query(), "redirect_uri", "");
    assert!(matches!(flow.ask(nowhere).await, Authorized::Wrong(Problem::NoRedirectUri)));
    let twice = [flow.query(), vec![("redirect_uri", CALLBACK.to_owned())]].concat();
    assert!(matches!(flow.ask(twice).await, Authorized::Wrong(Problem::Twice("redirect_uri"))));
    // The other mode is another authorization server.
    let query = flow.query().into_iter().map(|(name, value)| (name.to_owned(), value));
    let there = authorize(flow.ctx(), ISSUER, Mode::Live, &Query::of(query), BROWSER).await;
    assert!(matches!(there.unwrap(), Authorized::Wrong(Problem::UnknownClient)));
}

/// ASVS 5, 10.4.1: "Verify that the authorization server validates redirect URIs based on a client-specific allowlist
/// of pre-registered URIs using exact string comparison." "Authorization servers MUST utilize exact string matching"
/// (RFC 9700, section 4.1.3); "must equal a registered redirect URI exactly" (specification 4.5): no port, path, case
/// or encoding may differ.
#[tokio::test]
async fn a_redirect_uri_that_is_not_exactly_the_registered_one_is_refused() {
    let flow = Flow::new().await;
    for uri in [
        "https://app.example/callback",
        "https://app.example/callback?of=erp&x=1",
        "https://app.example/callback?of=erp#",
        "https://app.example/callback?of=erp/",
        "https://app.example/callback/?of=erp",
        "https://app.example/Callback?of=erp",
        "https://APP.example/callback?of=erp",
        "HTTPS://app.example/callback?of=erp",
        "http://app.example/callback?of=erp",
        "https://app.example:443/callback?of=erp",
        "https://app.example:8443/callback?of=erp",
        "https://app.example./callback?of=erp",
        "https://app.example/./callback?of=erp",
        "https://app.example/x/../callback?of=erp",
        "https://app.example/%63allback?of=erp",
        "https://app.example//callback?of=erp",
        "https://app.example\\callback?of=erp",
        "https://app.example@evil.example/callback?of=erp",
        "https://evil.example/callback?of=erp",
        "https://app.example.evil.example/callback?of=erp",
        "https://sub.app.example/callback?of=erp",
        "//app.example/callback?of=erp",
        "/callback?of=erp",
        "javascript:alert(1)",
        " https://app.example/callback?of=erp",
        "https://app.example/callback?of=erp ",
        "https://app.example/callback?of=erp%00",
        "https://app.example/callback;x?of=erp",
    ] {
        let asked = flow.ask(with(flow.query(), "redirect_uri", uri)).await;
        assert!(matches!(asked, Authorized::Wrong(Problem::UnknownRedirectUri)), "{uri}");
    }
}

/// ASVS 5, 10.4.4: "the grants 'token' (Implicit flow) and 'password' (Resource Owner Password Credentials flow) must
/// no longer be used"; 10.4.6: "the authorization server must require a valid 'code_challenge' value and must not
/// accept a 'code_challenge_method' value of 'plain'". All other errors are reported to the client, with its state and
/// the issuer (RFC 6749, section 4.1.2.1; RFC 9207, section 2).
#[tokio::test]
async fn what_else_is_wrong_is_reported_to_the_client() {
    let flow = Flow::new().await;
    let plain = challenge(VERIFIER);
    let long = "x".repeat(201);
    for (name, value, error) in [
        ("response_type", "", "invalid_request"),
        ("response_type", "token", "unsupported_response_type"),
        ("response_type", "code token", "unsupported_response_type"),
        ("response_mode", "fragment", "invalid_request"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge", "short", "invalid_request"),
        ("code_challenge", &plain[..42], "invalid_request"),
        ("code_challenge", &format!("{plain}="), "invalid_request"),
        // RFC 9700, section 2.1.1: no downgrade.
        ("code_challenge_method", "plain", "invalid_request"),
        ("code_challenge_method", "", "invalid_request"),
        ("code_challenge_method", "s256", "invalid_request"),
        ("scope", "", "invalid_scope"),
        ("scope", "invoices:read admin", "invalid_scope"),
        ("scope", "invoices:read  invoices:write", "invalid_scope"),
        ("scope", "INVOICES:READ", "invalid_scope"),
        ("scope", "unknown", "invalid_scope"),
        ("grant_label", &long[..101], "invalid_request"),
        ("grant_label", "a\nb", "invalid_request"),
        ("external_id", &long, "invalid_request"),
        ("tin_hint", "0235:1001234501", "invalid_request"),
    ] {
        match flow.ask(with(flow.query(), name, value)).await {
            Authorized::Back(to) => {
                assert!(to.starts_with("https://app.example/callback?of=erp&error="), "{to}");
                assert_eq!(parameter(&to, "error").as_deref(), Some(error), "{name} {value}");
                assert_eq!(parameter(&to, "state").as_deref(), Some("xyz &="));
                let issuer = "https://portal.example/sandbox";
                assert_eq!(parameter(&to, "iss").as_deref(), Some(issuer));
                assert_eq!(parameter(&to, "code"), None);
            }
            other => panic!("{name} {value}: {other:?}"),
        }
    }
    let twice = [flow.query(), vec![("scope", "invoices:read".to_owned())]].concat();
    let Authorized::Back(to) = flow.ask(twice).await else { panic!("taken") };
    assert_eq!(parameter(&to, "error").as_deref(), Some("invalid_request"));
    // "The authorization server MUST ignore unrecognized request parameters" (section 3.1).
    let more = with(flow.query(), "prompt", "consent");
    assert!(matches!(flow.ask(more).await, Authorized::Waits(_)));
}

/// ASVS 5, 10.4.11: "Verify that the authorization server configuration only assigns the required scopes to the OAuth
/// client."
#[tokio::test]
async fn a_client_asks_for_the_scopes_alone_that_it_was_registered_with() {
    let flow = Flow::new().await;
    let new = NewClient {
        mode: Mode::Sandbox,
        organization_id: flow.organization_id.clone(),
        name: "Reader".to_owned(),
        redirect_uris: vec![CALLBACK.to_owned()],
        scopes: [Scope::InvoicesRead, Scope::InboundRead].into(),
    };
    let (reader, _) = create(flow.ctx(), new.clone(), &By::operator()).await.unwrap();
    let asked = |scope| {
        let query = with(flow.query(), "client_id", reader.client_id.as_str());
        flow.ask(with(query, "scope", scope))
    };
    for scope in ["invoices:read", "inbound:read invoices:read"] {
        assert!(matches!(asked(scope).await, Authorized::Waits(_)), "{scope}");
    }
    for scope in ["invoices:write", "invoices:read invoices:write", "taxpayer:read"] {
        let Authorized::Back(to) = asked(scope).await else { panic!("{scope} was taken") };
        assert_eq!(parameter(&to, "error").as_deref(), Some("invalid_scope"), "{scope}");
    }
    let nothing = NewClient { scopes: [].into(), ..new };
    let refused = create(flow.ctx(), nothing, &By::operator()).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidRequest);
}

#[test]
fn a_redirect_uri_is_absolute_over_tls_and_written_as_it_is_read() {
    use RedirectUriError::{Fragment, Long, NotAbsolute, NotSecure, UserInfo};
    let long = format!("https://app.example/{}", "x".repeat(2_000));
    for (mode, text, expected) in [
        (Mode::Live, "https://app.example/callback", Ok(())),
        (Mode::Live, "https://app.example", Ok(())),
        (Mode::Live, "https://app.example:8443/a?b=c", Ok(())),
        (Mode::Live, "http://localhost:3000/callback", Err(NotSecure)),
        (Mode::Sandbox, "http://localhost:3000/callback", Ok(())),
        (Mode::Sandbox, "http://127.0.0.1:3000/callback", Ok(())),
        (Mode::Sandbox, "http://[::1]:3000/callback", Ok(())),
        (Mode::Sandbox, "http://localhost.evil.example/", Err(NotSecure)),
        (Mode::Sandbox, "http://app.example/callback", Err(NotSecure)),
        (Mode::Sandbox, "com.app:/callback", Err(NotAbsolute)),
        (Mode::Sandbox, "javascript:alert(1)", Err(NotAbsolute)),
        (Mode::Sandbox, "ftp://app.example/", Err(NotSecure)),
        (Mode::Sandbox, "/callback", Err(NotAbsolute)),
        (Mode::Sandbox, "https://", Err(NotAbsolute)),
        (Mode::Sandbox, "https://app.example/a#b", Err(Fragment)),
        (Mode::Sandbox, "https://user@app.example/", Err(UserInfo)),
        (Mode::Sandbox, "https://APP.example/", Err(NotAbsolute)),
        (Mode::Sandbox, "https://app.example/a/../b", Err(NotAbsolute)),
        (Mode::Sandbox, "https://app.example/a b", Err(NotAbsolute)),
        (Mode::Sandbox, "https://app.example/*", Ok(())),
        (Mode::Sandbox, " https://app.example/", Err(NotAbsolute)),
        (Mode::Sandbox, &long, Err(Long)),
    ] {
        assert_eq!(RedirectUri::parse(text, mode).map(drop), expected, "{text}");
    }
}

/// "state-token: 1*VSCHAR" (RFC 6749, appendix A.5).
#[tokio::test]
async fn a_state_that_is_wrong_gets_an_error_that_says_why() {
    let flow = Flow::new().await;
    for (state, said) in [("caf\u{e9}".to_owned(), "ASCII"), ("x".repeat(2_001), "2,000")] {
        let Authorized::Back(to) = flow.ask(with(flow.query(), "state", &state)).await else {
            panic!("{state}");
        };
        let why = parameter(&to, "error_description").unwrap();
        assert!(why.contains(said), "{why}");
    }
}
