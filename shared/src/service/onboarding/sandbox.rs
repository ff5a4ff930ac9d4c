//! Test businesses: in Sandbox the step at the national portal is simulated (specification 5.4, point 6; 1, "Sandbox
//! behaviour" 7). A business with an unused TIN is active at once, with invented details.

use jiff::SignedDuration;
use serde_json::json;

use crate::{
    access::{Taxpayer, TaxpayerStatus},
    document::Profile,
    error::{Code, Failure},
    service::{Context, register::begin_registration},
    store::{Rate, Taken},
    types::{EmailAddress, Mode, ParticipantId, TaxpayerId, Tin},
};

/// How many test businesses one network address may create.
pub const BY_PLACE: Rate =
    Rate { what: "TESTBUSINESS", most: 30, window: SignedDuration::from_hours(1) };
/// Longest name of a business, in characters.
pub const MAX_NAME: usize = 200;
/// How often a random TIN is drawn until an unused one is found.
const DRAWS: u32 = 16;

/// The registered details of a business.
pub(in crate::service) struct Details<'a> {
    /// Its name.
    pub(in crate::service) name: &'a str,
    /// Ten digits.
    pub(in crate::service) tin: &'a str,
    /// Line, city and emirate.
    pub(in crate::service) address: [&'a str; 3],
    /// The number of the trade licence, and its issuer.
    pub(in crate::service) licence: [&'a str; 2],
}

/// The registered profile as the JSON of a party.
pub(in crate::service) fn profile(details: &Details<'_>) -> String {
    let Details { name, tin, address: [line_1, city, country_subdivision], licence } = details;
    let [id, authority_name] = licence;
    let profile = json!({
        "name": name,
        "electronic_address": {"id": tin},
        // A TRN is the TIN and five more digits.
        "vat_identifier": format!("{tin}00003"),
        "legal_registration": {"id": id, "type": "TL", "authority_name": authority_name},
        "address": {
            "line_1": line_1, "city": city,
            "country_subdivision": country_subdivision, "country_code": "AE",
        },
    });
    profile.to_string()
}

/// A request for a test business.
#[derive(Debug, Clone)]
pub struct Wish<'a> {
    /// Its TIN; without one, a random unused TIN.
    pub tin: Option<&'a str>,
    /// Its name.
    pub name: &'a str,
    /// The address for later sign-in links. Without one nobody can sign in for it again.
    pub email: Option<EmailAddress>,
    /// The network address of the request.
    pub place: &'a str,
}

/// The outcome of the request.
#[derive(Debug)]
pub enum Onboarded {
    /// The business is active.
    Active(Box<Taxpayer>),
    /// The TIN is invalid.
    NoTin,
    /// Another test business has the TIN.
    TinTaken,
    /// The name is invalid.
    NoName,
    /// There were too many requests from this network address.
    TooOften(Taken),
}

/// A TIN that no test business has at the moment.
pub async fn unused_tin(ctx: &Context) -> Result<Tin, Failure> {
    for _ in 0..DRAWS {
        let mut bytes = [0; 8];
        ctx.random.fill(&mut bytes);
        let drawn = format!("1{:09}", u64::from_be_bytes(bytes) % 1_000_000_000);
        let Ok(tin) = drawn.parse::<Tin>() else { continue };
        let found = ctx.store.find_participant(Mode::Sandbox, &(&tin).into()).await?;
        if found.is_none() {
            return Ok(tin);
        }
    }
    Err(Failure::new(Code::ServiceUnavailable, "No unused TIN was found: retry."))
}

/// Creates a test business, which is active at once. It exists only in Sandbox, so the function takes no mode.
pub async fn simulate(ctx: &Context, wish: Wish<'_>) -> Result<Onboarded, Failure> {
    let name = wish.name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Ok(Onboarded::NoName);
    }
    let tin = match wish.tin {
        Some(tin) => match tin.parse::<Tin>() {
            Ok(tin) => tin,
            Err(_) => return Ok(Onboarded::NoTin),
        },
        None => unused_tin(ctx).await?,
    };
    let (mode, now) = (Mode::Sandbox, ctx.now());
    let taken = ctx.store.take_one(mode, BY_PLACE, wish.place, now).await?;
    if !taken.is_given {
        return Ok(Onboarded::TooOften(taken));
    }
    let profile = profile(&Details {
        name,
        tin: tin.as_str(),
        address: ["Sheikh Zayed Road 1", "Dubai", "DXB"],
        licence: [tin.as_str(), "Department of Economy and Tourism"],
    });
    // A name that no document may have is refused now, not at the first invoice.
    if Profile::from_json(profile.as_bytes()).is_err() {
        return Ok(Onboarded::NoName);
    }
    let taxpayer = Taxpayer {
        taxpayer_id: TaxpayerId::new(now, &*ctx.random),
        mode,
        participant_id: ParticipantId::from(&tin),
        name: name.to_owned(),
        status: TaxpayerStatus::Active,
        profile,
        email: wish.email,
        suspended_by: None,
        confirmed: None,
        created_at: now,
    };
    if !ctx.store.create_taxpayer(&taxpayer).await? {
        return Ok(Onboarded::TinTaken);
    }
    begin_registration(ctx, mode, &taxpayer.taxpayer_id, None).await?;
    Ok(Onboarded::Active(Box::new(taxpayer)))
}
