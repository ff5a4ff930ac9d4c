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

/// How long a code is valid. A browser brings it to a server at once (ASVS 5.0, 10.4.3).
pub const CODE_LIFE: SignedDuration = SignedDuration::from_secs(60);

/// An authorization request that waits for a decision in its browser, and its client.
#[derive(Debug, Clone)]
pub struct Pending {
    /// The request.
    pub request: AuthorizationRequest,
    /// The application.
    pub client: OAuthClient,
    /// The organization that owns it.
    pub organization_name: String,
    /// The code that answers the request.
    code: Arc<PresentedCode>,
}

/// The request of a handle. `None` when it is unknown, has ended, or was made by another browser.
pub async fn pending(
    ctx: &Context,
    handle: &PresentedRequest,
    browser: &str,
) -> Result<Option<Pending>, Failure> {
    let (mode, hash) = (handle.mode(), handle.hash());
    let Some(request) = ctx.store.get_authorization_request(mode, &hash).await? else {
        return Ok(None);
    };
    // A signed-in user must not decide a request of another browser.
    if request.browser != browser || ctx.now() >= request.expires_at {
        return Ok(None);
    }
    let (client, organization) = tokio::try_join!(
        ctx.store.get_client(mode, &request.client_id),
        ctx.store.get_organization(mode, &request.organization_id),
    )?;
    // A redirect URI that was removed meanwhile gets no code.
    let client = client.filter(|it| it.redirect_uri(request.redirect_uri.as_str()).is_some());
    let (Some(client), Some(organization)) = (client, organization) else { return Ok(None) };
    // The grant has the name that the page shows, even if the client is renamed meanwhile.
    let name = request.application.clone().unwrap_or(client.name);
    let client = OAuthClient { name, ..client };
    let code = Arc::new(PresentedCode::answering(handle, request.family_id.as_str()));
    Ok(Some(Pending { request, client, organization_name: organization.name, code }))
}

/// The outcome of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// It is recorded: the browser goes to this address.
    Back(String),
    /// Another decision was recorded before.
    Before,
    /// The business cannot grant anything: its onboarding is not complete, or it was deregistered.
    NotActive,
    /// The organization has the maximum of grants on the business.
    Full,
    /// The organization has no active subscription.
    Unsubscribed,
    /// It is unknown at the moment whether the organization has a subscription.
    Stale,
    /// The organization uses every seat of its subscription.
    NoSeat,
}

/// Why an approval makes no grant, for a reason that the taxpayer cannot change.
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

    /// The name in the page's form.
    pub fn as_str(self) -> &'static str {
        match self {
            Hindrance::Full => "full",
            Hindrance::Unsubscribed => "unsubscribed",
            Hindrance::NoSeat => "no_seat",
            Hindrance::Stale => "stale",
        }
    }

    /// The hindrance of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hindrance| hindrance.as_str() == name)
    }

    /// The error for the application. "access_denied: The resource owner or authorization server denied the request";
    /// "temporarily_unavailable: The authorization server is currently unable to handle the request" (RFC 6749, section
    /// 4.1.2.1).
    fn error(self) -> OAuthError {
        let (code, description) = match self {
            Hindrance::Full => (
                ErrorCode::AccessDenied,
                "Your organization has the maximum number of connections to the business. Nothing was granted.",
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
                "The service does not know at the moment whether your organization has an active subscription. Nothing \
                 was granted.",
            ),
        };
        OAuthError::new(code, description)
    }
}

/// Makes the grant that a taxpayer approved. Returns the address for the browser, with a code.
///
/// A repeated approval (a second click, a second tab, a lost answer) gives the same grant and the same code, as long as
/// the code is unused. A declined request stays declined. If no grant can be made, nothing is decided: the missing
/// subscription may come while the request waits.
pub async fn approve(
    ctx: &Context,
    freshness: Freshness,
    issuer: &str,
    pending: &Pending,
    taxpayer: &Taxpayer,
    origin: &Origin,
) -> Result<Decided, Failure> {
    let request = &pending.request;
    // "Onboarding complete" (specification 3.1). The transaction that makes the grant checks this again.
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
        // The decision is recorded with the grant. So a declined request, or one that another business approved, makes
        // no grant.
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
        // The scopes are known to be valid, so the limit of grants is exceeded.
        Err(failure) if failure.code == Code::InvalidRequest => return Ok(Decided::Full),
        Err(failure) => return Err(failure),
    }
    // The application has its tokens already. Another code could only end them (RFC 6749, section 4.1.2).
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

/// Records that the taxpayer declined. Returns the address for the browser.
pub async fn decline(ctx: &Context, issuer: &str, pending: &Pending) -> Result<Decided, Failure> {
    let error = OAuthError::new(ErrorCode::AccessDenied, "The business did not approve.");
    end(ctx, issuer, pending, &error).await
}

/// Ends a request that no grant can be made for, after the person has read why. Returns the address for the browser,
/// which reports the error to the application.
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
