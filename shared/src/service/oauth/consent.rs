//! The taxpayer's decision about an authorization request (specification 3.1 and 5.4, point 4).

use jiff::SignedDuration;

use super::{ErrorCode, OAuthError, authorize::refusal};
use crate::{
    access::{
        Actor, By, Origin, PresentedCode, PresentedRequest, Taxpayer, TaxpayerStatus,
        oauth::{AuthorizationCode, AuthorizationRequest, Decision, OAuthClient},
    },
    error::{Code, Failure},
    service::{
        Context,
        grants::{self, Approval, Refusal},
        later,
    },
    store::Freshness,
};

/// How long a code is good: it goes from a browser to a server, at once (ASVS 5.0, 10.4.3).
pub const CODE_LIFE: SignedDuration = SignedDuration::from_secs(60);

/// An authorization request that its browser asked to be decided, and who made it.
#[derive(Debug, Clone)]
pub struct Pending {
    /// The request.
    pub request: AuthorizationRequest,
    /// The application.
    pub client: OAuthClient,
    /// Who owns it.
    pub organization_name: String,
}

/// The request behind a handle: none when it is unknown, has ended, or another browser made it.
pub async fn pending(
    ctx: &Context,
    handle: &PresentedRequest,
    browser: &str,
) -> Result<Option<Pending>, Failure> {
    let (mode, hash) = (handle.mode(), handle.hash());
    let Some(request) = ctx.store.get_authorization_request(mode, &hash).await? else {
        return Ok(None);
    };
    // The page of one who signed in must not decide what another's browser asked.
    if request.browser != browser || ctx.now() >= request.expires_at {
        return Ok(None);
    }
    let (client, organization) = tokio::try_join!(
        ctx.store.get_client(mode, &request.client_id),
        ctx.store.get_organization(mode, &request.organization_id),
    )?;
    // A redirect URI that was taken back meanwhile gets no code.
    let client = client.filter(|it| it.redirect_uri(request.redirect_uri.as_str()).is_some());
    let (Some(client), Some(organization)) = (client, organization) else { return Ok(None) };
    Ok(Some(Pending { request, client, organization_name: organization.name }))
}

/// What became of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// It stands: the browser goes there.
    Back(String),
    /// Another decision stands.
    Before,
    /// The business cannot grant anything: its onboarding is not complete, or it was deregistered.
    NotActive,
    /// The organization holds as many grants as there may be.
    Full,
    /// The organization has no active subscription.
    Unsubscribed,
    /// Whether it has one is not known at the moment.
    Stale,
    /// Every taxpayer that the organization pays for is connected.
    NoSeat,
}

/// Makes the grant that a taxpayer approved, and gives where to send the browser, with a code. Approving again, since the
/// answer was lost, is the same grant with another code; one that was declined stays so. Where no grant can be made
/// nothing is decided either: what is missing may come while the request waits.
pub async fn approve(
    ctx: &Context,
    freshness: Freshness,
    issuer: &str,
    pending: &Pending,
    taxpayer: &Taxpayer,
    origin: &Origin,
) -> Result<Decided, Failure> {
    let request = &pending.request;
    // "Onboarding complete" (specification 3.1). Making the grant looks once more, in its transaction.
    if taxpayer.status != TaxpayerStatus::Active {
        return Ok(Decided::NotActive);
    }
    let approval = Approval {
        mode: request.mode,
        grant_id: request.grant_id.clone(),
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        organization_id: request.organization_id.clone(),
        scopes: request.scopes.clone(),
        grant_label: request.grant_label.clone(),
        external_id: request.external_id.clone(),
        // Decided with the grant, so that none is made of what was declined, or of what another business approved.
        request: Some(request.clone()),
    };
    let actor = Actor::Taxpayer(taxpayer.taxpayer_id.clone());
    let by = By { actor, origin: origin.clone() };
    match grants::approve(ctx, freshness, &approval, &by).await {
        Ok(Ok(_)) => {}
        Ok(Err(refusal)) => {
            return Ok(match refusal {
                Refusal::Decided => Decided::Before,
                Refusal::Unsubscribed => Decided::Unsubscribed,
                Refusal::Stale => Decided::Stale,
                Refusal::NoSeat => Decided::NoSeat,
            });
        }
        // Its scopes are known: it is the number of grants that is wrong.
        Err(failure) if failure.code == Code::InvalidRequest => return Ok(Decided::Full),
        Err(failure) => return Err(failure),
    }
    let code = PresentedCode::generate(request.mode, &*ctx.random);
    let record = AuthorizationCode {
        hash: code.hash(),
        mode: request.mode,
        client_id: request.client_id.clone(),
        redirect_uri: request.redirect_uri.clone(),
        code_challenge: request.code_challenge.clone(),
        organization_id: request.organization_id.clone(),
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        grant_id: request.grant_id.clone(),
        family_id: request.family_id.clone(),
        scopes: request.scopes.clone(),
        expires_at: later(ctx.now(), CODE_LIFE),
        used_for: None,
    };
    ctx.store.create_code(&record).await?;
    // RFC 6749, section 4.1.2; RFC 9207, section 2.
    let mut parameters = vec![("code", code.reveal())];
    parameters.extend(request.state.as_deref().map(|state| ("state", state)));
    parameters.push(("iss", issuer));
    Ok(Decided::Back(request.redirect_uri.with(&parameters)))
}

/// Notes that the taxpayer declined, and gives where to send the browser.
pub async fn decline(ctx: &Context, issuer: &str, pending: &Pending) -> Result<Decided, Failure> {
    let request = &pending.request;
    if !ctx.store.decide_authorization_request(request, &Decision::Declined).await? {
        return Ok(Decided::Before);
    }
    let error = OAuthError::new(ErrorCode::AccessDenied, "The business did not approve.");
    let (uri, state) = (&request.redirect_uri, request.state.as_deref());
    Ok(Decided::Back(refusal(issuer, uri, state, &error)))
}
