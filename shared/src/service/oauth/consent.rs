//! The taxpayer's decision about an authorization request (specification 3.1 and 5.4, point 4).

use std::sync::Arc;

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
        grants::{self, Approval, ApprovalRefusal},
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
    /// The code that answers the request.
    code: Arc<PresentedCode>,
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
    // What the page names, the grant names, also where the client is renamed meanwhile.
    let name = request.application.clone().unwrap_or(client.name);
    let client = OAuthClient { name, ..client };
    let code = Arc::new(PresentedCode::answering(handle, request.family_id.as_str()));
    Ok(Some(Pending { request, client, organization_name: organization.name, code }))
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

/// Why no grant can be made of an approval, for a reason that is not the taxpayer's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hindrance {
    /// [`Decided::Full`]
    Full,
    /// [`Decided::Unsubscribed`]
    Unsubscribed,
    /// [`Decided::NoSeat`]
    NoSeat,
    /// [`Decided::Stale`]
    Stale,
}

impl Hindrance {
    const ALL: [Hindrance; 4] =
        [Hindrance::Full, Hindrance::Unsubscribed, Hindrance::NoSeat, Hindrance::Stale];

    /// The name under which a page's form has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Hindrance::Full => "full",
            Hindrance::Unsubscribed => "unsubscribed",
            Hindrance::NoSeat => "no_seat",
            Hindrance::Stale => "stale",
        }
    }

    /// The one of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hindrance| hindrance.as_str() == name)
    }

    /// What the application is told. "access_denied: The resource owner or authorization server denied the request";
    /// "temporarily_unavailable: The authorization server is currently unable to handle the request" (RFC 6749, section
    /// 4.1.2.1).
    fn error(self) -> OAuthError {
        let (code, description) = match self {
            Hindrance::Full => (
                ErrorCode::AccessDenied,
                "Your organization has as many connections to the business as there may be. Nothing was granted.",
            ),
            Hindrance::Unsubscribed => (
                ErrorCode::AccessDenied,
                "Your organization has no active subscription. Nothing was granted.",
            ),
            Hindrance::NoSeat => (
                ErrorCode::AccessDenied,
                "The subscription of your organization has no seat for a further business. Nothing was granted.",
            ),
            Hindrance::Stale => (
                ErrorCode::TemporarilyUnavailable,
                "Whether your organization has an active subscription is not known at the moment. Nothing was granted.",
            ),
        };
        OAuthError::new(code, description)
    }
}

/// Makes the grant that a taxpayer approved, and gives where to send the browser, with a code. Approving again, by a second
/// click, in a second tab or since the answer was lost, is the same grant with the same code, as long as that is unused; one
/// that was declined stays so. Where no grant can be made nothing is decided either: what is missing may come while the
/// request waits.
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
                ApprovalRefusal::Decided => Decided::Before,
                ApprovalRefusal::Unsubscribed => Decided::Unsubscribed,
                ApprovalRefusal::Stale => Decided::Stale,
                ApprovalRefusal::NoSeat => Decided::NoSeat,
            });
        }
        // Its scopes are known: it is the number of grants that is wrong.
        Err(failure) if failure.code == Code::InvalidRequest => return Ok(Decided::Full),
        Err(failure) => return Err(failure),
    }
    // The application has its tokens: another code could only end them (RFC 6749, section 4.1.2).
    let (mode, family_id) = (request.mode, &request.family_id);
    if ctx.store.get_token_family(mode, &taxpayer.taxpayer_id, family_id).await?.is_some() {
        return Ok(Decided::Before);
    }
    let code = &pending.code;
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
    if !ctx.store.put_code(&record).await? {
        return Ok(Decided::Before);
    }
    // RFC 6749, section 4.1.2; RFC 9207, section 2.
    let mut parameters = vec![("code", code.reveal())];
    parameters.extend(request.state.as_deref().map(|state| ("state", state)));
    parameters.push(("iss", issuer));
    Ok(Decided::Back(request.redirect_uri.with(&parameters)))
}

/// Notes that the taxpayer declined, and gives where to send the browser.
pub async fn decline(ctx: &Context, issuer: &str, pending: &Pending) -> Result<Decided, Failure> {
    let error = OAuthError::new(ErrorCode::AccessDenied, "The business did not approve.");
    end(ctx, issuer, pending, &error).await
}

/// Ends a request of which no grant can be made, once the person has read why, and gives where to send the browser: the
/// application is told.
pub async fn give_back(
    ctx: &Context,
    issuer: &str,
    pending: &Pending,
    hindrance: Hindrance,
) -> Result<Decided, Failure> {
    end(ctx, issuer, pending, &hindrance.error()).await
}

async fn end(
    ctx: &Context,
    issuer: &str,
    pending: &Pending,
    error: &OAuthError,
) -> Result<Decided, Failure> {
    let request = &pending.request;
    if !ctx.store.decide_authorization_request(request, &Decision::Declined).await? {
        return Ok(Decided::Before);
    }
    let (uri, state) = (&request.redirect_uri, request.state.as_deref());
    Ok(Decided::Back(refusal(issuer, uri, state, error)))
}
