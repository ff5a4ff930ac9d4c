//! Exchanging a refresh token for tokens.

use std::collections::BTreeSet;

use super::*;
use crate::{
    access::Grant,
    i18n::Language,
    service::taxpayers::{self, OwnSettings},
};

/// "The authorization server issues a new refresh token with every access token refresh response. The previous refresh
/// token is invalidated" (RFC 9700, section 4.14.2).
#[tokio::test]
async fn each_refresh_gives_a_new_refresh_token_and_the_access_token_before_goes_on() {
    let flow = Flow::new().await;
    let mut tokens = flow.tokens().await;
    for _ in 0..5 {
        flow.wait(600);
        let next = flow.refresh(&tokens).await.unwrap();
        assert_ne!(next.refresh_token.reveal(), tokens.refresh_token.reveal());
        assert_eq!(next.expires_in, 900);
        assert!(flow.use_token(&next).await.is_ok());
        assert!(flow.use_token(&tokens).await.is_ok());
        tokens = next;
    }
}

/// The answer to a refresh can be lost: the previous token is accepted for 30 s, as long as its successor is unused.
#[tokio::test]
async fn the_immediate_predecessor_is_taken_for_a_moment_while_its_successor_is_unused() {
    let flow = Flow::new().await;
    let first = flow.tokens().await;
    flow.wait(600);
    let lost = flow.refresh(&first).await.unwrap();
    flow.wait(29);
    let second = flow.refresh(&first).await.unwrap();
    // Both tokens of that generation are valid until one is used.
    let third = flow.refresh(&second).await.unwrap();
    assert!(flow.use_token(&third).await.is_ok());
    let sibling = flow.refresh(&lost).await.unwrap();
    assert!(flow.use_token(&sibling).await.is_ok());
}

/// ASVS 5, 10.4.5: "If refresh token rotation is used, the authorization server must invalidate the refresh token after
/// usage, and revoke all refresh tokens for that authorization if an already used and invalidated refresh token is
/// provided." "If a refresh token is compromised and subsequently used by both the attacker and the legitimate client,
/// one of them will present an invalidated refresh token, which will inform the authorization server of the breach"
/// (RFC 9700, 4.14.2).
#[tokio::test]
async fn a_token_that_was_used_ends_the_family_after_the_moment_and_at_once_when_it_is_older() {
    let flow = Flow::new().await;
    let first = flow.tokens().await;
    let second = flow.refresh(&first).await.unwrap();
    flow.wait(30);
    assert_eq!(refused(flow.refresh(&first).await), ErrorCode::InvalidGrant);
    assert_eq!(refused(flow.refresh(&second).await), ErrorCode::InvalidGrant);
    assert_eq!(flow.use_token(&second).await.unwrap_err(), Code::InvalidToken);

    let first = flow.tokens().await;
    let second = flow.refresh(&first).await.unwrap();
    let third = flow.refresh(&second).await.unwrap();
    assert_eq!(refused(flow.refresh(&first).await), ErrorCode::InvalidGrant);
    assert_eq!(flow.use_token(&third).await.unwrap_err(), Code::InvalidToken);
    assert_eq!(refused(flow.refresh(&third).await), ErrorCode::InvalidGrant);
}

/// ASVS 5, 10.4.8: "Verify that refresh tokens have an absolute expiration, including if sliding refresh token
/// expiration is applied." "Refresh tokens SHOULD expire if the client has been inactive for some time" (RFC 9700,
/// section 4.14.2).
#[tokio::test]
async fn a_refresh_token_ends_after_ninety_days_unused_and_all_of_them_after_two_years() {
    const DAY: i64 = 24 * 3_600;
    let flow = Flow::new().await;
    let idle = flow.tokens().await;
    let mut tokens = flow.tokens().await;
    flow.wait(90 * DAY - 1);
    tokens = flow.refresh(&tokens).await.unwrap();
    flow.wait(1);
    assert_eq!(refused(flow.refresh(&idle).await), ErrorCode::InvalidGrant);
    for _ in 0..7 {
        flow.wait(89 * DAY);
        tokens = flow.refresh(&tokens).await.unwrap();
    }
    // 713 days have passed.
    flow.wait(17 * DAY - 600);
    tokens = flow.refresh(&tokens).await.unwrap();
    assert_eq!(tokens.expires_in, 600, "no token outlives its family");
    flow.wait(600);
    assert_eq!(refused(flow.refresh(&tokens).await), ErrorCode::InvalidGrant);
    assert_eq!(flow.use_token(&tokens).await.unwrap_err(), Code::InvalidToken);
}

/// "The requested scope MUST NOT include any scope not originally granted" (RFC 6749, section 6). After a request with
/// fewer scopes, a later request may have all of them again.
#[tokio::test]
async fn a_refresh_may_ask_for_less_and_never_for_more() {
    let flow = Flow::new().await;
    let tokens = flow.tokens().await;
    let client = flow.authenticated().await;
    let token = tokens.refresh_token.reveal();
    for scope in ["inbound:read", "invoices:read inbound:read", "", "admin", " invoices:read"] {
        let asked = refresh(flow.ctx(), &client, token, Some(scope)).await;
        assert_eq!(refused(asked), ErrorCode::InvalidScope, "{scope:?}");
    }
    let less = refresh(flow.ctx(), &client, token, Some("invoices:write")).await.unwrap();
    assert_eq!(less.scopes, [Scope::InvoicesWrite].into());
    assert_eq!(flow.use_token(&less).await.unwrap_err(), Code::InsufficientScope);
    let whole = flow.refresh(&less).await.unwrap();
    assert_eq!(whole.scopes, tokens.scopes);
}

/// "The authorization server cannot determine which party submitted the invalid refresh token, but it will revoke the
/// active refresh token" (RFC 9700, section 4.14.2). The taxpayer is notified once.
#[tokio::test]
async fn every_address_of_the_taxpayer_gets_one_mail_when_its_tokens_are_ended_and_always_the_registered_one()
 {
    for (notices_to, language, words) in [
        (None, Language::English, "We revoked the tokens of an app"),
        (Some("it@falcon.example"), Language::Arabic, "ألغينا رموز أحد التطبيقات"),
    ] {
        let mut flow = Flow::new().await;
        let accounts = "accounts@falcon.example".parse().unwrap();
        flow.taxpayer = flow.world.registered("Falcon <LLC>", "1009876501", &accounts).await;
        let first = flow.tokens().await;
        let wish = OwnSettings { language, notification_email: notices_to.map(str::to_owned) };
        let (ctx, id, origin) = (flow.ctx(), &flow.taxpayer.taxpayer_id, Origin::default());
        taxpayers::set(ctx, Mode::Sandbox, id, &wish, &origin).await.unwrap();
        let second = flow.refresh(&first).await.unwrap();
        flow.wait(30);
        for _ in 0..2 {
            assert_eq!(refused(flow.refresh(&first).await), ErrorCode::InvalidGrant);
        }
        assert_eq!(refused(flow.refresh(&second).await), ErrorCode::InvalidGrant);
        let grants: Vec<Grant> = flow.world.items("GRANT#").await;
        let ended: Vec<_> = grants.iter().map(|grant| grant.tokens_ended_at).collect();
        assert_eq!(ended, vec![Some(flow.world.now()); 2], "the grant says it in both places");
        flow.world.stream().await;
        let mailing = flow.world.mailing("https://portal.example");
        flow.world.run("mail", &mailing).await;
        // The registered address always gets it too, regardless of the settings.
        let mut mails = flow.world.cloud.mails();
        mails.retain(|mail| mail.subject.contains("We revoked the tokens of an app"));
        let to: BTreeSet<_> = mails.iter().map(|mail| mail.to.as_str()).collect();
        let expected = ["accounts@falcon.example"].into_iter().chain(notices_to);
        assert_eq!(to, expected.collect());
        assert_eq!(mails.len(), to.len());
        let mail = &mails[0];
        // The mail has the chosen language first, then the other one.
        assert!(mail.subject.starts_with(words), "{}", mail.subject);
        assert_eq!(mail.text.matches("https://portal.example/sandbox/account").count(), 2);
        // The mail has the application's name and the label from the consent page.
        for name in
            ["Books \u{2013} Head office", "Falcon <LLC>", "https://portal.example/sandbox/account"]
        {
            assert!(mail.text.contains(name), "{name} is not in {}", mail.text);
        }
        assert!(mail.html.contains("Falcon &#60;LLC&#62;"), "{}", mail.html);
    }
}
