//! Exchanges a code for tokens (RFC 6749, section 4.1.3; RFC 7636, section 4.6).

use super::{
    Authenticated, ErrorCode, FAMILY_LIFE, OAuthError, TokenResponse,
    tokens::{Pair, end_family},
};
use crate::{
    access::{
        GrantStatus, PresentedCode,
        oauth::{AuthorizationCode, FamilyStatus, RevocationReason, TokenFamily},
    },
    service::{Context, later},
    store::Recorded,
};

/// The parameters of a request beside the client's authentication.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// `code`
    pub code: &'a str,
    /// `redirect_uri`, as in the authorization request
    pub redirect_uri: &'a str,
    /// `code_verifier`
    pub code_verifier: &'a str,
}

/// Issues the tokens of a code, once. A second use of the code revokes them.
pub async fn exchange(
    ctx: &Context,
    client: &Authenticated,
    sent: Exchange<'_>,
) -> Result<TokenResponse, OAuthError> {
    let client = client.client();
    // "Ensure that the authorization code was issued to the authenticated confidential client" (section 4.1.3). This
    // comes before any revocation: otherwise another client that finds the code could end the tokens.
    let code = match PresentedCode::parse(sent.code) {
        Some(code) if code.mode() == client.mode => {
            ctx.store.get_code(client.mode, &code.hash()).await?
        }
        _ => None,
    };
    let code = code.filter(|code| code.client_id == client.client_id).ok_or_else(|| {
        invalid_grant().because("the code is unknown, or belongs to another client")
    })?;
    // "The authorization server MUST deny the request and SHOULD revoke (when possible) all tokens previously issued
    // based on that authorization code" (section 4.1.2).
    if code.used_for.is_some() {
        return Err(replayed(ctx, &code).await?);
    }
    let now = ctx.now();
    if now >= code.expires_at {
        return Err(invalid_grant().because("the code has expired"));
    }
    // "Their values MUST be identical" (section 4.1.3).
    if code.redirect_uri.as_str() != sent.redirect_uri {
        return Err(invalid_grant()
            .because("the redirect_uri differs from the one in the authorization request"));
    }
    // RFC 7636, section 4.6.
    if !code.code_challenge.is_met_by(sent.code_verifier) {
        return Err(invalid_grant().because("the code_verifier does not match the code_challenge"));
    }
    // The taxpayer may have revoked the grant within the minute.
    let grant = ctx.store.get_grant(code.mode, &code.organization_id, &code.grant_id).await?;
    if grant.is_none_or(|grant| grant.status != GrantStatus::Active) {
        return Err(invalid_grant().because("the grant is not active"));
    }
    let family = TokenFamily {
        family_id: code.family_id.clone(),
        mode: code.mode,
        client_id: code.client_id.clone(),
        organization_id: code.organization_id.clone(),
        taxpayer_id: code.taxpayer_id.clone(),
        grant_id: code.grant_id.clone(),
        scopes: code.scopes.clone(),
        status: FamilyStatus::Active,
        revoked_for: None,
        generation: 0,
        rotated_at: now,
        created_at: now,
        expires_at: later(now, FAMILY_LIFE),
    };
    let pair = Pair::new(ctx, &family, code.scopes.clone(), now);
    match ctx.store.use_code(&code, &family, pair.issue()).await? {
        Recorded::Done => Ok(pair.response(&family, now)),
        // A concurrent request came first, with this code or another one of the same approval.
        Recorded::Lost => Err(replayed(ctx, &code).await?),
    }
}

async fn replayed(ctx: &Context, code: &AuthorizationCode) -> Result<OAuthError, OAuthError> {
    let AuthorizationCode { mode, taxpayer_id, family_id, .. } = code;
    if let Some(family) = ctx.store.get_token_family(*mode, taxpayer_id, family_id).await? {
        end_family(ctx, &family, RevocationReason::CodeReplayed).await?;
    }
    Ok(invalid_grant().because("the code was used before"))
}

fn invalid_grant() -> OAuthError {
    OAuthError::new(
        ErrorCode::InvalidGrant,
        "The code is unknown, expired or used, or belongs to another client, or redirect_uri or code_verifier do not \
         match it.",
    )
}
