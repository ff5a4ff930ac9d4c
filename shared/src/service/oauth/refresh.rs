//! Exchanges a refresh token for tokens (RFC 6749, section 6). Each refresh token is used once (RFC 9700, section
//! 4.14.2).
//!
//! A token belongs to a generation of its family:
//!
//! - A token of the newest generation starts the next generation.
//! - A token of the previous generation is accepted for [`REFRESH_GRACE`], as long as its successor is unused. The
//!   answer with the successor may have been lost, or two workers of the client refreshed at once.
//! - With an older token, that token or its successor was stolen: the family ends.

use std::collections::BTreeSet;

use super::{
    Authenticated, ErrorCode, OAuthError, REFRESH_GRACE, TokenResponse,
    tokens::{Pair, end_family},
};
use crate::{
    access::{
        GrantStatus, PresentedRefreshToken, Scope,
        oauth::{FamilyStatus, RefreshToken, RevocationReason, TokenFamily},
    },
    service::{Context, later},
    store::Recorded,
};

/// Maximum attempts of a refresh that meets concurrent ones.
const ATTEMPTS: u32 = 12;

/// Issues new tokens for a refresh token, with fewer scopes on request.
pub async fn refresh(
    ctx: &Context,
    client: &Authenticated,
    refresh_token: &str,
    scope: Option<&str>,
) -> Result<TokenResponse, OAuthError> {
    let client = client.client();
    let token = match PresentedRefreshToken::parse(refresh_token) {
        Some(token) if token.mode() == client.mode => {
            ctx.store.get_refresh_token(client.mode, &token.hash()).await?
        }
        _ => None,
    };
    // "Ensure that the refresh token was issued to the authenticated client" (section 6). This comes before any
    // revocation.
    let token = token.filter(|token| token.client_id == client.client_id).ok_or_else(|| {
        invalid_grant().because("the token is unknown, or belongs to another client")
    })?;
    for attempt in 0..ATTEMPTS {
        if let Some(tokens) = once(ctx, &token, scope).await? {
            return Ok(tokens);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(OAuthError::new(
        ErrorCode::TemporarilyUnavailable,
        "Too many requests use the token at once: retry.",
    ))
}

/// One attempt. `None` when a concurrent use was first.
async fn once(
    ctx: &Context,
    token: &RefreshToken,
    scope: Option<&str>,
) -> Result<Option<TokenResponse>, OAuthError> {
    let RefreshToken { mode, taxpayer_id, family_id, .. } = token;
    let family = ctx.store.get_token_family(*mode, taxpayer_id, family_id).await?;
    let family = family.ok_or_else(|| invalid_grant().because("the token belongs to no family"))?;
    if family.status != FamilyStatus::Active {
        return Err(invalid_grant().because("the tokens were revoked"));
    }
    let now = ctx.now();
    if now >= token.expires_at || now >= family.expires_at {
        return Err(invalid_grant().because("the token has expired"));
    }
    let grant = ctx.store.get_grant(*mode, &family.organization_id, &family.grant_id).await?;
    if grant.is_none_or(|grant| grant.status != GrantStatus::Active) {
        return Err(invalid_grant().because("the grant was revoked"));
    }
    let scopes = narrowed(&family, scope)?;
    if token.generation == family.generation {
        let generation = family.generation.saturating_add(1);
        let next = TokenFamily { generation, rotated_at: now, ..family.clone() };
        let pair = Pair::new(ctx, &next, scopes, now);
        let used = ctx.store.rotate_tokens(&family, &next, pair.issue()).await?;
        return Ok((used == Recorded::Done).then(|| pair.response(&next, now)));
    }
    let in_grace = token.generation.checked_add(1) == Some(family.generation)
        && now < later(family.rotated_at, REFRESH_GRACE);
    if in_grace {
        let pair = Pair::new(ctx, &family, scopes, now);
        let used = ctx.store.add_tokens(&family, pair.issue()).await?;
        return Ok((used == Recorded::Done).then(|| pair.response(&family, now)));
    }
    end_family(ctx, &family, RevocationReason::RefreshReused).await?;
    Err(invalid_grant().because("the token was used before"))
}

/// "The requested scope MUST NOT include any scope not originally granted, and if omitted is treated as equal to the
/// scope originally granted" (section 6).
fn narrowed(family: &TokenFamily, scope: Option<&str>) -> Result<BTreeSet<Scope>, OAuthError> {
    let Some(scope) = scope else { return Ok(family.scopes.clone()) };
    let asked: Option<BTreeSet<Scope>> = scope.split(' ').map(|scope| scope.parse().ok()).collect();
    asked.filter(|asked| !asked.is_empty() && asked.is_subset(&family.scopes)).ok_or_else(|| {
        OAuthError::new(
            ErrorCode::InvalidScope,
            "scope must be among the scopes that were granted.",
        )
    })
}

fn invalid_grant() -> OAuthError {
    OAuthError::new(
        ErrorCode::InvalidGrant,
        "The refresh token is unknown, expired, revoked or used, or belongs to another client: ask the taxpayer to \
         connect again.",
    )
}
