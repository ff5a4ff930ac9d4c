//! The pages that show a business its details for confirmation, and the progress of its registrations.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{APPLICATION, application, path_of, place_of, portal, then};
use crate::{
    access::TaxpayerStatus,
    document::{Party, Profile},
    error::Finding,
    pages::{App, Form, Frame, PageError, PageRequest, cookies, see_other},
    service::onboarding::{self, Confirmation, Progress, Shown},
    store::{ApplicationRecord, ApplicationStatus},
};

/// Maximum number of shown defects; after corrections the page shows the others.
const MAX_DEFECTS: usize = 20;

#[derive(Template)]
#[template(path = "onboard/details.html")]
struct DetailsPage<'a> {
    frame: Frame<'a>,
    application: &'a ApplicationRecord,
    lines: Vec<(&'static str, String)>,
    defects: &'a [Finding],
    digest: &'a str,
    /// The address of this page.
    again: String,
    /// Whether the details in the portal differ from the confirmed ones.
    has_changed: bool,
}

/// Details: the names of messages, and values.
fn lines(
    application: &ApplicationRecord,
    profile: Option<&Profile>,
) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("onboard-detail-tin", application.tin.to_string()),
        ("onboard-detail-email", application.email.as_str().to_owned()),
    ];
    lines.extend(profile.map(lines_of).into_iter().flatten());
    lines
}

/// The details of a profile.
pub(in crate::pages) fn lines_of(Profile { party, .. }: &Profile) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let Party { name, trading_name, address, vat_identifier, legal_registration, .. } = party;
    let mut add = |label, value: Option<String>| lines.extend(value.map(|value| (label, value)));
    add("onboard-detail-name", name.clone());
    add("onboard-detail-trading-name", trading_name.clone());
    add("onboard-detail-trn", vat_identifier.clone());
    add(
        "onboard-detail-licence",
        legal_registration.as_ref().map(|legal| {
            let parts = [Some(legal.id.clone()), legal.authority_name.clone()];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }),
    );
    add(
        "onboard-detail-address",
        address.as_ref().map(|address| {
            let parts = [
                &address.line_1,
                &address.line_2,
                &address.line_3,
                &address.city,
                &address.country_subdivision,
            ];
            parts.into_iter().flatten().cloned().collect::<Vec<_>>().join(", ")
        }),
    );
    lines
}

/// The reason why the person cannot confirm. It may be shown, since the mailbox was verified.
fn explained(title: &'static str, text: &'static str) -> PageError {
    let cause = "the portal has no details to confirm".to_owned();
    PageError::Explained { status: StatusCode::CONFLICT, title, text, cause }
}

pub(super) async fn details(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let portal = portal(&app)?;
    let application =
        application(&app, &request, request.parameter(APPLICATION)?.as_deref()).await?;
    if application.status != ApplicationStatus::Details {
        return Ok(see_other(&place_of(&application)));
    }
    let (business, profile, defects) =
        match onboarding::details(&app.ctx, portal, &application).await? {
            Shown::Details { business, profile, defects } => (business, profile, defects),
            Shown::NotAppointed => {
                return Err(explained("onboard-appoint-title", "onboard-appoint-text"));
            }
            Shown::OtherAddress => {
                return Err(explained("onboard-address-title", "onboard-address-text"));
            }
            Shown::Suspended => {
                return Err(explained("onboard-suspended-title", "onboard-suspended-text"));
            }
            Shown::Deregistered => {
                return Err(explained("onboard-deregistered-title", "onboard-deregistered-text"));
            }
            Shown::TooOften(taken) => return Err(PageError::TooOften(taken)),
        };
    let digest = business.digest();
    let page = DetailsPage {
        frame: request.frame(),
        application: &application,
        lines: lines(&application, profile.as_deref()),
        defects: &defects[..defects.len().min(MAX_DEFECTS)],
        digest: &digest,
        again: path_of("/onboard/details", &application),
        has_changed: application.confirmed.is_some(),
    };
    request.page(StatusCode::OK, &page)
}

pub(super) async fn confirm(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    portal(&app)?;
    let application = application(&app, request, Some(form.field(APPLICATION))).await?;
    let digest = form.field("digest");
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_digest {
        return Err(PageError::Unreadable("the digest is invalid".to_owned()));
    }
    let taken = onboarding::confirm(&app.ctx, &application, digest, request.origin()).await?;
    let step = match taken {
        Confirmation::Taken => path_of("/onboard/progress", &application),
        Confirmation::NotNow => place_of(&application),
    };
    Ok(see_other(&step))
}

#[derive(Template)]
#[template(path = "onboard/progress.html")]
struct ProgressPage<'a> {
    frame: Frame<'a>,
    application: &'a ApplicationRecord,
    /// The message name of the title.
    title: &'static str,
    text: &'static str,
    /// The message names of the steps, and whether each is done.
    steps: [(&'static str, bool); 3],
    is_waiting: bool,
    may_go_on: bool,
    again: String,
}

pub(super) async fn progress(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let application =
        application(&app, &request, request.parameter(APPLICATION)?.as_deref()).await?;
    let Some(progress) = onboarding::progress(&app.ctx, &application).await? else {
        return Ok(see_other(&place_of(&application)));
    };
    let is_parked = matches!(
        progress,
        Progress::Authority { is_parked: true } | Progress::Network { is_parked: true }
    );
    let status = match &progress {
        Progress::Done(taxpayer) => Some(taxpayer.status),
        Progress::Authority { .. } | Progress::Network { .. } => None,
    };
    let (title, text) = match status {
        Some(TaxpayerStatus::Active) => ("onboard-done-title", "onboard-done-text"),
        Some(TaxpayerStatus::Reverification) => ("onboard-changed-title", "onboard-changed-text"),
        Some(TaxpayerStatus::Deregistered) => {
            ("onboard-deregistered-title", "onboard-deregistered-text")
        }
        Some(_) => ("onboard-suspended-title", "onboard-suspended-text"),
        None if is_parked => ("onboard-progress-title", "onboard-parked-text"),
        None => ("onboard-progress-title", "onboard-progress-text"),
    };
    let page = ProgressPage {
        frame: request.frame(),
        application: &application,
        title,
        text,
        steps: [
            ("onboard-step-details", true),
            ("onboard-step-authority", !matches!(progress, Progress::Authority { .. })),
            ("onboard-step-network", status.is_some()),
        ],
        is_waiting: status.is_none(),
        may_go_on: status == Some(TaxpayerStatus::Active)
            && application.status == ApplicationStatus::HandedOver,
        again: path_of("/onboard/progress", &application),
    };
    request.page_in_progress(StatusCode::OK, &page)
}

/// Signs in the browser, and continues. ASVS 5, 7.6.2: by an explicit action.
pub(super) async fn finish(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let application = application(&app, request, Some(form.field(APPLICATION))).await?;
    let then = then(request, Some(application.then.as_str()));
    let finished =
        onboarding::finish(&app.ctx, &application, request.session.as_ref(), request.origin())
            .await?;
    let Some(session) = finished else {
        // The application was used before; a person who is signed out needs a new mail.
        return Ok(see_other(then.as_str()));
    };
    let mut response = see_other(then.as_str());
    cookies::set_token(response.headers_mut(), cookies::session(request.mode), &session);
    Ok(response)
}
