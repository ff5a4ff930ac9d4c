//! Signing in by a link; also misuse of links.

use jiff::SignedDuration;

use super::*;
use crate::{
    access::{Action, AuditRecord, Role, Taxpayer, Trail},
    service::sign_in::LINK_VALID,
    testing::{Fault, Faults, Mail},
    types::EmailAddress,
};

/// Falcon with an e-mail address, and a browser at its pages.
pub(super) struct Scene {
    pub(super) world: World,
    falcon: Taxpayer,
    pub(super) browser: Browser,
}

pub(super) fn address() -> EmailAddress {
    "accounts@falcon.example".parse().unwrap()
}

impl Scene {
    pub(super) async fn new() -> Scene {
        let world = World::new().await;
        let falcon = world.registered("Falcon Trading LLC", "1001234501", &address()).await;
        let pages = crate::pages::organization::routes(Router::new());
        let browser = Browser::new(router(app(&world), pages));
        Scene { world, falcon, browser }
    }

    /// The taxpayer with the address.
    pub(super) fn falcon(&self) -> &Taxpayer {
        &self.falcon
    }

    /// Another browser.
    pub(super) fn stranger(&self) -> Browser {
        Browser::new(self.browser.router.clone())
    }

    /// Sends the pending mails.
    pub(super) async fn mails(&self) -> Vec<Mail> {
        self.world.stream().await;
        self.work().await;
        self.world.cloud.mails()
    }

    async fn work(&self) {
        let mailing = self.world.mailing(ORIGIN);
        self.world.run("mail", &mailing).await;
    }

    /// Requests a link; returns its path.
    pub(super) async fn link(&mut self) -> String {
        ask(&mut self.browser, "/sandbox/sign-in", address().as_str()).await;
        link_in(&self.mails().await.pop().unwrap())
    }

    /// Opens a link and presses its button.
    pub(super) async fn press(&mut self, link: &str) -> Given {
        let page = self.browser.get(link).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text());
        self.browser.submit(&page, "/sandbox/sign-in/confirm", &[]).await
    }

    pub(super) async fn is_signed_in(&mut self) -> bool {
        self.browser.get("/sandbox/account").await.status == StatusCode::OK
    }
}

pub(super) async fn ask(browser: &mut Browser, path: &str, email: &str) -> Given {
    let page = browser.get(path).await;
    let action = path.split('?').next().unwrap();
    browser.submit(&page, action, &[("email", email)]).await
}

pub(super) fn link_in(mail: &Mail) -> String {
    let link = mail.text.lines().find(|line| line.starts_with("https://")).unwrap();
    link.strip_prefix(ORIGIN).unwrap().to_owned()
}

#[tokio::test]
async fn somebody_signs_in_by_the_link_in_a_mail_and_out_again() {
    let mut scene = Scene::new().await;
    let there = "/sandbox/oauth/consent?request=r-1&x=2";
    let query =
        form_urlencoded::Serializer::new(String::new()).append_pair("continue", there).finish();
    let answer =
        ask(&mut scene.browser, &format!("/sandbox/sign-in?{query}"), "Accounts@Falcon.example ")
            .await;
    assert_eq!(answer.location(), format!("/sandbox/sign-in/sent?{query}"));
    let sent = scene.browser.get("/sandbox/sign-in/sent").await;
    assert!(sent.text().contains("It works once and expires after 15 minutes."), "{}", sent.text());
    let [mail] = scene.mails().await.try_into().unwrap();
    assert_eq!(mail.to, "accounts@falcon.example");
    assert_eq!(mail.subject, "Your sign-in link (Sandbox)");
    assert_eq!(mail.from, "E-invoicing <no-reply@portal.example.com>");
    let link = link_in(&mail);
    assert!(mail.html.contains(&format!("href=\"{ORIGIN}{link}\"")));
    let before = scene.browser.cookies.clone();
    let answer = scene.press(&link).await;
    assert_eq!(answer.location(), there);
    assert!(scene.browser.cookies.contains_key("__Host-sandbox-session"));
    assert_eq!(before["__Host-browser"], scene.browser.cookies["__Host-browser"]);
    let account = scene.browser.get("/sandbox/account").await;
    assert!(account.text().contains("Signed in as Falcon Trading LLC"), "{}", account.text());
    // ASVS 5, 7.4.4: "Verify that all pages that require authentication have easy and visible access to logout
    // functionality."
    let copied = scene.browser.clone();
    let answer = scene.browser.submit(&account, "/sandbox/sign-out", &[]).await;
    assert_eq!(answer.location(), "/sandbox/signed-out");
    assert!(!scene.browser.cookies.contains_key("__Host-sandbox-session"));
    // ASVS 5, 7.4.1: a copied cookie is invalid too.
    let mut copied = copied;
    let answer = copied.get("/sandbox/account").await;
    assert_eq!(answer.location(), "/sandbox/sign-in?continue=%2Fsandbox%2Faccount");
}

#[tokio::test]
async fn the_answer_and_the_work_are_the_same_whether_anybody_has_the_address() {
    let scene = Scene::new().await;
    let mut seen = Vec::new();
    for email in ["accounts@falcon.example", "nobody@nowhere.example"] {
        let mut browser = scene.stranger();
        let page = browser.get("/sandbox/sign-in").await;
        scene.world.cloud.take_written();
        let answer = browser.submit(&page, "/sandbox/sign-in", &[("email", email)]).await;
        let written = scene.world.cloud.take_written();
        let kinds: Vec<_> =
            written.iter().map(|pk| pk.split('#').nth(1).unwrap().to_owned()).collect();
        assert_eq!(kinds, ["RATE", "RATE", "MAIL"]);
        let items = scene.world.raw_items("MAIL").await;
        let newest = items.iter().max_by_key(|item| item["pk"].as_s().unwrap().clone()).unwrap();
        let mut attributes: Vec<_> = newest.keys().cloned().collect();
        attributes.sort();
        let location = answer.location().to_owned();
        let sent = browser.get(&location).await;
        let sent = sent.text().split("Request").next().unwrap().to_owned();
        seen.push((answer.status, answer.body.clone(), location, attributes, sent));
    }
    assert_eq!(seen[0], seen[1]);
    let mails = scene.mails().await;
    assert_eq!(
        mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(),
        ["accounts@falcon.example"]
    );
    // The remaining items of both contain no address.
    for item in scene.world.raw_items("MAIL").await {
        assert!(!item.contains_key("to") && item.contains_key("ttl"), "{item:?}");
    }
    let everything = format!("{:?}", scene.world.raw_items("").await);
    assert!(!everything.contains("nobody@nowhere.example"));
}

#[tokio::test]
async fn another_link_leads_where_the_first_one_would_have() {
    let mut scene = Scene::new().await;
    let then = "/sandbox/oauth/consent?request=r-1";
    let page = scene
        .browser
        .get("/sandbox/sign-in?continue=%2Fsandbox%2Foauth%2Fconsent%3Frequest%3Dr-1")
        .await;
    let email = address();
    let fields = [("email", email.as_str())];
    let sent = scene.browser.submit(&page, "/sandbox/sign-in", &fields).await;
    let to = sent.location().to_owned();
    let page = scene.browser.get(&to).await;
    let again = page.attribute("a href=\"/sandbox/sign-in", "href");
    let page = scene.browser.get(&again).await;
    assert_eq!(page.attribute("name=\"continue\"", "value").replace("&#x3d;", "="), then);
}

#[tokio::test]
async fn a_link_is_used_once() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    // A mail scanner can open the link many times without using it.
    for _ in 0..3 {
        assert_eq!(scene.stranger().get(&link).await.status, StatusCode::FORBIDDEN);
        assert_eq!(scene.browser.get(&link).await.status, StatusCode::OK);
    }
    let page = scene.browser.get(&link).await;
    scene.press(&link).await;
    assert!(scene.is_signed_in().await);
    let again = scene.browser.get(&link).await;
    assert_eq!(again.status, StatusCode::GONE);
    assert!(again.text().contains("This link is no longer valid"));
    // The earlier page, and its form with the browser's new cookies.
    let replayed = scene.browser.submit(&page, "/sandbox/sign-in/confirm", &[]).await;
    assert_eq!(replayed.status, StatusCode::FORBIDDEN, "its form is another session's");
    scene.browser.cookies.remove("__Host-sandbox-session");
    let replayed = scene.browser.submit(&page, "/sandbox/sign-in/confirm", &[]).await;
    assert_eq!(replayed.status, StatusCode::GONE);
    assert!(!scene.is_signed_in().await);
}

#[tokio::test]
async fn of_presses_at_once_one_begins_a_session() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    let page = scene.browser.get(&link).await;
    let page = &page;
    let presses: Vec<_> = (0..16)
        .map(|_| {
            let mut browser = scene.browser.clone();
            let hidden = page.hidden("/sandbox/sign-in/confirm");
            tokio::spawn(async move {
                let fields: Vec<_> = hidden.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
                browser.post("/sandbox/sign-in/confirm", &fields).await.status
            })
        })
        .collect();
    let mut signed_in = 0;
    for press in presses {
        match press.await.unwrap() {
            StatusCode::SEE_OTHER => signed_in += 1,
            status => assert_eq!(status, StatusCode::GONE),
        }
    }
    assert_eq!((signed_in, scene.world.raw_items("SESSION").await.len()), (1, 1));
}

#[tokio::test]
async fn a_link_works_for_fifteen_minutes() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    let page = scene.browser.get(&link).await;
    scene.world.clock.advance(LINK_VALID - SignedDuration::from_secs(1));
    assert_eq!(scene.browser.get(&link).await.status, StatusCode::OK);
    scene.world.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(scene.browser.get(&link).await.status, StatusCode::GONE);
    let late = scene.browser.submit(&page, "/sandbox/sign-in/confirm", &[]).await;
    assert_eq!(late.status, StatusCode::GONE);
}

#[tokio::test]
async fn a_link_is_of_no_use_in_another_browser_or_mode() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    let mut thief = scene.stranger();
    let page = thief.get(&link).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    assert!(
        page.text().contains("Open the link in the browser that requested it"),
        "{}",
        page.text()
    );
    // Also with a form from the thief's own browser.
    let form = thief.get("/sandbox/sign-in").await.hidden("/sandbox/sign-in").remove(0).1;
    let token = link.split_once("token=").unwrap().1;
    let fields = [("form_token", form.as_str()), ("token", token)];
    let stolen = thief.post("/sandbox/sign-in/confirm", &fields).await;
    assert_eq!(stolen.status, StatusCode::FORBIDDEN);
    assert!(stolen.set_cookies().is_empty());
    let live = link.strip_prefix("/sandbox").unwrap();
    assert_eq!(scene.browser.get(live).await.status, StatusCode::GONE);
    for wrong in ["/sandbox/sign-in/confirm", "/sandbox/sign-in/confirm?token=x"] {
        assert_eq!(scene.browser.get(wrong).await.status, StatusCode::GONE);
    }
    scene.press(&link).await;
    assert!(scene.is_signed_in().await, "and works where it was asked for");
}

#[tokio::test]
async fn a_session_of_one_mode_is_none_of_the_other() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    scene.press(&link).await;
    assert!(scene.is_signed_in().await);
    assert_eq!(scene.browser.get("/account").await.location(), "/sign-in?continue=%2Faccount");
    let session = scene.browser.cookies["__Host-sandbox-session"].clone();
    scene.browser.cookies.insert("__Host-session".to_owned(), session);
    assert_eq!(scene.browser.get("/account").await.location(), "/sign-in?continue=%2Faccount");
}

// ASVS 5, 7.2.4: "generates a new session token on user authentication, including re-authentication, and terminates the
// current session token."
#[tokio::test]
async fn signing_in_again_ends_the_session_before() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    scene.press(&link).await;
    let mut before = scene.browser.clone();
    assert_eq!(before.get("/sandbox/account").await.status, StatusCode::OK);
    let link = scene.link().await;
    scene.press(&link).await;
    let cookie = "__Host-sandbox-session";
    assert_ne!(before.cookies[cookie], scene.browser.cookies[cookie]);
    assert!(scene.is_signed_in().await);
    assert_eq!(before.get("/sandbox/account").await.status, StatusCode::SEE_OTHER);
}

// ASVS 5, 7.5.2: "Verify that users are able to view and (having re-entered login credentials) terminate any or all
// currently active sessions."
#[tokio::test]
async fn signing_out_everywhere_ends_the_sessions_of_other_browsers() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    scene.press(&link).await;
    let second = scene.stranger();
    let mut first = std::mem::replace(&mut scene.browser, second);
    let link = scene.link().await;
    scene.press(&link).await;
    let account = scene.browser.get("/sandbox/account").await;
    assert_eq!(first.get("/sandbox/account").await.status, StatusCode::OK);
    scene.browser.submit(&account, "/sandbox/sign-out-everywhere", &[]).await;
    assert_eq!(first.get("/sandbox/account").await.status, StatusCode::SEE_OTHER);
    assert!(!scene.is_signed_in().await);
}

#[tokio::test]
async fn the_account_shows_where_somebody_is_signed_in_and_ends_one_session_alone() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    scene.browser.headers.push(("user-agent", "Firefox <b> of the office"));
    scene.press(&link).await;
    let second = scene.stranger();
    let mut first = std::mem::replace(&mut scene.browser, second);
    scene.world.clock.advance(SignedDuration::from_mins(10));
    let link = scene.link().await;
    scene.press(&link).await;
    let account = scene.browser.get("/sandbox/account").await;
    let text = account.text();
    assert!(
        text.contains("This browser") && text.contains("Firefox &#60;b&#62; of the office"),
        "{text}"
    );
    assert!(text.contains(" 2026, ") && text.contains("Last used"), "{text}");
    let ended = scene.browser.submit(&account, "/sandbox/account/end-session", &[]).await;
    assert_eq!(ended.location(), "/sandbox/account?done=ended");
    assert_eq!(first.get("/sandbox/account").await.status, StatusCode::SEE_OTHER);
    let account = scene.browser.get(ended.location()).await;
    assert!(account.text().contains("The session was ended."), "{}", account.text());
    assert!(!account.body.contains("end-session"), "nothing but this browser");
    // A signed-out person ends no session, and an invalid session id is not found.
    let form = scene.browser.post("/sandbox/account/end-session", &[("session", "x")]).await;
    assert_eq!(form.status, StatusCode::FORBIDDEN, "without the token of a form");
}

#[tokio::test]
async fn who_has_several_accounts_chooses_one() {
    let mut scene = Scene::new().await;
    let organization_id = scene.world.organization("Integrator").await;
    scene.world.member(&organization_id, address(), Role::Viewer).await;
    let oasis = scene.world.registered("Oasis <b>", "1009876543", &address()).await;
    let pearl = scene.world.onboarded("Pearl", "1005555555").await;
    let link = scene.link().await;
    let choice = scene.press(&link).await;
    assert_eq!(choice.status, StatusCode::OK);
    assert!(choice.text().contains("Choose an account") && !choice.body.contains("<b>"));
    assert!(choice.text().contains("Integrator Organization, as viewer"), "{}", choice.text());
    let action = "/sandbox/sign-in/confirm";
    for wrong in [pearl.taxpayer_id.as_str(), "txpay_1"] {
        let given = scene.browser.submit(&choice, action, &[("account", wrong)]).await;
        assert_eq!(given.status, StatusCode::GONE, "{wrong}");
    }
    let chosen = [("account", oasis.taxpayer_id.as_str())];
    let answer = scene.browser.submit(&choice, action, &chosen).await;
    assert_eq!(answer.location(), "/sandbox/account");
    assert!(scene.browser.get("/sandbox/account").await.text().contains("Oasis"));
    scene.browser.cookies.remove("__Host-sandbox-session");
    let chosen = [("account", scene.falcon.taxpayer_id.as_str())];
    let again = scene.browser.submit(&choice, action, &chosen).await;
    assert_eq!(again.status, StatusCode::GONE, "the other one needs a link of its own");
}

#[tokio::test]
async fn a_member_signs_in_to_its_organization_and_to_no_business() {
    let mut scene = Scene::new().await;
    let organization_id = scene.world.organization("Integrator").await;
    let email: EmailAddress = "ada@integrator.example".parse().unwrap();
    scene.world.member(&organization_id, email.clone(), Role::Owner).await;
    ask(&mut scene.browser, "/sandbox/sign-in", email.as_str()).await;
    let link = link_in(&scene.mails().await.pop().unwrap());
    let answer = scene.press(&link).await;
    assert_eq!(answer.location(), "/sandbox/organization");
    assert!(!scene.is_signed_in().await, "the account is a taxpayer's");
    let entries: Vec<AuditRecord> = scene.world.items("aud_").await;
    let entry = entries.iter().find(|entry| entry.action == Action::SignInSucceeded).unwrap();
    assert_eq!(entry.trail, Trail::Organization(organization_id));
    assert_eq!(entry.ip.as_deref(), Some("192.0.2.1"), "it is its own party's");
}

#[tokio::test]
async fn who_has_the_address_when_the_button_is_pressed_decides() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    let page = scene.browser.get(&link).await;
    scene.world.ctx.store.set_email(&scene.falcon, None).await;
    let given = scene.browser.submit(&page, "/sandbox/sign-in/confirm", &[]).await;
    assert_eq!(given.status, StatusCode::GONE);
}

#[tokio::test]
async fn one_goes_on_nowhere_else() {
    let mut scene = Scene::new().await;
    for there in
        ["https://evil.example/", "//evil.example/account", "/oauth/consent", "/sandbox/sign-out"]
    {
        let query =
            form_urlencoded::Serializer::new(String::new()).append_pair("continue", there).finish();
        ask(&mut scene.browser, &format!("/sandbox/sign-in?{query}"), address().as_str()).await;
        let link = link_in(&scene.mails().await.pop().unwrap());
        assert_eq!(scene.press(&link).await.location(), "/sandbox/account", "{there}");
    }
}

#[tokio::test]
async fn a_press_whose_outcome_nobody_knows_is_looked_up() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    let page = scene.browser.get(&link).await;
    let healthy = scene.browser.router.clone();
    for (fault, status, sessions) in [(Fault::Before, 503, 0), (Fault::After, 303, 1)] {
        let failing = scene.world.failing(&Faults::only("TransactWriteItems", fault));
        let mut portal = scene.world.portal(ORIGIN);
        portal.ctx = failing.sending.ctx;
        scene.browser.router = router(Arc::new(portal), Router::new());
        let given = scene.browser.submit(&page, "/sandbox/sign-in/confirm", &[]).await;
        assert_eq!(given.status.as_u16(), status, "{}", given.text());
        assert_eq!(scene.world.raw_items("SESSION").await.len(), sessions);
    }
    scene.browser.router = healthy;
    assert!(scene.is_signed_in().await);
}
