//! The authorization request (RFC 6749, section 4.1.1; RFC 7636, section 4.3; specification 4.5).
//!
//! Until client and redirect URI are verified, our page shows errors to the person at the browser. Afterwards a
//! redirect reports errors to the client (section 4.1.2.1). So there is no open redirector.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;

use super::{ErrorCode, OAuthError};
use crate::{
    access::{
        PresentedRequest, Scope,
        oauth::{AuthorizationRequest, CodeChallenge, OAuthClient, RedirectUri},
    },
    log::{self, Field},
    service::{Context, later},
    types::{ClientId, FamilyId, GrantId, Mode},
};

/// How long a taxpayer may take to sign in and decide.
pub const REQUEST_LIFE: SignedDuration = SignedDuration::from_hours(1);
/// Longest `state`, in characters.
pub const MAX_STATE: usize = 2_000;
/// Longest `grant_label`, in characters.
pub const MAX_LABEL: usize = 100;
/// Longest `external_id`, in characters.
pub const MAX_EXTERNAL_ID: usize = 200;

/// The query of an authorization request: each parameter with its values, in their order.
#[derive(Debug, Clone, Default)]
pub struct Query(BTreeMap<String, Vec<String>>);

impl Query {
    /// Collects pairs. "Parameters sent without a value MUST be treated as if they were omitted from the request"
    /// (section 3.1).
    pub fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut query: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
            query.entry(name).or_default().push(value);
        }
        Query(query)
    }

    /// "Request and response parameters MUST NOT be included more than once" (section 3.1).
    fn one(&self, name: &'static str) -> Result<Option<&str>, Problem> {
        match self.0.get(name).map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([value]) => Ok(Some(value)),
            Some(_) => Err(Problem::Twice(name)),
        }
    }
}

/// An error before client and redirect URI are verified: only the person at the browser may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// A parameter of the verification is given more than once.
    Twice(&'static str),
    /// There is no client_id.
    NoClient,
    /// There is no such client in this mode.
    UnknownClient,
    /// There is no redirect_uri.
    NoRedirectUri,
    /// The redirect_uri is not exactly one of those that the client registered.
    UnknownRedirectUri,
}

/// The outcome of an authorization request.
#[derive(Debug)]
pub enum Authorized {
    /// It waits for the taxpayer's decision, under this handle.
    Waits(PresentedRequest),
    /// It is invalid: our page says so.
    Wrong(Problem),
    /// It is invalid: this redirect reports it to the client.
    Back(String),
}

/// Accepts an authorization request from a browser, which is identified by the hash of its secret.
pub async fn authorize(
    ctx: &Context,
    issuer: &str,
    mode: Mode,
    query: &Query,
    browser: &str,
) -> Result<Authorized, OAuthError> {
    let (client, redirect_uri) = match proven(ctx, mode, query).await? {
        Ok(proven) => proven,
        Err(problem) => return Ok(Authorized::Wrong(problem)),
    };
    log::note(Field::ClientId, &client.client_id);
    let handle = PresentedRequest::generate(mode, &*ctx.random);
    match read(ctx, &client, redirect_uri.clone(), query, &handle, browser) {
        Ok(request) => {
            ctx.store.create_authorization_request(&request).await?;
            Ok(Authorized::Waits(handle))
        }
        Err(error) => {
            let state = query.one("state").ok().flatten();
            Ok(Authorized::Back(refusal(issuer, &redirect_uri, state, &error)))
        }
    }
}

/// The redirect that reports an error to a client (section 4.1.2.1), with the issuer (RFC 9207).
pub(super) fn refusal(
    issuer: &str,
    redirect_uri: &RedirectUri,
    state: Option<&str>,
    error: &OAuthError,
) -> String {
    let mut parameters =
        vec![("error", error.code.as_str()), ("error_description", error.description)];
    parameters.extend(state.map(|state| ("state", state)));
    parameters.push(("iss", issuer));
    redirect_uri.with(&parameters)
}

/// The client and its redirect URI, if both are valid.
async fn proven(
    ctx: &Context,
    mode: Mode,
    query: &Query,
) -> Result<Result<(OAuthClient, RedirectUri), Problem>, OAuthError> {
    let leading = || {
        let client_id = query.one("client_id")?.ok_or(Problem::NoClient)?;
        let redirect_uri = query.one("redirect_uri")?.ok_or(Problem::NoRedirectUri)?;
        let client_id: ClientId = client_id.parse().map_err(|_| Problem::UnknownClient)?;
        Ok((client_id, redirect_uri))
    };
    let (client_id, redirect_uri) = match leading() {
        Ok(leading) => leading,
        Err(problem) => return Ok(Err(problem)),
    };
    let Some(client) = ctx.store.get_client(mode, &client_id).await? else {
        return Ok(Err(Problem::UnknownClient));
    };
    // RFC 9700, section 4.1.3: exact string matching. Specification 4.5: without any exception.
    match client.redirect_uri(redirect_uri).cloned() {
        Some(uri) => Ok(Ok((client, uri))),
        None => Ok(Err(Problem::UnknownRedirectUri)),
    }
}

fn read(
    ctx: &Context,
    client: &OAuthClient,
    redirect_uri: RedirectUri,
    query: &Query,
    handle: &PresentedRequest,
    browser: &str,
) -> Result<AuthorizationRequest, OAuthError> {
    let one = |name| query.one(name).map_err(|_| wrong("A parameter is given more than once."));
    match one("response_type")? {
        Some("code") => {}
        Some(_) => {
            let code = ErrorCode::UnsupportedResponseType;
            return Err(OAuthError::new(code, "response_type must be code."));
        }
        None => return Err(wrong("response_type is missing; it must be code.")),
    }
    if !matches!(one("response_mode")?, None | Some("query")) {
        return Err(wrong("response_mode must be query, or left out."));
    }
    // RFC 7636, section 4.4.1. "plain" is not supported (RFC 9700, section 2.1.1).
    match one("code_challenge_method")? {
        Some("S256") => {}
        _ => return Err(wrong("code_challenge_method must be S256.")),
    }
    let code_challenge: CodeChallenge = one("code_challenge")?
        .ok_or_else(|| wrong("code_challenge is missing: PKCE is required."))?
        .parse()
        .map_err(|()| {
            wrong(
                "code_challenge must be the SHA-256 of the verifier in base64url without padding.",
            )
        })?;
    let scopes = scopes(one("scope")?)?;
    if !scopes.is_subset(&client.scopes) {
        let why = "scope has a scope that is not registered for this client: register it first.";
        return Err(OAuthError::new(ErrorCode::InvalidScope, why));
    }
    // "Restricted to printable ASCII" (RFC 6749, appendix A.5).
    if one("state")?.is_some_and(|state| !state.bytes().all(|b| (0x20..=0x7e).contains(&b))) {
        return Err(wrong(
            "state must have only printable ASCII characters (RFC 6749, appendix A.5).",
        ));
    }
    let state = bounded(one("state")?, MAX_STATE, "state is longer than 2,000 characters.")?;
    let grant_label =
        bounded(one("grant_label")?, MAX_LABEL, "grant_label is longer than 100 characters.")?;
    let external_id = bounded(
        one("external_id")?,
        MAX_EXTERNAL_ID,
        "external_id is longer than 200 characters.",
    )?;
    let tin_hint = one("tin_hint")?;
    if tin_hint.is_some_and(|tin| tin.len() != 10 || !tin.bytes().all(|b| b.is_ascii_digit())) {
        return Err(wrong("tin_hint must be a TIN: ten digits."));
    }
    let now = ctx.now();
    Ok(AuthorizationRequest {
        hash: handle.hash(),
        mode: client.mode,
        client_id: client.client_id.clone(),
        application: Some(client.name.clone()),
        organization_id: client.organization_id.clone(),
        redirect_uri,
        scopes,
        code_challenge,
        state,
        tin_hint: tin_hint.map(str::to_owned),
        grant_label,
        external_id,
        browser: browser.to_owned(),
        grant_id: GrantId::new(now, &*ctx.random),
        family_id: FamilyId::new(now, &*ctx.random),
        created_at: now,
        expires_at: later(now, REQUEST_LIFE),
        decision: None,
    })
}

/// "A list of space-delimited, case-sensitive strings" (section 3.3).
fn scopes(text: Option<&str>) -> Result<BTreeSet<Scope>, OAuthError> {
    let invalid = |why| OAuthError::new(ErrorCode::InvalidScope, why);
    let text = text.ok_or_else(|| invalid("scope is missing: name the scopes that you need."))?;
    let scopes: Option<_> = text.split(' ').map(|scope| scope.parse().ok()).collect();
    scopes.ok_or_else(|| {
        invalid("scope must be a list of taxpayer:read, invoices:read, invoices:write and inbound:read, separated by \
                 spaces.")
    })
}

fn bounded(
    value: Option<&str>,
    most: usize,
    why: &'static str,
) -> Result<Option<String>, OAuthError> {
    match value {
        Some(value) if value.chars().count() > most || value.chars().any(char::is_control) => {
            Err(wrong(why))
        }
        value => Ok(value.map(str::to_owned)),
    }
}

fn wrong(description: &'static str) -> OAuthError {
    OAuthError::new(ErrorCode::InvalidRequest, description)
}
