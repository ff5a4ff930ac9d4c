//! The token endpoint, revocation and the metadata over HTTP.

use std::collections::BTreeSet;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;
use tracing::Level;

use super::{Answer, Api, Call};
use crate::{
    access::{By, Scope},
    api::openapi,
    log::testing::Log,
    service::oauth::clients::{NewClient, create},
    types::Mode,
};

/// An application and its deployment.
struct Application {
    api: Api,
    id: String,
    secret: String,
}

impl Application {
    async fn new() -> Self {
        let api = Api::start().await;
        let new = NewClient {
            mode: Mode::Sandbox,
            organization_id: api.demo.organization_id.clone(),
            name: "Books".to_owned(),
            redirect_uris: vec!["https://app.example/callback".to_owned()],
            scopes: Scope::ALL.into(),
        };
        let (client, secret) = create(&api.world.ctx, new, &By::operator()).await.unwrap();
        let (id, secret) = (client.client_id.to_string(), secret.reveal().to_owned());
        Application { api, id, secret }
    }

    fn form(&self, path: &str, fields: &[(&str, &str)]) -> Call {
        let body =
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        Call { body: body.into(), ..Call::new(axum::http::Method::POST, path) }
            .with("content-type", "application/x-www-form-urlencoded")
    }

    /// A form of the client with Basic authentication.
    fn basic(&self, path: &str, fields: &[(&str, &str)]) -> Call {
        let header = format!("Basic {}", STANDARD.encode(format!("{}:{}", self.id, self.secret)));
        self.form(path, fields).with("authorization", header)
    }

    async fn error(&self, call: Call) -> (u16, String) {
        let answer = self.api.call(call).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("pragma"), "no-cache");
        let body = answer.json();
        // RFC 6749, section 5.2: error_description has only these characters.
        let description = body["error_description"].as_str().unwrap();
        assert!(description.bytes().all(|b| (0x20..=0x7e).contains(&b) && b != b'"' && b != b'\\'));
        if answer.status == 401 {
            assert!(answer.header("www-authenticate").starts_with("Basic realm="));
        }
        (answer.status.as_u16(), body["error"].as_str().unwrap().to_owned())
    }
}

const TOKEN: &str = "/v1/oauth/token";

fn shown(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn tokens_are_refreshed_and_revoked_over_http_under_every_base_address() {
    let app = Application::new().await;
    let mut refresh_token = app
        .api
        .token(app.api.falcon(), &[Scope::InvoicesRead])
        .await
        .refresh_token
        .reveal()
        .to_owned();
    // The tokens belong to the demo's first client, so its secret is replaced.
    let clients =
        app.api.world.ctx.store.list_clients(Mode::Sandbox, &app.api.demo.organization_id);
    let owner = clients.await.unwrap().pop().unwrap().client_id;
    assert_eq!(owner.to_string(), app.id);
    let by = By::operator();
    let secret = crate::service::oauth::clients::rotate_secret(
        &app.api.world.ctx,
        Mode::Sandbox,
        &owner,
        false,
        &by,
    );
    let app = Application { secret: secret.await.unwrap().reveal().to_owned(), ..app };
    for base in ["/v1", "/api/v1", "/api"] {
        let path = format!("{base}/oauth/token");
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh_token.as_str())];
        let answer = app.api.call(app.basic(&path, &fields)).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let tokens = shown(&answer);
        assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&"Bearer".into(), &900.into()));
        assert_eq!(tokens["scope"], "invoices:read");
        assert_eq!(tokens["taxpayer_id"], app.api.falcon().as_str());
        assert!(tokens["grant_id"].as_str().unwrap().starts_with("tgr_"));
        let header = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
        let listed = Call::get("/v1/invoices").with("authorization", &header);
        assert_eq!(app.api.call(listed).await.status, 200);
        let me = shown(&app.api.call(Call::get("/v1/me").with("authorization", &header)).await);
        assert_eq!(me["credential"]["kind"], "access_token");
        assert_eq!(me["credential"]["grant"]["scopes"], serde_json::json!(["invoices:read"]));
        refresh_token = tokens["refresh_token"].as_str().unwrap().to_owned();
    }
    let fields = [("token", refresh_token.as_str()), ("token_type_hint", "access_token")];
    let answer = app.api.call(app.basic("/v1/oauth/revoke", &fields)).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
    let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh_token.as_str())];
    let refused = app.error(app.basic(TOKEN, &fields)).await;
    assert_eq!(refused, (400, "invalid_grant".to_owned()));
}

#[tokio::test]
async fn a_refusal_is_answered_with_its_cause_be_it_no_more_than_what_the_developer_reads() {
    let app = Application::new().await;
    let log = Log::start(Level::INFO);
    assert_eq!(app.error(app.basic(TOKEN, &[])).await, (400, "invalid_request".to_owned()));
    let mut lines = log.lines();
    lines.retain(|line| line["message"] == "oauth refused");
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!(line["operation"], "oauth_token", "{line}");
    assert_eq!(line["client_id"], app.id, "{line}");
    assert!(!line["error.cause"].as_str().unwrap().is_empty(), "{line}");
}

#[tokio::test]
async fn a_request_that_is_not_as_the_norm_wants_it_is_refused() {
    let app = Application::new().await;
    let fields = [("grant_type", "refresh_token"), ("refresh_token", "rt_test_x")];
    let (id, secret) = (app.id.clone(), app.secret.clone());
    let posted = [&fields[..], &[("client_id", &id), ("client_secret", &secret)]].concat();
    let anonymous = |fields: &[(&str, &str)]| app.form(TOKEN, fields);
    let with = |header: String| app.form(TOKEN, &fields).with("authorization", header);
    let encoded = |text: String| format!("Basic {}", STANDARD.encode(text));
    let invalid = (400, "invalid_request");
    let unproven = (401, "invalid_client");
    for (what, call, (status, error)) in [
        ("good, but for the token", app.basic(TOKEN, &fields), (400, "invalid_grant")),
        ("by the form", anonymous(&posted), (400, "invalid_grant")),
        // "The client MUST NOT use more than one authentication method in each request" (section 2.3).
        ("both ways", app.basic(TOKEN, &posted), invalid),
        (
            "another id beside",
            app.basic(TOKEN, &[&fields[..], &[("client_id", "client_0")]].concat()),
            invalid,
        ),
        ("nobody", anonymous(&fields), unproven),
        ("no secret", anonymous(&[&fields[..], &[("client_id", &id)]].concat()), unproven),
        ("another secret", with(encoded(format!("{id}:cs_test_x"))), unproven),
        ("an unknown client", with(encoded(format!("client_0:{secret}"))), unproven),
        (
            "the other mode",
            with(encoded(format!("{id}:{}", secret.replace("test", "live")))),
            unproven,
        ),
        ("a key", with(format!("Api-Key {}", app.api.demo.api_keys.sandbox)), unproven),
        ("no base64", with("Basic !".to_owned()), unproven),
        ("no grant_type", app.basic(TOKEN, &fields[1..]), invalid),
        ("an empty grant_type", app.basic(TOKEN, &[("grant_type", "")]), invalid),
        (
            "password",
            app.basic(TOKEN, &[("grant_type", "password")]),
            (400, "unsupported_grant_type"),
        ),
        ("twice", app.basic(TOKEN, &[&fields[..], &fields[..1]].concat()), invalid),
        ("no token", app.basic(TOKEN, &fields[..1]), invalid),
        ("no code", app.basic(TOKEN, &[("grant_type", "authorization_code")]), invalid),
        // Without a verifier (RFC 7636, section 4.5).
        (
            "no verifier",
            app.basic(
                TOKEN,
                &[
                    ("grant_type", "authorization_code"),
                    ("code", "ac_test_x"),
                    ("redirect_uri", "https://app.example/callback"),
                ],
            ),
            invalid,
        ),
        ("in the address", app.basic("/v1/oauth/token?client_id=x", &fields), invalid),
        (
            "JSON",
            app.basic(TOKEN, &fields)
                .without("content-type")
                .with("content-type", "application/json"),
            invalid,
        ),
        ("large", app.basic(TOKEN, &[("grant_type", &"x".repeat(17_000))]), invalid),
        ("nothing to revoke", app.basic("/v1/oauth/revoke", &[]), invalid),
        ("revoking as nobody", app.form("/v1/oauth/revoke", &[("token", "x")]), unproven),
    ] {
        assert_eq!(app.error(call).await, (status, error.to_owned()), "{what}");
    }
    let get = app.api.call(Call::get(TOKEN)).await;
    assert_eq!(get.status, 405);
}

/// A failed client authentication: its name, the Authorization header, and the fields.
type Attempt<'a> = (&'a str, Option<String>, Vec<(&'a str, &'a str)>);

/// "The authorization server MUST require client authentication for confidential clients" (RFC 6749, section 3.2.1).
/// The requests are valid except for the authentication.
#[tokio::test]
#[expect(clippy::print_stdout, reason = "a figure of tests/README.md")]
async fn every_way_of_not_being_the_client_is_refused_and_changes_nothing() {
    let app = Application::new().await;
    let world = &app.api.world;
    let falcon = world.ctx.store.get_taxpayer(Mode::Sandbox, app.api.falcon()).await.unwrap();
    let another = world.organization("Another").await;
    let made = world.client(Mode::Sandbox, &another).await;
    let tokens = world.tokens_of(&made, &falcon.unwrap(), &[Scope::InvoicesRead]).await;
    let (id, secret) = (made.0.client_id.to_string(), made.1.reveal().to_owned());
    let refresh_token = tokens.refresh_token.reveal();
    let grant = [("grant_type", "refresh_token"), ("refresh_token", refresh_token)];
    let forms = [(TOKEN, &grant[..]), ("/v1/oauth/revoke", &[("token", refresh_token)][..])];
    let basic = |text: String| Some(format!("Basic {}", STANDARD.encode(text)));
    let other_mode = secret.replacen("test", "live", 1);
    let (key, access) = (&app.api.demo.api_keys.sandbox, tokens.access_token.reveal());
    let attempts: [Attempt<'_>; 17] = [
        ("nobody", None, vec![]),
        ("an id alone", None, vec![("client_id", &id)]),
        ("a secret alone", None, vec![("client_secret", &secret)]),
        ("an empty secret", None, vec![("client_id", &id), ("client_secret", "")]),
        ("another secret", None, vec![("client_id", &id), ("client_secret", &app.secret)]),
        ("an unknown client", None, vec![("client_id", "client_0"), ("client_secret", &secret)]),
        ("the other mode", None, vec![("client_id", &id), ("client_secret", &other_mode)]),
        ("no base64", Some("Basic !".to_owned()), vec![]),
        ("no colon", basic(id.clone()), vec![]),
        ("no secret by Basic", basic(format!("{id}:")), vec![]),
        ("another secret by Basic", basic(format!("{id}:{}", app.secret)), vec![]),
        ("an unknown client by Basic", basic(format!("client_0:{secret}")), vec![]),
        ("the other mode by Basic", basic(format!("{id}:{other_mode}")), vec![]),
        ("a secret and more", basic(format!("{id}:{secret}x")), vec![]),
        ("an API key", Some(format!("Api-Key {key}")), vec![]),
        ("an access token", Some(format!("Bearer {access}")), vec![]),
        ("another scheme", Some(format!("Digest {}", STANDARD.encode(&secret))), vec![]),
    ];
    let documented: BTreeSet<String> =
        openapi::document()["paths"].as_object().unwrap().keys().cloned().collect();
    let swept = forms.map(|(path, _)| path.trim_start_matches("/v1").to_owned());
    let oauth = documented.into_iter().filter(|path| path.starts_with("/oauth/"));
    assert_eq!(oauth.collect::<BTreeSet<_>>(), swept.into());
    let before = app.api.everything().await;
    for (path, fields) in forms {
        for (what, header, credentials) in &attempts {
            let mut call = app.form(path, &[fields, credentials].concat());
            if let Some(header) = header {
                call = call.with("authorization", header);
            }
            let refused = app.error(call).await;
            assert_eq!(refused, (401, "invalid_client".to_owned()), "{path}: {what}");
        }
        // Another client's valid authentication does not help.
        let call = app.basic(path, fields);
        let answer = app.api.call(call).await;
        assert_ne!(answer.status, 401);
        assert!(!String::from_utf8_lossy(&answer.body).contains("access_token"));
    }
    assert!(app.api.everything().await == before, "something has changed");
    println!("{} ways of not being the client, of 2 endpoints", 2 * (attempts.len() + 1));
    // Only the client authentication was missing.
    let app = Application { id, secret, ..app };
    for (path, fields) in forms {
        assert_eq!(app.api.call(app.basic(path, fields)).await.status, 200, "{path}");
    }
}

/// RFC 8414, sections 2 and 3.
#[tokio::test]
async fn each_mode_is_an_issuer_with_metadata_of_its_own() {
    let api = Api::start().await;
    for (path, issuer) in [
        ("/.well-known/oauth-authorization-server", "https://portal.example"),
        ("/.well-known/oauth-authorization-server/sandbox", "https://portal.example/sandbox"),
    ] {
        let metadata = shown(&api.call(Call::get(path)).await);
        assert_eq!(metadata["issuer"], issuer);
        assert_eq!(metadata["authorization_endpoint"], format!("{issuer}/oauth/authorize"));
        assert_eq!(metadata["token_endpoint"], "https://api.example/v1/oauth/token");
        assert_eq!(metadata["code_challenge_methods_supported"], serde_json::json!(["S256"]));
        assert_eq!(metadata["authorization_response_iss_parameter_supported"], true);
    }
}
