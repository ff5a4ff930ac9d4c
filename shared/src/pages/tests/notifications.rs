//! The choice of notifications, which each mail links to.

use super::{organization::Scene, *};
use crate::{
    access::{Notification, Role},
    i18n::Language,
    service::members,
    store::{MailRecord, MailSubject, Notified},
    types::Mode,
};

const PATH: &str = "/sandbox/organization/notifications";

/// The chosen boxes of the page.
fn chosen(page: &Given) -> Vec<String> {
    let boxes = page.body.split("<input ").filter(|input| input.contains("type=\"checkbox\""));
    let chosen = boxes.filter(|input| input.split('>').next().unwrap().ends_with("checked"));
    chosen.map(|input| input.split('"').nth(3).unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_member_chooses_its_notifications_for_itself_and_one_mode() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Owner).await;
    let page = browser.get(PATH).await;
    assert_eq!(
        chosen(&page),
        ["get-endpoint", "get-quota"],
        "documents fail in Sandbox on purpose"
    );
    let text = page.text();
    assert!(text.contains("owner@") && text.contains("e-mails about Sandbox"), "{text}");
    assert!(page.body.len() < 50_000);
    let fields = [("get rejected", "yes"), ("get digest", "yes"), ("language", "ar")];
    let answer = browser.submit(&page, PATH, &fields).await;
    assert_eq!(answer.location(), format!("{PATH}?done=saved"));
    let page = browser.get(answer.location()).await;
    assert!(page.text().contains("Your notifications were saved."), "{}", page.text());
    assert_eq!(chosen(&page), ["get-rejected", "get-digest"]);
    for mode in [Mode::Sandbox, Mode::Live] {
        let all = members::list(&scene.world.ctx, mode, &scene.id).await.unwrap();
        let owner = all.iter().find(|member| member.role == Role::Owner).unwrap();
        let is_here = mode == Mode::Sandbox;
        assert_eq!(owner.notifications.has(Notification::Digest), is_here);
        assert_eq!(owner.language, is_here.then_some(Language::Arabic));
        let others = all.iter().filter(|member| member.role != Role::Owner);
        assert!(others.into_iter().all(|member| member.notifications.is_empty()));
    }
}

#[tokio::test]
async fn a_member_is_offered_what_its_role_may_see() {
    let scene = Scene::new().await;
    let mut billing = scene.browser(Role::Billing).await;
    let page = billing.get(PATH).await;
    assert!(page.body.contains("get-sign_in") && !page.body.contains("get-rejected"));
    // A box that was not offered has no effect.
    let fields = [("get rejected", "yes"), ("language", "en")];
    billing.submit(&page, PATH, &fields).await.location();
    let page = billing.get(PATH).await;
    assert_eq!(chosen(&page), Vec::<String>::new());
    let answer = billing.submit(&page, PATH, &[("language", "fr")]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.text().contains("Choose a language."));
}

#[tokio::test]
async fn a_sign_in_with_a_new_browser_is_mailed_to_who_chose_it() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Viewer).await;
    let page = browser.get(PATH).await;
    let fields = [("get sign_in", "yes"), ("language", "en")];
    browser.submit(&page, PATH, &fields).await.location();
    let sign_ins = async || {
        let mails: Vec<MailRecord> = scene.world.items("MAIL").await;
        let of_sign_in = |mail: &&MailRecord| {
            let MailSubject::Notification { notified, .. } = &mail.subject else { return false };
            matches!(notified, Notified::SignIn { .. })
        };
        mails.iter().filter(of_sign_in).count()
    };
    scene.browser(Role::Viewer).await;
    assert_eq!(sign_ins().await, 0, "the same browser has an open session");
    let page = browser.get("/sandbox/organization/sessions").await;
    browser.submit(&page, "/sandbox/sign-out-everywhere", &[]).await;
    scene.world.clock.advance(jiff::SignedDuration::from_hours(1));
    scene.browser(Role::Viewer).await;
    assert_eq!(sign_ins().await, 1);
    scene.world.stream().await;
    scene.world.run("mail", &scene.world.mailing(ORIGIN)).await;
    let mail = scene.world.cloud.mails().pop().unwrap();
    assert_eq!(mail.subject, "New sign-in");
    assert!(mail.text.contains(&format!("{ORIGIN}{PATH}")), "{}", mail.text);
}
