//! The data of a business: its details, its registrations, and its business card.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;

use super::super::{
    App, Form, Frame, Nav, PageError, PageRequest, nav::onboard_path, onboard::lines_of, see_other,
};
use crate::{
    access::TaxpayerStatus,
    document::Profile,
    error::Failure,
    peppol::smp::BusinessEntity,
    service::{
        business_cards,
        onboarding::{On, Reached, Step, steps},
    },
    store::{BusinessCardRecord, Register, RegistrationRecord, RegistrationStatus},
    types::Mode,
};

/// The path, below the path of the mode.
pub(super) const PATH: &str = "/account/business";

#[derive(Template)]
#[template(path = "account/business.html")]
struct BusinessPage<'a> {
    frame: Frame<'a>,
    /// Details: the names of messages, and values.
    lines: Vec<(&'static str, String)>,
    status: (&'static str, &'static str),
    /// The registers: the names of the messages for the register and its state.
    registers: Vec<(&'static str, (&'static str, &'static str))>,
    /// The steps of onboarding, in Live.
    steps: Vec<ShownStep>,
    /// The address at which details are confirmed again, if there is one.
    confirm: Option<String>,
    /// The entities of its business card.
    entities: Vec<BusinessEntity>,
    /// Whether the Directory lists it, if the business may decide that.
    is_listed: Option<bool>,
    has_logo: bool,
    /// Whether the card may be changed, and whether it was just changed.
    may_change: bool,
    is_saved: bool,
}

/// A step on the page.
struct ShownStep {
    /// The names of the messages for the step and its state.
    name: &'static str,
    state: &'static str,
    /// The CSS class of its state.
    tone: &'static str,
    at: Option<Timestamp>,
    /// Whether the business must confirm its details.
    is_to_be_confirmed: bool,
}

impl ShownStep {
    fn of((step, reached): (Step, Reached)) -> Self {
        let name = match step {
            Step::Verified => "steps-verified",
            Step::Confirmed => "steps-confirmed",
            Step::Authority => "steps-authority",
            Step::Network => "steps-network",
            Step::Active => "steps-active",
            Step::Directory => "steps-directory",
        };
        let (tone, state) = match reached {
            Reached::Done(_) => ("good", "steps-done"),
            Reached::Waits(On::Business) => ("warn", "steps-waits-for-business"),
            Reached::Waits(On::Service) => ("busy", "steps-waits-for-service"),
            Reached::Waits(On::Operator) => ("warn", "steps-waits-for-operator"),
            Reached::Later => ("plain", "steps-later"),
            Reached::Open => ("plain", "steps-open"),
            Reached::Leaving => ("warn", "registration-leaving"),
            Reached::Ended => ("plain", "steps-ended"),
        };
        ShownStep {
            name,
            state,
            tone,
            at: match reached {
                Reached::Done(at) => at,
                _ => None,
            },
            is_to_be_confirmed: reached == Reached::Waits(On::Business),
        }
    }
}

/// The CSS class of a status, and the name of its message.
fn standing(status: TaxpayerStatus) -> (&'static str, &'static str) {
    match status {
        TaxpayerStatus::Onboarding => ("busy", "standing-onboarding"),
        TaxpayerStatus::Active => ("good", "standing-active"),
        TaxpayerStatus::Reverification => ("warn", "standing-reverification"),
        TaxpayerStatus::Suspended => ("bad", "standing-suspended"),
        TaxpayerStatus::Deregistered => ("bad", "standing-deregistered"),
        TaxpayerStatus::Unknown => ("plain", "status-unknown"),
    }
}

fn registration(found: Option<&RegistrationRecord>) -> (&'static str, &'static str) {
    match found.map(|found| found.status) {
        None | Some(RegistrationStatus::Withdrawn) => ("plain", "registration-none"),
        Some(RegistrationStatus::Registering) => ("busy", "registration-registering"),
        Some(RegistrationStatus::Registered) => ("good", "registration-registered"),
        Some(RegistrationStatus::Preparing | RegistrationStatus::Prepared) => {
            ("warn", "registration-leaving")
        }
        Some(RegistrationStatus::Withdrawing) => ("busy", "registration-withdrawing"),
        Some(RegistrationStatus::Unknown) => ("plain", "status-unknown"),
    }
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let taxpayer = request.signed_in(&app).await?.taxpayer;
    let (store, id) = (&app.ctx.store, &taxpayer.taxpayer_id);
    let (registrations, card, logo) = tokio::try_join!(
        business_cards::registrations(&app.ctx, &taxpayer),
        async { store.get_business_card(request.mode, id).await.map_err(Failure::from) },
        async { store.get_logo(request.mode, id).await.map_err(Failure::from) },
    )?;
    let of = |register| registrations.iter().find(|found| found.register == register);
    let mut lines =
        vec![("onboard-detail-tin", taxpayer.participant_id.tin().unwrap_or_default().to_owned())];
    if let Some(email) = &taxpayer.email {
        lines.push(("onboard-detail-email", email.as_str().to_owned()));
    }
    if let Ok(profile) = Profile::from_json(taxpayer.profile.as_bytes()) {
        lines.extend(lines_of(&profile));
    }
    let directory = of(Register::Directory);
    let is_listed = directory.is_some_and(|found| found.status.is_wanted());
    let may_be_listed = card.is_some() && taxpayer.status == TaxpayerStatus::Active;
    let page = BusinessPage {
        frame: request.frame_in(Nav::Taxpayer, &taxpayer.name),
        lines,
        status: standing(taxpayer.status),
        registers: vec![
            ("register-network", registration(of(Register::Network))),
            ("register-directory", registration(directory)),
        ],
        // Sandbox has no registers, so no step is pending.
        steps: match request.mode {
            Mode::Live => steps(&taxpayer, &registrations).into_iter().map(ShownStep::of).collect(),
            Mode::Sandbox => Vec::new(),
        },
        confirm: onboard_path(&app, &request, PATH),
        has_logo: logo.is_some(),
        may_change: taxpayer.status == TaxpayerStatus::Active,
        is_saved: request.parameter("done")?.is_some(),
        is_listed: may_be_listed.then_some(is_listed),
        entities: card.map(|BusinessCardRecord { entities, .. }| entities).unwrap_or_default(),
    };
    request.page(StatusCode::OK, &page)
}

/// Lists the business in the Directory, or removes it.
pub(super) async fn say_whether_listed(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let request = &form.request;
    let signed_in = request.acting_taxpayer(&app).await?;
    let taxpayer = &signed_in.taxpayer;
    // As in the API, only for active taxpayers (specification 3.4).
    if taxpayer.status != TaxpayerStatus::Active {
        return Err(PageError::Explained {
            status: StatusCode::CONFLICT,
            title: "listing-inactive-title",
            text: "listing-inactive-text",
            cause: "the taxpayer is not active".to_owned(),
        });
    }
    match form.field("listed") {
        "yes" => drop(business_cards::list(&app.ctx, taxpayer).await?),
        "no" => drop(business_cards::unlist(&app.ctx, taxpayer).await?),
        _ => return Err(PageError::Unreadable("the requested change is missing".to_owned())),
    }
    Ok(see_other(&request.path(PATH)))
}
