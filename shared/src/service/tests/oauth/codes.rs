//! Exchanging a code for tokens.

use super::*;
use crate::{
    access::PresentedCode,
    service::{grants, oauth::revoke::revoke},
};

#[tokio::test]
async fn a_code_gives_tokens_that_act_for_the_taxpayer_through_the_grant() {
    let flow = Flow::new().await;
    let tokens = flow.tokens().await;
    assert_eq!(tokens.expires_in, 900);
    assert_eq!(tokens.taxpayer_id, flow.taxpayer.taxpayer_id);
    assert_eq!(tokens.scopes, [Scope::InvoicesRead, Scope::InvoicesWrite].into());
    let caller = flow.use_token(&tokens).await.unwrap();
    assert_eq!(caller.taxpayer.taxpayer_id, flow.taxpayer.taxpayer_id);
    assert_eq!(caller.organization_id, flow.organization_id);
    flow.wait(899);
    assert!(flow.use_token(&tokens).await.is_ok());
    flow.wait(1);
    assert_eq!(flow.use_token(&tokens).await.unwrap_err(), Code::InvalidToken);
}

/// ASVS 5, 10.4.3: "Verify that the authorization code is short-lived. The maximum lifetime can be up to 10 minutes for
/// L1 and L2 applications and up to 1 minute for L3 applications." "Authorization codes MUST be short lived and
/// single-use" (RFC 6749, section 10.5).
#[tokio::test]
async fn a_code_is_good_for_a_minute() {
    let flow = Flow::new().await;
    let (early, late) = (flow.code().await, flow.code().await);
    flow.wait(59);
    assert!(flow.exchange(&early).await.is_ok());
    flow.wait(1);
    assert_eq!(refused(flow.exchange(&late).await), ErrorCode::InvalidGrant);
}

/// ASVS 5, 10.4.2: "For the second valid request with an authorization code that has already been used to issue an
/// access token, the authorization server must reject a token request and revoke any issued tokens related to the
/// authorization code." "If an authorization code is used more than once, the authorization server MUST deny the
/// request and SHOULD revoke (when possible) all tokens previously issued based on that authorization code" (RFC 6749,
/// section 4.1.2).
#[tokio::test]
async fn a_code_that_comes_again_ends_what_it_gave_also_after_its_minute() {
    let flow = Flow::new().await;
    for late in [0, 3_600] {
        let code = flow.code().await;
        let tokens = flow.exchange(&code).await.unwrap();
        let refreshed = flow.refresh(&tokens).await.unwrap();
        flow.wait(late);
        assert_eq!(refused(flow.exchange(&code).await), ErrorCode::InvalidGrant);
        for tokens in [&tokens, &refreshed] {
            assert_eq!(flow.use_token(tokens).await.unwrap_err(), Code::InvalidToken);
            assert_eq!(refused(flow.refresh(tokens).await), ErrorCode::InvalidGrant);
        }
    }
}

/// "Ensure that the authorization code was issued to the authenticated confidential client" (RFC 6749, section 4.1.3).
/// This comes before any revocation: another client cannot end the tokens of a code.
#[tokio::test]
async fn another_client_can_neither_use_a_code_nor_end_what_it_gave() {
    let flow = Flow::new().await;
    let (other, secret) = client_of(flow.ctx(), Mode::Sandbox, &flow.organization_id).await;
    let thief = authenticated(flow.ctx(), &other, &secret).await.unwrap();
    let code = flow.code().await;
    let sent = Exchange { code: &code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
    assert_eq!(refused(exchange(flow.ctx(), &thief, sent).await), ErrorCode::InvalidGrant);
    let tokens = flow.exchange(&code).await.unwrap();
    assert_eq!(refused(exchange(flow.ctx(), &thief, sent).await), ErrorCode::InvalidGrant);
    assert!(flow.use_token(&tokens).await.is_ok());
    // Another client cannot revoke the tokens either (RFC 7009, section 2.1).
    for token in [tokens.access_token.reveal(), tokens.refresh_token.reveal()] {
        assert_eq!(refused(revoke(flow.ctx(), &thief, token).await), ErrorCode::InvalidGrant);
    }
    assert!(flow.use_token(&tokens).await.is_ok());
    let token = tokens.refresh_token.reveal();
    assert_eq!(refused(refresh(flow.ctx(), &thief, token, None).await), ErrorCode::InvalidGrant);
    assert!(flow.refresh(&tokens).await.is_ok());
}

/// ASVS 5, 10.4.6: "For a token request, it must require validation of the 'code_verifier' parameter." "Ensure that the
/// "redirect_uri" parameter is present if [it] was included in the initial authorization request [...] and [...] that
/// their values are identical" (RFC 6749, section 4.1.3); "If the values are not equal, an error response indicating
/// "invalid_grant" [...] MUST be returned" (RFC 7636, section 4.6).
#[tokio::test]
async fn redirect_uri_and_verifier_must_be_those_of_the_request_and_a_mistake_uses_nothing_up() {
    let flow = Flow::new().await;
    let client = flow.authenticated().await;
    let code = flow.code().await;
    let (challenged, plain) = (challenge(VERIFIER), challenge(&challenge(VERIFIER)));
    let long = "a".repeat(129);
    for (redirect_uri, code_verifier) in [
        ("https://app.example/callback", VERIFIER),
        ("", VERIFIER),
        (CALLBACK, ""),
        (CALLBACK, "another-verifier-of-forty-three-characters-!"),
        // The challenge itself is refused, unlike with the method "plain".
        (CALLBACK, &challenged),
        (CALLBACK, &plain),
        (CALLBACK, &VERIFIER[..42]),
        (CALLBACK, &long),
    ] {
        let sent = Exchange { code: &code, redirect_uri, code_verifier };
        let error = refused(exchange(flow.ctx(), &client, sent).await);
        assert_eq!(error, ErrorCode::InvalidGrant, "{redirect_uri} {code_verifier}");
    }
    assert!(flow.exchange(&code).await.is_ok());
}

#[tokio::test]
async fn a_code_of_another_mode_shape_or_of_nobody_is_refused() {
    let flow = Flow::new().await;
    let random = &*flow.ctx().random;
    for code in [
        PresentedCode::generate(Mode::Live, random).reveal(),
        PresentedCode::generate(Mode::Sandbox, random).reveal(),
        "ac_test_",
        "",
        flow.tokens().await.refresh_token.reveal(),
    ] {
        assert_eq!(refused(flow.exchange(code).await), ErrorCode::InvalidGrant, "{code}");
    }
}

/// ASVS 5, 10.4.10: "Verify that confidential client is authenticated for client-to-authorized server backchannel
/// requests such as token requests, pushed authorization requests (PAR), and token revocation requests."
#[tokio::test]
async fn a_client_proves_who_it_is_by_a_secret_of_its_own_that_has_not_ended() {
    use crate::service::oauth::clients::rotate_secret;
    let flow = Flow::new().await;
    let (ctx, client) = (flow.ctx(), &flow.client);
    let (other, others_secret) = client_of(ctx, Mode::Sandbox, &flow.organization_id).await;
    for (client, secret) in [
        (client, others_secret.as_str()),
        (&other, flow.secret.as_str()),
        (client, ""),
        (client, &flow.secret.replace("cs_test_", "cs_live_")),
        (client, &flow.secret[..flow.secret.len() - 1]),
    ] {
        let refusal = authenticated(ctx, client, secret).await;
        assert_eq!(refused(refusal), ErrorCode::InvalidClient, "{secret}");
    }
    // The previous secret works for a day beside the new one. A leaked one ends at once.
    let second =
        rotate_secret(ctx, Mode::Sandbox, &client.client_id, false, &By::operator()).await.unwrap();
    assert!(authenticated(ctx, client, &flow.secret).await.is_ok());
    assert!(authenticated(ctx, client, second.reveal()).await.is_ok());
    flow.wait(24 * 3_600);
    assert_eq!(refused(authenticated(ctx, client, &flow.secret).await), ErrorCode::InvalidClient);
    let third =
        rotate_secret(ctx, Mode::Sandbox, &client.client_id, true, &By::operator()).await.unwrap();
    let leaked = authenticated(ctx, client, second.reveal()).await;
    assert_eq!(refused(leaked), ErrorCode::InvalidClient);
    assert!(authenticated(ctx, client, third.reveal()).await.is_ok());
}

/// ASVS 5, 10.4.9: "Verify that refresh tokens and reference access tokens can be revoked by an authorized user using
/// the authorization server user interface, to mitigate the risk of malicious clients or stolen tokens." "Tokens of a
/// revoked grant stop working immediately" (specification 5.2); "requests return 403" (3.1).
#[tokio::test]
async fn tokens_and_codes_end_with_their_grant_on_the_next_request() {
    let flow = Flow::new().await;
    let tokens = flow.tokens().await;
    let pending = flow.pending().await;
    let code = code_of(flow.approve(&pending).await);
    for grant_id in [&tokens.grant_id, &pending.request.grant_id] {
        let by = By::operator();
        let ended =
            grants::revoke(flow.ctx(), Mode::Sandbox, &flow.organization_id, grant_id, &by).await;
        ended.unwrap();
    }
    assert_eq!(flow.use_token(&tokens).await.unwrap_err(), Code::GrantRequired);
    assert_eq!(refused(flow.refresh(&tokens).await), ErrorCode::InvalidGrant);
    assert_eq!(refused(flow.exchange(&code).await), ErrorCode::InvalidGrant);
}

/// "If the particular token is a refresh token [...] the authorization server SHOULD also invalidate all access tokens
/// based on the same authorization grant" (RFC 7009, section 2.1); "invalid tokens do not cause an error response"
/// (section 2.2).
#[tokio::test]
async fn a_client_takes_an_access_token_back_alone_and_a_refresh_token_with_all_of_its_family() {
    let flow = Flow::new().await;
    let client = flow.authenticated().await;
    let first = flow.tokens().await;
    let second = flow.refresh(&first).await.unwrap();
    for _ in 0..2 {
        revoke(flow.ctx(), &client, first.access_token.reveal()).await.unwrap();
        assert_eq!(flow.use_token(&first).await.unwrap_err(), Code::InvalidToken);
        assert!(flow.use_token(&second).await.is_ok());
    }
    for _ in 0..2 {
        revoke(flow.ctx(), &client, first.refresh_token.reveal()).await.unwrap();
        assert_eq!(flow.use_token(&second).await.unwrap_err(), Code::InvalidToken);
        assert_eq!(refused(flow.refresh(&second).await), ErrorCode::InvalidGrant);
    }
    for nothing in ["", "x", "at_test_x", flow.secret.as_str()] {
        revoke(flow.ctx(), &client, nothing).await.unwrap();
    }
    // The grant stays active: the taxpayer revoked nothing.
    let grants = flow.ctx().store.list_active_grants(Mode::Sandbox, &flow.taxpayer.taxpayer_id);
    assert_eq!(grants.await.unwrap().len(), 1);
}

#[tokio::test]
async fn no_secret_is_in_the_table() {
    let flow = Flow::new().await;
    let handle = flow.waiting().await;
    let pending = consent::pending(flow.ctx(), &handle, BROWSER).await.unwrap().unwrap();
    let code = code_of(flow.approve(&pending).await);
    let tokens = flow.exchange(&code).await.unwrap();
    let later = flow.refresh(&tokens).await.unwrap();
    let everything = format!("{:?}", flow.world.raw_items("").await);
    for secret in [
        handle.reveal(),
        &code,
        &flow.secret,
        tokens.access_token.reveal(),
        tokens.refresh_token.reveal(),
        later.access_token.reveal(),
        later.refresh_token.reveal(),
        VERIFIER,
    ] {
        let (_, random) = secret.rsplit_once('_').unwrap_or(("", secret));
        assert!(!everything.contains(random), "{secret}");
    }
}
