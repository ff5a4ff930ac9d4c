//! Access tokens and refresh tokens, and the end of their family.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use super::OAuthError;
use crate::{
    access::{
        Action, Actor, By, Deed, Grant, GrantStatus, Origin, PresentedAccessToken,
        PresentedRefreshToken, Scope, Trail,
        oauth::{AccessToken, FamilyStatus, RefreshToken, RevocationReason, TokenFamily},
    },
    service::{Context, RELAY_GRACE, audit, later, notices},
    store::{Issue, MailRecord, MailSubject, TokensEnded},
    types::{GrantId, TaxpayerId},
};

/// How long an access token is valid.
pub const ACCESS_TOKEN_LIFE: SignedDuration = SignedDuration::from_mins(15);
/// How long an unused refresh token is valid (RFC 9700, section 4.14.2).
pub const REFRESH_TOKEN_IDLE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How long tokens can be refreshed in total. Then the taxpayer must decide again.
pub const FAMILY_LIFE: SignedDuration = SignedDuration::from_hours(2 * 365 * 24);
/// How long the previous refresh token works while its successor is unused, since the answer with the successor may
/// have been lost.
pub const REFRESH_GRACE: SignedDuration = SignedDuration::from_secs(30);

/// The answer of the token endpoint (RFC 6749, section 5.1; specification 4.5).
#[derive(Debug)]
pub struct TokenResponse {
    /// The access token.
    pub access_token: PresentedAccessToken,
    /// The refresh token.
    pub refresh_token: PresentedRefreshToken,
    /// The remaining seconds of the access token.
    pub expires_in: i64,
    /// The scopes of the access token.
    pub scopes: BTreeSet<Scope>,
    /// The taxpayer that the tokens act for.
    pub taxpayer_id: TaxpayerId,
    /// The grant of the tokens.
    pub grant_id: GrantId,
}

/// Ends a family after one of its used codes or tokens came again. The organization and the taxpayer find it in their
/// audit trails. The taxpayer gets a mail at its registered address, regardless of its settings.
pub(super) async fn end_family(
    ctx: &Context,
    family: &TokenFamily,
    reason: RevocationReason,
) -> Result<(), OAuthError> {
    let TokenFamily { mode, taxpayer_id, family_id, organization_id, .. } = family;
    if family.status != FamilyStatus::Active {
        return Ok(());
    }
    let by = By { actor: Actor::Client(family.client_id.clone()), origin: Origin::default() };
    let action = Action::TokenReuseDetected;
    let deed =
        Deed { mode: *mode, by: &by, action, subject: family.grant_id.as_str(), at: ctx.now() };
    let entries = [
        audit::entry(ctx, &deed, Trail::Organization(organization_id.clone())),
        audit::entry(ctx, &deed, Trail::Taxpayer(taxpayer_id.clone())),
    ];
    let store = &ctx.store;
    let grant = store.get_grant(*mode, organization_id, &family.grant_id).await?;
    let mails = notices(ctx, family, grant.as_ref(), deed.at).await?;
    let mails = (mails.as_slice(), later(deed.at, RELAY_GRACE));
    let ended = TokensEnded { family, reason, entries: &entries, mails, at: deed.at };
    // An active grant stays active, and records with the mails that its tokens ended. A revoked grant needs no such
    // note. If the grant is revoked concurrently, the tokens are ended without the note.
    let standing = grant.filter(|grant| grant.status == GrantStatus::Active);
    let done = match &standing {
        Some(grant) => store.end_tokens(ended, Some(grant)).await?,
        None => false,
    };
    if done || store.end_tokens(ended, None).await? {
        tracing::warn!(family_id = %family_id, %reason, "a used code or token was used again: its tokens were revoked");
    }
    Ok(())
}

/// The mails to a taxpayer whose tokens are ended. None if no address is known.
async fn notices(
    ctx: &Context,
    family: &TokenFamily,
    grant: Option<&Grant>,
    now: Timestamp,
) -> Result<Vec<MailRecord>, OAuthError> {
    let TokenFamily { mode, taxpayer_id, client_id, .. } = family;
    let (taxpayer, settings, client) = tokio::try_join!(
        ctx.store.get_taxpayer(*mode, taxpayer_id),
        ctx.store.get_settings_lately(*mode, taxpayer_id),
        ctx.store.get_client(*mode, client_id),
    )?;
    let (Some(taxpayer), Some(client)) = (taxpayer, client) else { return Ok(Vec::new()) };
    // The name on the taxpayer's page.
    let application = match grant {
        Some(grant) => grant.shown_name(&client.name),
        None => client.name,
    };
    let subject = MailSubject::AccessEnded { application, business: taxpayer.name.clone() };
    let subject = (&subject, settings.language);
    Ok(notices::mails(ctx, &taxpayer, &settings, subject, now))
}

/// A pair of tokens, in clear text and as records.
pub(super) struct Pair {
    presented: (PresentedAccessToken, PresentedRefreshToken),
    access: AccessToken,
    refresh: RefreshToken,
}

impl Pair {
    /// A new pair of the family's current generation.
    pub(super) fn new(
        ctx: &Context,
        family: &TokenFamily,
        scopes: BTreeSet<Scope>,
        now: Timestamp,
    ) -> Self {
        let access_token = PresentedAccessToken::generate(family.mode, &*ctx.random);
        let refresh_token = PresentedRefreshToken::generate(family.mode, &*ctx.random);
        let TokenFamily { mode, family_id, client_id, taxpayer_id, .. } = family.clone();
        let access = AccessToken {
            hash: access_token.hash(),
            mode,
            family_id: family_id.clone(),
            client_id: client_id.clone(),
            organization_id: family.organization_id.clone(),
            taxpayer_id: taxpayer_id.clone(),
            scopes,
            expires_at: later(now, ACCESS_TOKEN_LIFE).min(family.expires_at),
        };
        let refresh = RefreshToken {
            hash: refresh_token.hash(),
            mode,
            family_id,
            client_id,
            taxpayer_id,
            generation: family.generation,
            expires_at: later(now, REFRESH_TOKEN_IDLE).min(family.expires_at),
        };
        Pair { presented: (access_token, refresh_token), access, refresh }
    }

    pub(super) fn issue(&self) -> Issue<'_> {
        Issue { access: &self.access, refresh: &self.refresh }
    }

    /// The answer to the client.
    pub(super) fn response(self, family: &TokenFamily, now: Timestamp) -> TokenResponse {
        let (access_token, refresh_token) = self.presented;
        TokenResponse {
            access_token,
            refresh_token,
            expires_in: self.access.expires_at.duration_since(now).as_secs(),
            scopes: self.access.scopes,
            taxpayer_id: family.taxpayer_id.clone(),
            grant_id: family.grant_id.clone(),
        }
    }
}
