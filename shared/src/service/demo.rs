//! Demo data: an organization with a key of each mode, three Sandbox taxpayers and a webhook endpoint. On request, one
//! of the taxpayers exists in Live too. Existing demo data is found again, so the command can be repeated.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    Context,
    grants::{self, Approval},
    members::{self, Founder},
    onboarding::{self, Details},
    organizations,
    register::begin_registration,
    subscriptions,
    webhooks::{self, EndpointSettings},
};
use crate::{
    access::{By, PresentedKey, Scope, Taxpayer, TaxpayerStatus},
    error::{Code, Failure},
    types::{
        EmailAddress, EndpointId, GrantId, MemberId, Mode, NoAddress, OrganizationId,
        ParticipantId, TaxpayerId,
    },
    webhook::{SealingKeys, Secret},
};

/// The requested demo data.
#[derive(Debug, Default)]
pub struct Wish {
    /// The URL of the webhook endpoint.
    pub webhook_url: String,
    /// Its signing secret; a new one if absent.
    pub webhook_secret: Option<Secret>,
    /// The Live key; a new one if absent.
    pub live_key: Option<PresentedKey>,
    /// The Sandbox key; a new one if absent.
    pub sandbox_key: Option<PresentedKey>,
    /// The TIN of the business that becomes a taxpayer in Live too.
    pub live_tin: Option<String>,
}

/// The demo data, with its secrets.
#[derive(Debug, Serialize)]
pub struct Demo {
    /// The organization, by the same identifier in both modes.
    pub organization_id: OrganizationId,
    /// The address of its owner, who signs in by a link.
    pub owner: &'static str,
    /// Its keys.
    pub api_keys: DemoKeys,
    /// The Sandbox taxpayers.
    pub taxpayers: Vec<DemoTaxpayer>,
    /// The endpoint of the organization's Sandbox.
    pub webhook_endpoint: DemoEndpoint,
    /// The demo data in Live, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<DemoLive>,
}

/// The demo data in Live, where the organization has a subscription.
#[derive(Debug, Serialize)]
pub struct DemoLive {
    /// The taxpayer.
    pub taxpayer: DemoTaxpayer,
    /// The organization's endpoint, with the same signing secret as that of its Sandbox.
    pub webhook_endpoint: DemoEndpoint,
}

/// The keys of the demo organization.
#[derive(Debug, Serialize)]
pub struct DemoKeys {
    /// pk_live_…
    pub live: String,
    /// pk_test_…
    pub sandbox: String,
}

/// A demo taxpayer.
#[derive(Debug, Serialize)]
pub struct DemoTaxpayer {
    /// Its identifier.
    pub taxpayer_id: TaxpayerId,
    /// Its name.
    pub name: String,
    /// Its participant identifier.
    pub participant_id: ParticipantId,
    /// The address that signs in for it.
    pub email: EmailAddress,
    /// The organization's grant on it, if it has one.
    pub grant_id: Option<GrantId>,
}

/// The demo endpoint.
#[derive(Debug, Serialize)]
pub struct DemoEndpoint {
    /// Its identifier.
    pub endpoint_id: EndpointId,
    /// Where deliveries go.
    pub url: String,
    /// The signing secret.
    pub secret: String,
}

/// An invented business of the demo data.
struct Business {
    name: &'static str,
    tin: &'static str,
    email: &'static str,
    address: [&'static str; 3],
    licence: [&'static str; 2],
    granted: bool,
}

/// The owner of the demo organization.
const OWNER: &str = "owner@integrator.example";

/// Falcon and Oasis do business with each other, and bill for each other. Pearl has granted nothing.
const BUSINESSES: [Business; 3] = [
    Business {
        name: "Falcon Trading LLC",
        tin: "1001234501",
        email: "accounts@falcon.example",
        address: ["Al Quoz Industrial Area 3", "Dubai", "DXB"],
        licence: ["CN-1001234", "Dubai Department of Economy and Tourism"],
        granted: true,
    },
    Business {
        name: "Oasis Supplies FZE",
        tin: "1001234502",
        email: "accounts@oasis.example",
        address: ["Jebel Ali Free Zone, Gate 5", "Dubai", "DXB"],
        licence: ["CN-1001235", "Jebel Ali Free Zone Authority"],
        granted: true,
    },
    Business {
        name: "Pearl Services LLC",
        tin: "1001234503",
        email: "accounts@pearl.example",
        address: ["Corniche Road 12", "Abu Dhabi", "AUH"],
        licence: ["CN-1001236", "Abu Dhabi Department of Economic Development"],
        granted: false,
    },
];

/// Creates the demo data, or finds it.
pub async fn make(ctx: &Context, sealing_key: &SealingKeys, wish: Wish) -> Result<Demo, Failure> {
    let Wish { webhook_url, webhook_secret, live_key, sandbox_key, live_tin } = wish;
    let in_live = live_tin.map(|tin| business(&tin)).transpose()?;
    let organization_id = find_organization(ctx, sandbox_key.as_ref()).await?;
    let organization_id =
        organization_id.unwrap_or_else(|| OrganizationId::new(ctx.now(), &*ctx.random));
    for mode in [Mode::Sandbox, Mode::Live] {
        let (id, by) = (organization_id.clone(), By::operator());
        organizations::create_as(ctx, mode, id, "Demo Integrator", &by).await?;
    }
    make_owner(ctx, &organization_id).await?;
    let api_keys = DemoKeys {
        live: make_key(ctx, &organization_id, Mode::Live, live_key).await?,
        sandbox: make_key(ctx, &organization_id, Mode::Sandbox, sandbox_key).await?,
    };
    let mut taxpayers = Vec::new();
    for business in &BUSINESSES {
        taxpayers.push(make_taxpayer(ctx, Mode::Sandbox, &organization_id, business).await?);
    }
    let endpoint = |mode, secret| {
        make_endpoint(ctx, sealing_key, (mode, &organization_id), webhook_url.clone(), secret)
    };
    let webhook_endpoint = endpoint(Mode::Sandbox, webhook_secret).await?;
    let live = match in_live {
        None => None,
        Some(business) => {
            let secret = webhook_endpoint.secret.parse().map_err(|error| {
                Failure::new(Code::InternalError, "the secret does not read back").because(error)
            })?;
            if ctx.store.get_subscription(&organization_id).await?.is_none() {
                subscriptions::set(ctx, &organization_id, None, &By::operator()).await?;
            }
            Some(DemoLive {
                taxpayer: make_taxpayer(ctx, Mode::Live, &organization_id, business).await?,
                webhook_endpoint: endpoint(Mode::Live, Some(secret)).await?,
            })
        }
    };
    Ok(Demo { organization_id, owner: OWNER, api_keys, taxpayers, webhook_endpoint, live })
}

/// The business with this TIN.
fn business(tin: &str) -> Result<&'static Business, Failure> {
    BUSINESSES.iter().find(|business| business.granted && business.tin == tin).ok_or_else(|| {
        let granted = BUSINESSES.iter().filter(|business| business.granted);
        let tins: Vec<_> = granted.map(|business| business.tin).collect();
        let message =
            format!("no business of the demo data has the TIN {tin}: {}", tins.join(", "));
        Failure::new(Code::InvalidRequest, message)
    })
}

/// The organization of an earlier run: the owner of the key, or the organization that a demo taxpayer granted access
/// to.
async fn find_organization(
    ctx: &Context,
    key: Option<&PresentedKey>,
) -> Result<Option<OrganizationId>, Failure> {
    if let Some(key) = key
        && let Some(record) = ctx.store.get_api_key(Mode::Sandbox, &key.hash()).await?
    {
        return Ok(Some(record.organization_id));
    }
    let participant = participant(&BUSINESSES[0])?;
    let Some(found) = ctx.store.find_participant(Mode::Sandbox, &participant).await? else {
        return Ok(None);
    };
    let grants = ctx.store.list_active_grants(Mode::Sandbox, &found.taxpayer_id).await?;
    Ok(grants.into_iter().next().map(|grant| grant.organization_id))
}

async fn make_owner(ctx: &Context, organization_id: &OrganizationId) -> Result<(), Failure> {
    let email: EmailAddress = OWNER.parse().map_err(|error: NoAddress| {
        Failure::new(Code::InternalError, "The demo owner has no good address.").because(error)
    })?;
    let member_id = MemberId::new(ctx.now(), &*ctx.random);
    let founder = Founder { mode: Mode::Sandbox, organization_id, member_id, email };
    members::found(ctx, founder, &By::operator()).await.map(drop)
}

async fn make_key(
    ctx: &Context,
    organization_id: &OrganizationId,
    mode: Mode,
    given: Option<PresentedKey>,
) -> Result<String, Failure> {
    let key = given.unwrap_or_else(|| PresentedKey::generate(mode, &*ctx.random));
    if key.mode() != mode {
        let message = format!("the {mode} key is one of the mode {}", key.mode());
        return Err(Failure::new(Code::InvalidRequest, message));
    }
    organizations::adopt_key(ctx, &key, organization_id, "Demo", &By::operator()).await?;
    Ok(key.reveal().to_owned())
}

async fn make_taxpayer(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    business: &Business,
) -> Result<DemoTaxpayer, Failure> {
    let participant_id = participant(business)?;
    let email: EmailAddress = business.email.parse().map_err(|error: NoAddress| {
        Failure::new(Code::InternalError, "A demo business has no good address.").because(error)
    })?;
    let taxpayer_id = match ctx.store.find_participant(mode, &participant_id).await? {
        Some(found) => found.taxpayer_id,
        None => {
            let taxpayer_id = TaxpayerId::new(ctx.now(), &*ctx.random);
            let record = Taxpayer {
                taxpayer_id: taxpayer_id.clone(),
                mode,
                participant_id: participant_id.clone(),
                name: business.name.to_owned(),
                status: TaxpayerStatus::Active,
                suspended_by: None,
                confirmed: None,
                profile: profile(business),
                email: Some(email.clone()),
                created_at: ctx.now(),
            };
            if !ctx.store.create_taxpayer(&record).await? {
                let message =
                    format!("another run has used {participant_id} in the meantime; try again");
                return Err(Failure::new(Code::ServiceUnavailable, message));
            }
            taxpayer_id
        }
    };
    // The taxpayer is active already, so only its registration is missing.
    begin_registration(ctx, mode, &taxpayer_id, None).await?;
    let grant_id = if business.granted {
        Some(make_grant(ctx, mode, organization_id, &taxpayer_id).await?)
    } else {
        None
    };
    let name = business.name.to_owned();
    Ok(DemoTaxpayer { taxpayer_id, name, participant_id, email, grant_id })
}

async fn make_grant(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    taxpayer_id: &TaxpayerId,
) -> Result<GrantId, Failure> {
    let grants = ctx.store.list_active_grants(mode, taxpayer_id).await?;
    if let Some(grant) = grants.into_iter().find(|grant| grant.organization_id == *organization_id)
    {
        return Ok(grant.grant_id);
    }
    let approval = Approval {
        mode,
        grant_id: GrantId::new(ctx.now(), &*ctx.random),
        taxpayer_id: taxpayer_id.clone(),
        organization_id: organization_id.clone(),
        scopes: BTreeSet::from(Scope::ALL),
        grant_label: Some("Demo".to_owned()),
        external_id: None,
        request: None,
    };
    Ok(grants::seed(ctx, &approval).await?.grant_id)
}

async fn make_endpoint(
    ctx: &Context,
    sealing_key: &SealingKeys,
    (mode, organization_id): (Mode, &OrganizationId),
    url: String,
    secret: Option<Secret>,
) -> Result<DemoEndpoint, Failure> {
    let endpoints = ctx.store.list_endpoints(mode, organization_id).await?;
    // An endpoint with another secret, or with a secret that does not open, does not count as the demo endpoint.
    let same = endpoints.into_iter().filter(|endpoint| endpoint.url == url).find_map(|endpoint| {
        let id = endpoint.endpoint_id;
        let opened = sealing_key.open(&endpoint.sealed_secret, mode, &id).ok()?;
        secret.as_ref().is_none_or(|wished| *wished == opened).then_some((id, opened))
    });
    let (endpoint_id, secret) = match same {
        Some(found) => found,
        None => {
            let secret = secret.unwrap_or_else(|| Secret::new(&*ctx.random));
            let wanted = EndpointSettings { url: url.clone(), ..EndpointSettings::default() };
            let (owner, by) = ((mode, organization_id), By::operator());
            let made = webhooks::make(ctx, sealing_key, owner, wanted, secret, &by).await?;
            (made.endpoint.endpoint_id, made.secret)
        }
    };
    Ok(DemoEndpoint { endpoint_id, url, secret: secret.expose() })
}

fn participant(business: &Business) -> Result<ParticipantId, Failure> {
    ParticipantId::new(ParticipantId::TIN_SCHEME, business.tin).map_err(|error| {
        Failure::new(Code::InternalError, "a TIN of the demo data is wrong").because(error)
    })
}

fn profile(business: &Business) -> String {
    let Business { name, tin, address, licence, .. } = *business;
    onboarding::profile(&Details { name, tin, address, licence })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        document::Profile,
        testing::{World, sealing_key},
    };

    #[test]
    fn the_profiles_are_parties() {
        for business in &BUSINESSES {
            Profile::from_json(profile(business).as_bytes()).unwrap();
        }
    }

    fn wish() -> Wish {
        Wish { webhook_url: "http://127.0.0.1:9/hook".to_owned(), ..Wish::default() }
    }

    #[tokio::test]
    async fn a_second_run_finds_what_the_first_one_made() {
        let world = World::new().await;
        let first = make(&world.ctx, &sealing_key(), wish()).await.unwrap();
        let key = |text: &str| PresentedKey::parse(text);
        let again = Wish {
            live_key: key(&first.api_keys.live),
            sandbox_key: key(&first.api_keys.sandbox),
            ..wish()
        };
        let second = make(&world.ctx, &sealing_key(), again).await.unwrap();
        let text = |demo: &Demo| serde_json::to_string(demo).unwrap();
        assert_eq!(text(&first), text(&second));

        let third = make(&world.ctx, &sealing_key(), wish()).await.unwrap();
        assert_eq!(third.organization_id, first.organization_id);
        assert_eq!(third.webhook_endpoint.secret, first.webhook_endpoint.secret);
        assert_ne!(third.api_keys.sandbox, first.api_keys.sandbox, "a lost key is not shown again");
    }

    #[tokio::test]
    async fn a_business_that_is_wished_in_live_has_all_it_needs_there() {
        let world = World::new().await;
        let live = || Wish { live_tin: Some(BUSINESSES[1].tin.to_owned()), ..wish() };
        let demo = make(&world.ctx, &sealing_key(), live()).await.unwrap();
        let made = demo.live.unwrap();
        assert_eq!(made.taxpayer.name, BUSINESSES[1].name);
        assert_eq!(made.webhook_endpoint.secret, demo.webhook_endpoint.secret);
        let found = world.ctx.store.find_participant(Mode::Live, &made.taxpayer.participant_id);
        assert_eq!(found.await.unwrap().unwrap().taxpayer_id, made.taxpayer.taxpayer_id);
        let billing = subscriptions::show(&world.ctx, &demo.organization_id).await.unwrap();
        assert!(billing.subscription.unwrap().active);
        assert_eq!(billing.in_use, 1);

        let again = make(&world.ctx, &sealing_key(), live()).await.unwrap().live.unwrap();
        assert_eq!(again.taxpayer.taxpayer_id, made.taxpayer.taxpayer_id);
        assert_eq!(again.taxpayer.grant_id, made.taxpayer.grant_id);
        assert_eq!(again.webhook_endpoint.endpoint_id, made.webhook_endpoint.endpoint_id);
    }

    #[tokio::test]
    async fn a_tin_of_nobody_who_granted_access_is_refused_with_those_that_did() {
        let world = World::new().await;
        let wish = Wish { live_tin: Some(BUSINESSES[2].tin.to_owned()), ..wish() };
        let failure = make(&world.ctx, &sealing_key(), wish).await.unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
        assert!(failure.message.contains(BUSINESSES[0].tin), "{}", failure.message);
    }

    #[tokio::test]
    async fn a_key_of_the_other_mode_is_refused() {
        let world = World::new().await;
        let live = PresentedKey::generate(Mode::Live, &*world.ctx.random);
        let failure = make(&world.ctx, &sealing_key(), Wish { sandbox_key: Some(live), ..wish() })
            .await
            .unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest);
    }
}
