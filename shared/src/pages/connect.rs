//! The consent flow for taxpayers: the authorization request arrives, the taxpayer signs in, decides, and returns to
//! the application. [`oauth`] implements each step.

use std::collections::BTreeSet;

use askama::Template;
use axum::{
    Router,
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
    routing::get,
};
use url::form_urlencoded;

use super::{
    App, Form, FormTarget, Frame, PageError, PageRequest, cookies, in_both_modes,
    nav::onboard_path, see_other,
};
use crate::{
    access::{PresentedRequest, Scope, Taxpayer, TaxpayerStatus},
    error::{Code, Failure},
    service::{
        oauth::{
            self, ErrorCode, OAuthError,
            authorize::{Authorized, Problem, Query},
            consent::{self, Decided, Hindrance, Pending},
        },
        onboarding::{self, MAX_NAME, Onboarded, Wish},
        sessions,
    },
    store::{self, Rate},
    types::{EmailAddress, Mode},
};

/// Authorization requests from one network address.
const AUTHORIZATIONS: Rate =
    Rate { what: "AUTHORIZE", most: 300, window: jiff::SignedDuration::from_mins(15) };

/// The field and parameter with the handle of an authorization request.
const REQUEST: &str = "request";
const CONSENT: &str = "/oauth/consent";

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let router = in_both_modes(router, "/oauth/authorize", get(authorize));
    let router = in_both_modes(router, CONSENT, get(ask).post(decide));
    // Live has another onboarding (`super::onboard`).
    router.route("/sandbox/onboarding", get(onboard).post(make_test_business))
}

/// The authorization endpoint (RFC 6749, section 3.1).
async fn authorize(
    State(app): State<App>,
    request: PageRequest,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    request.count(&app, AUTHORIZATIONS, &store::place(request.address)).await?;
    let query = query.unwrap_or_default();
    let pairs = form_urlencoded::parse(query.as_bytes());
    let query = Query::of(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())));
    let issuer = oauth::issuer(&app.origin, request.mode);
    let browser = request.browser.hash();
    let authorized =
        oauth::authorize::authorize(&app.ctx, &issuer, request.mode, &query, browser.as_str());
    match authorized.await.map_err(failed)? {
        Authorized::Waits(handle) => Ok(see_other(&consent_path(&request, &handle))),
        Authorized::Back(to) => Ok(see_other(&to)),
        Authorized::Wrong(problem) => Err(wrong(problem)),
    }
}

fn failed(error: OAuthError) -> PageError {
    let code = match error.code {
        ErrorCode::TemporarilyUnavailable => Code::ServiceUnavailable,
        _ => Code::InternalError,
    };
    let failure = Failure::new(code, error.description);
    PageError::Failed(match error.cause {
        Some(cause) => failure.because(cause),
        None => failure,
    })
}

/// The error page about the application that sent the browser here, in words for the person.
fn wrong(problem: Problem) -> PageError {
    let (text, cause) = match problem {
        Problem::Twice(name) => ("connect-wrong-request", format!("{name} is repeated")),
        Problem::NoClient => ("connect-wrong-client", "the client_id is missing".to_owned()),
        Problem::UnknownClient => ("connect-wrong-client", "the client does not exist".to_owned()),
        Problem::NoRedirectUri => {
            ("connect-wrong-redirect", "the redirect_uri is missing".to_owned())
        }
        Problem::UnknownRedirectUri => {
            ("connect-wrong-redirect", "the redirect_uri is not registered".to_owned())
        }
    };
    PageError::Explained {
        status: StatusCode::BAD_REQUEST,
        title: "connect-wrong-title",
        text,
        cause,
    }
}

/// The authorization request that a path continues, if it is pending in this browser. Everything in it was checked
/// when it arrived: a path names only its handle.
pub(super) async fn continued(
    app: &App,
    request: &PageRequest,
    then: &str,
) -> Result<Option<Pending>, PageError> {
    let query = then.strip_prefix(&request.path(CONSENT)).and_then(|rest| rest.strip_prefix('?'));
    let pairs = query.map(|query| form_urlencoded::parse(query.as_bytes()));
    let handle = pairs.and_then(|mut pairs| pairs.find(|(name, _)| name == REQUEST));
    let Some((_, handle)) = handle else { return Ok(None) };
    match pending(app, request, Some(&handle)).await {
        Ok((_, pending)) => Ok(Some(pending)),
        // The request has ended; the next page says so.
        Err(PageError::Explained { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn consent_path(request: &PageRequest, handle: &PresentedRequest) -> String {
    format!("{}?{REQUEST}={}", request.path(CONSENT), handle.reveal())
}

/// The pending request with this handle, if it belongs to this browser.
async fn pending(
    app: &App,
    request: &PageRequest,
    handle: Option<&str>,
) -> Result<(PresentedRequest, Pending), PageError> {
    let gone = || PageError::Explained {
        status: StatusCode::GONE,
        title: "connect-gone-title",
        text: "connect-gone-text",
        cause: "this browser has no such pending authorization request".to_owned(),
    };
    let handle = handle.and_then(PresentedRequest::parse);
    let handle = handle.filter(|handle| handle.mode() == request.mode).ok_or_else(gone)?;
    let found = consent::pending(&app.ctx, &handle, request.browser.hash().as_str()).await?;
    Ok((handle, found.ok_or_else(gone)?))
}

#[derive(Template)]
#[template(path = "connect/consent.html")]
struct ConsentPage<'a> {
    frame: Frame<'a>,
    pending: &'a Pending,
    taxpayer: &'a Taxpayer,
    handle: &'a str,
    /// The names of the messages for the requested permissions.
    permissions: Vec<&'static str>,
    /// Whether it may change settings; the page then lists those that it may not change.
    keeps_settings: bool,
    /// The TIN that the application suggested, if it is another one.
    other_tin: Option<&'a str>,
}

/// Shows the consent page. A person who is not signed in signs in first; in Sandbox the person may create a test
/// business instead.
async fn ask(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let (handle, pending) = pending(&app, &request, request.parameter(REQUEST)?.as_deref()).await?;
    let Some(signed_in) = request.who(&app).await? else {
        return match request.mode {
            Mode::Live => Err(request.sign_in_first()),
            Mode::Sandbox => Ok(see_other(&onboarding_path(&handle))),
        };
    };
    let taxpayer = &signed_in.taxpayer;
    // A taxpayer in `reverification` confirms its details first.
    if taxpayer.status == TaxpayerStatus::Reverification
        && let Some(way) = onboard_path(&app, &request, &consent_path(&request, &handle))
    {
        return Ok(see_other(&way));
    }
    let hint = pending.request.tin_hint.as_deref();
    let page = ConsentPage {
        frame: request.frame_for(&taxpayer.name),
        pending: &pending,
        taxpayer,
        handle: handle.reveal(),
        permissions: permissions(&pending.request.scopes),
        keeps_settings: pending.request.scopes.contains(&Scope::InvoicesWrite),
        other_tin: hint.filter(|tin| taxpayer.participant_id.tin() != Some(tin)),
    };
    let mut response = request.page(StatusCode::OK, &page)?;
    if let Some(target) = FormTarget::of(pending.request.redirect_uri.as_str()) {
        target.allow(response.headers_mut());
    }
    Ok(response)
}

/// The message for a scope (specification 5.3).
pub(super) fn permission(scope: Scope) -> &'static str {
    match scope {
        Scope::TaxpayerRead => "permission-taxpayer-read",
        Scope::InvoicesRead => "permission-invoices-read",
        Scope::InvoicesWrite => "permission-invoices-write",
        Scope::InboundRead => "permission-inbound-read",
        Scope::Unknown => "permission-unknown",
    }
}

/// The messages for all scopes. `invoices:write` also changes registrations and the business card, so the consent page
/// says so.
pub(super) fn permissions(scopes: &BTreeSet<Scope>) -> Vec<&'static str> {
    let also = |scope: &Scope| match scope {
        Scope::InvoicesWrite => Some("permission-invoices-write-also"),
        _ => None,
    };
    scopes.iter().flat_map(|scope| [Some(permission(*scope)), also(scope)]).flatten().collect()
}

/// Records the decision. The scopes come from the request, never from a field of the form.
async fn decide(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (handle, pending) = pending(&app, request, Some(form.field(REQUEST))).await?;
    let signed_in = request.acting_taxpayer(&app).await?;
    let issuer = oauth::issuer(&app.origin, request.mode);
    let decided = match form.field("decision") {
        "approve" => {
            // The page named one business; the person may have signed in for another one in another tab.
            if form.field("taxpayer") != signed_in.taxpayer.taxpayer_id.as_str() {
                return Err(PageError::Forged("the page is for another business than the session"));
            }
            let (ctx, taxpayer) = (&app.ctx, &signed_in.taxpayer);
            let origin = request.origin();
            consent::approve(ctx, app.freshness, &issuer, &pending, taxpayer, &origin).await?
        }
        "decline" => consent::decline(&app.ctx, &issuer, &pending).await?,
        // The person has read why no grant is possible.
        "back" => {
            let unreadable =
                || PageError::Unreadable("the reason for the return is missing".to_owned());
            let why = Hindrance::of_name(form.field("why")).ok_or_else(unreadable)?;
            consent::give_back(&app.ctx, &issuer, &pending, why).await?
        }
        _ => return Err(PageError::Unreadable("the decision is missing".to_owned())),
    };
    let explained = |title, text| PageError::Explained {
        status: StatusCode::CONFLICT,
        title,
        text,
        cause: format!("the decision is not possible: {title}"),
    };
    let refused = |why| refused(request, &signed_in.taxpayer, &pending, &handle, why);
    match decided {
        Decided::Back(to) => Ok(see_other(&to)),
        Decided::Before => Err(explained("connect-decided-title", "connect-decided-text")),
        Decided::NotActive => Err(explained("connect-inactive-title", "connect-inactive-text")),
        Decided::Full => refused(Hindrance::Full),
        Decided::Unsubscribed => refused(Hindrance::Unsubscribed),
        Decided::NoSeat => refused(Hindrance::NoSeat),
        Decided::Stale => refused(Hindrance::Stale),
    }
}

#[derive(Template)]
#[template(path = "connect/refused.html")]
struct RefusedPage<'a> {
    frame: Frame<'a>,
    title: &'static str,
    text: &'static str,
    app: &'a str,
    handle: &'a str,
    why: &'static str,
}

/// Explains why no grant is possible; the button returns to the application with an error.
fn refused(
    request: &PageRequest,
    taxpayer: &Taxpayer,
    pending: &Pending,
    handle: &PresentedRequest,
    why: Hindrance,
) -> Result<Response, PageError> {
    let (status, title, text) = match why {
        Hindrance::Full => (StatusCode::CONFLICT, "connect-full-title", "connect-full-text"),
        Hindrance::Unsubscribed => {
            (StatusCode::CONFLICT, "connect-unpaid-title", "connect-unpaid-text")
        }
        Hindrance::NoSeat => (StatusCode::CONFLICT, "connect-seats-title", "connect-seats-text"),
        Hindrance::Stale => {
            (StatusCode::SERVICE_UNAVAILABLE, "connect-stale-title", "connect-stale-text")
        }
    };
    tracing::warn!(%status, why = why.as_str(), "an application cannot be connected");
    let request = &request.at(&consent_path(request, handle));
    let page = RefusedPage {
        frame: request.frame_for(&taxpayer.name),
        title,
        text,
        app: &pending.client.name,
        handle: handle.reveal(),
        why: why.as_str(),
    };
    let mut response = request.page(status, &page)?;
    if let Some(target) = FormTarget::of(pending.request.redirect_uri.as_str()) {
        target.allow(response.headers_mut());
    }
    Ok(response)
}

fn onboarding_path(handle: &PresentedRequest) -> String {
    format!("/sandbox/onboarding?{REQUEST}={}", handle.reveal())
}

/// The form for a test business.
#[derive(Template)]
#[template(path = "connect/test_business.html")]
struct TestBusinessPage<'a> {
    frame: Frame<'a>,
    pending: &'a Pending,
    handle: &'a str,
    sign_in: String,
    tin: &'a str,
    name: &'a str,
    email: &'a str,
    most: u32,
    /// The wrong field, and the name of the error message.
    problem: Option<(&'static str, &'static str)>,
}

/// Offers to create a test business, or to sign in for an existing one.
async fn onboard(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let (handle, pending) = pending(&app, &request, request.parameter(REQUEST)?.as_deref()).await?;
    // "It uses the tin_hint value if given, otherwise a random unused TIN" (specification 1).
    let tin = match &pending.request.tin_hint {
        Some(tin) => tin.clone(),
        None => onboarding::unused_tin(&app.ctx).await?.to_string(),
    };
    test_business(&request, &pending, &handle, [&tin, "", ""], None)
}

fn test_business(
    request: &PageRequest,
    pending: &Pending,
    handle: &PresentedRequest,
    [tin, name, email]: [&str; 3],
    problem: Option<(&'static str, &'static str)>,
) -> Result<Response, PageError> {
    let then = form_urlencoded::Serializer::new(String::new())
        .append_pair("continue", &consent_path(request, handle))
        .finish();
    let page = TestBusinessPage {
        frame: request.frame(),
        pending,
        handle: handle.reveal(),
        sign_in: format!("{}?{then}", request.path("/sign-in")),
        tin,
        name,
        email,
        most: u32::try_from(MAX_NAME).unwrap_or_default(),
        problem,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

/// Creates a test business and signs in its creator.
async fn make_test_business(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (handle, pending) = pending(&app, request, Some(form.field(REQUEST))).await?;
    let [tin, name, email] = ["tin", "name", "email"].map(|field| form.field(field).trim());
    let again = |field, text| {
        let request = &request.at(&onboarding_path(&handle));
        test_business(request, &pending, &handle, [tin, name, email], Some((field, text)))
    };
    let address = match email {
        "" => None,
        email => match email.parse::<EmailAddress>() {
            Ok(address) => Some(address),
            Err(_) => return again("email", "email-wrong"),
        },
    };
    let place = store::place(request.address);
    let wish = Wish { tin: (!tin.is_empty()).then_some(tin), name, email: address, place: &place };
    match onboarding::simulate(&app.ctx, wish).await? {
        Onboarded::Active(taxpayer) => {
            let taxpayer_id = &taxpayer.taxpayer_id;
            let begun = sessions::begin(&app.ctx, request.mode, taxpayer_id, request.origin());
            let session = begun.await?;
            let mut response = see_other(&consent_path(request, &handle));
            cookies::set_token(response.headers_mut(), cookies::session(request.mode), &session);
            Ok(response)
        }
        Onboarded::NoTin => again("tin", "test-business-tin-wrong"),
        Onboarded::TinTaken => again("tin", "test-business-tin-taken"),
        Onboarded::NoName => again("name", "test-business-name-wrong"),
        Onboarded::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}
