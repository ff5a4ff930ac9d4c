//! Revokes tokens (RFC 7009). The grant stays active: a client ends it by `DELETE /grants/{grant_id}`.

use super::{Authenticated, ErrorCode, OAuthError};
use crate::{
    access::{PresentedAccessToken, PresentedRefreshToken, oauth::OAuthClient},
    service::Context,
    types::ClientId,
};

/// Revokes a token of the client. An access token is revoked alone. A refresh token is revoked with its whole family
/// ("the authorization server SHOULD also invalidate all access tokens based on the same authorization grant", section
/// 2.1). Revoking an unknown or expired token succeeds (section 2.2). The token itself shows its kind, so a wrong hint
/// has no effect.
pub async fn revoke(ctx: &Context, client: &Authenticated, token: &str) -> Result<(), OAuthError> {
    let client = client.client();
    if let Some(token) = PresentedRefreshToken::parse(token).filter(|it| it.mode() == client.mode) {
        let found = ctx.store.get_refresh_token(client.mode, &token.hash()).await?;
        let Some(found) = found else { return Ok(()) };
        owned(client, &found.client_id)?;
        let (taxpayer_id, family_id) = (&found.taxpayer_id, &found.family_id);
        ctx.store.revoke_token_family(client.mode, taxpayer_id, family_id).await?;
    }
    if let Some(token) = PresentedAccessToken::parse(token).filter(|it| it.mode() == client.mode) {
        let found = ctx.store.get_access_token(client.mode, &token.hash()).await?;
        let Some(found) = found else { return Ok(()) };
        owned(client, &found.client_id)?;
        ctx.store.delete_access_token(&found).await?;
    }
    Ok(())
}

/// "Verifies whether the token was issued to the client making the revocation request. If this validation fails, the
/// request is refused and the client is informed of the error" (section 2.1).
fn owned(client: &OAuthClient, owner: &ClientId) -> Result<(), OAuthError> {
    match client.client_id == *owner {
        true => Ok(()),
        false => {
            Err(OAuthError::new(ErrorCode::InvalidGrant, "The token belongs to another client."))
        }
    }
}
