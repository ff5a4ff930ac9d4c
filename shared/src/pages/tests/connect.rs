//! A taxpayer connects an application; also misuse of this flow.

use jiff::SignedDuration;

use super::*;
use crate::{
    access::{Actor, By, Grant, GrantStatus, Origin, Scope, oauth::OAuthClient},
    service::{
        grants,
        oauth::clients::{NewClient, create},
        sessions, subscriptions,
    },
    store::{Subscription, keys::Key},
    types::Mode,
};

const CONSENT: &str = "/oauth/consent";

const CALLBACK: &str = "https://app.example/callback?of=erp";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

struct Scene {
    world: World,
    client: OAuthClient,
    browser: Browser,
}

impl Scene {
    async fn new() -> Self {
        Self::on(World::new().await).await
    }

    async fn on(world: World) -> Self {
        let new = NewClient {
            mode: world.mode,
            organization_id: world.organization("Integrator & Sons").await,
            name: "Books <b>".to_owned(),
            redirect_uris: vec![CALLBACK.to_owned()],
            scopes: Scope::ALL.into(),
        };
        let (client, _) = create(&world.ctx, new, &By::operator()).await.unwrap();
        let browser = Browser::new(router(app(&world), Router::new()));
        Scene { world, client, browser }
    }

    /// The address that the application sends the browser to.
    fn address(&self, more: &[(&str, &str)]) -> String {
        let client_id = self.client.client_id.to_string();
        let usual = [
            ("response_type", "code"),
            ("client_id", &client_id),
            ("redirect_uri", CALLBACK),
            ("scope", "invoices:read invoices:write"),
            ("state", "s-1"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("grant_label", "Head office"),
        ];
        let usual =
            usual.into_iter().filter(|(name, _)| more.iter().all(|(other, _)| other != name));
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(usual).extend_pairs(more);
        let base = if self.world.mode == Mode::Sandbox { "/sandbox" } else { "" };
        format!("{base}/oauth/authorize?{}", query.finish())
    }

    /// Goes from the authorization endpoint to the next page.
    async fn arrive(&mut self) -> Given {
        let address = self.address(&[]);
        self.follow(&address).await
    }

    async fn follow(&mut self, address: &str) -> Given {
        let mut given = self.browser.get(address).await;
        while given.status == StatusCode::SEE_OTHER {
            let to = given.location().to_owned();
            given = self.browser.get(&to).await;
        }
        given
    }

    /// Creates a test business, which leads to the consent page.
    async fn with_business(&mut self, tin: &str) -> Given {
        let page = self.arrive().await;
        let fields = [("name", "Falcon Trading LLC"), ("tin", tin), ("email", "")];
        let made = self.browser.submit(&page, "/sandbox/onboarding", &fields).await;
        let to = made.location().to_owned();
        self.browser.get(&to).await
    }

    async fn decide(&mut self, page: &Given, decision: &str) -> Given {
        self.browser.submit(page, "/sandbox/oauth/consent", &[("decision", decision)]).await
    }

    async fn grants(&self) -> Vec<Grant> {
        // One item at the organization and one at the taxpayer.
        let mut grants: Vec<Grant> = self.world.items("GRANT#").await;
        grants.dedup_by_key(|grant| grant.grant_id.clone());
        grants
    }
}

#[tokio::test]
async fn a_test_business_is_made_approves_and_goes_back_with_a_code() {
    let mut scene = Scene::new().await;
    let page = scene.arrive().await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text());
    assert!(page.text().contains("New test business"), "{}", page.text());
    let page = scene.with_business("1001234509").await;
    let text = page.text();
    for said in ["Falcon Trading LLC", "0235:1001234509", "Head office", "check and send invoices"]
    {
        assert!(text.contains(said), "{said} in {text}");
    }
    // The page lists, in both languages, what `invoices:write` also changes and what it does not.
    for said in
        ["business card", "public directory", "MLS_TO", "cannot change the address for our notices"]
    {
        assert!(text.contains(said), "{said} in {text}");
    }
    scene.browser.language = "ar";
    let arabic = scene.arrive().await.text();
    for said in ["بطاقة أعمالها العامة", "الدليل العام", "MLS_TO", "لا يمكن للتطبيق تغيير عنوان"]
    {
        assert!(arabic.contains(said), "{said} in {arabic}");
    }
    scene.browser.language = "en";
    // Texts of others are escaped.
    assert!(page.body.contains("Integrator &#38; Sons") && !page.body.contains("Books <b>"));
    assert!(!text.contains("see the details"), "no more than was asked for");
    // The form may only lead to the application's origin.
    let policy = page.header("content-security-policy");
    assert!(policy.ends_with("form-action 'self' https://app.example"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"));

    let given = scene.decide(&page, "approve").await;
    let location = given.location().to_owned();
    assert!(
        location.starts_with("https://app.example/callback?of=erp&code=ac_test_"),
        "{location}"
    );
    assert!(location.contains("&state=s-1&iss=https%3A%2F%2Fportal.example.com%2Fsandbox"));
    let [grant] = &scene.grants().await[..] else { panic!("one grant") };
    assert_eq!(grant.scopes, [Scope::InvoicesRead, Scope::InvoicesWrite].into());
    // A signed-in taxpayer goes straight to consent (specification 5.4, point 3).
    assert!(scene.arrive().await.text().contains("0235:1001234509"));
}

#[tokio::test]
async fn who_declines_goes_back_with_access_denied_and_grants_nothing() {
    let mut scene = Scene::new().await;
    let page = scene.with_business("1001234509").await;
    let given = scene.decide(&page, "decline").await;
    assert!(
        given.location().starts_with("https://app.example/callback?of=erp&error=access_denied")
    );
    assert!(scene.grants().await.is_empty());
    let again = scene.decide(&page, "approve").await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.text());
    assert!(scene.grants().await.is_empty());
}

#[tokio::test]
async fn no_field_of_the_form_widens_what_was_asked_for() {
    let mut scene = Scene::new().await;
    let page = scene.with_business("1001234509").await;
    let fields = [
        ("decision", "approve"),
        ("scope", "taxpayer:read inbound:read"),
        ("scopes", "taxpayer:read"),
        ("redirect_uri", "https://evil.example/"),
        ("client_id", "client_0"),
    ];
    let given = scene.browser.submit(&page, "/sandbox/oauth/consent", &fields).await;
    assert!(given.location().starts_with("https://app.example/callback?"));
    let [grant] = &scene.grants().await[..] else { panic!("one grant") };
    assert_eq!(grant.scopes, [Scope::InvoicesRead, Scope::InvoicesWrite].into());
}

#[tokio::test]
async fn an_application_that_is_not_what_it_says_is_told_to_the_person_and_not_redirected_to() {
    let mut scene = Scene::new().await;
    for more in [
        [("client_id", "client_0")],
        [("redirect_uri", "https://evil.example/callback")],
        [("redirect_uri", "https://app.example/callback")],
    ] {
        let address = scene.address(&more);
        let given = scene.browser.get(&address).await;
        assert_eq!(given.status, StatusCode::BAD_REQUEST, "{more:?}");
        assert!(given.headers.get(header::LOCATION).is_none());
        assert!(!given.body.contains("=\"https://evil.example"), "{}", given.body);
    }
    // The other mode has other applications.
    let address = scene.address(&[]).replace("/sandbox/", "/");
    assert_eq!(scene.browser.get(&address).await.status, StatusCode::BAD_REQUEST);
    let address = scene.address(&[("code_challenge_method", "plain")]);
    let given = scene.browser.get(&address).await;
    assert!(
        given.location().starts_with("https://app.example/callback?of=erp&error=invalid_request")
    );
}

#[tokio::test]
async fn another_browser_can_neither_see_nor_decide_a_request() {
    let mut scene = Scene::new().await;
    let page = scene.with_business("1001234509").await;
    let handle = page.attribute("name=\"request\"", "value");
    let mut stranger = Browser::new(scene.browser.router.clone());
    let path = format!("/sandbox/oauth/consent?request={handle}");
    assert_eq!(stranger.get(&path).await.status, StatusCode::GONE);
    let path = format!("/sandbox/onboarding?request={handle}");
    assert_eq!(stranger.get(&path).await.status, StatusCode::GONE);
    let fields = [("request", handle.as_str()), ("decision", "approve")];
    let forged = stranger.post("/sandbox/oauth/consent", &fields).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN, "no form of ours");
    assert!(scene.grants().await.is_empty());
}

#[tokio::test]
async fn a_business_other_than_the_page_named_approves_nothing() {
    let mut scene = Scene::new().await;
    let page = scene.with_business("1001234509").await;
    // The person signs in for another business in another tab.
    let handle = page.attribute("name=\"request\"", "value");
    let onboarding = scene.browser.get(&format!("/sandbox/onboarding?request={handle}")).await;
    let fields = [("name", "Oasis LLC"), ("tin", "1001234510"), ("email", "")];
    scene.browser.submit(&onboarding, "/sandbox/onboarding", &fields).await;
    let given = scene.decide(&page, "approve").await;
    assert_eq!(given.status, StatusCode::FORBIDDEN, "{}", given.text());
    assert!(scene.grants().await.is_empty());
}

#[tokio::test]
async fn a_test_business_that_cannot_be_made_is_said_at_its_field() {
    let mut scene = Scene::new().await;
    scene.world.taxpayer("Oasis", "1001234510").await;
    let page = scene.arrive().await;
    let tin = page.attribute("id=\"tin\"", "value");
    assert!(tin.len() == 10 && tin.starts_with('1'), "a random unused one is suggested: {tin}");
    for (fields, said) in [
        (
            [("name", "A"), ("tin", "1001234510"), ("email", "")],
            "Another test business has this TIN",
        ),
        ([("name", "A"), ("tin", "123"), ("email", "")], "ten digits"),
        ([("name", "  "), ("tin", ""), ("email", "")], "Enter a name"),
        ([("name", "A"), ("tin", ""), ("email", "nobody")], "Enter an e-mail address"),
    ] {
        let given = scene.browser.submit(&page, "/sandbox/onboarding", &fields).await;
        assert_eq!(given.status, StatusCode::BAD_REQUEST, "{said}");
        assert!(given.text().contains(said), "{said}: {}", given.text());
    }
    let tin = "0235:123".parse().unwrap();
    let found = scene.world.ctx.store.find_participant(Mode::Sandbox, &tin);
    assert!(found.await.unwrap().is_none());
    // Live has another onboarding.
    assert_eq!(scene.browser.get("/onboarding").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_tin_that_the_application_suggests_grants_nothing_and_is_pointed_out_when_it_is_another()
 {
    let mut scene = Scene::new().await;
    scene.with_business("1001234509").await;
    let address = scene.address(&[("tin_hint", "1009999999")]);
    let page = scene.follow(&address).await;
    assert!(page.text().contains("1009999999"), "{}", page.text());
    assert!(page.text().contains("0235:1001234509"));
}

#[tokio::test]
async fn who_approved_sees_it_and_takes_it_back_at_once() {
    let mut scene = Scene::new().await;
    let page = scene.with_business("1001234509").await;
    scene.decide(&page, "approve").await.location();
    let account = scene.browser.get("/sandbox/account").await;
    for said in [
        "Integrator &amp; Sons",
        "Head office",
        "check and send invoices",
        "Since 20 Nov 2026, 12:00:00. No use recorded yet.",
    ] {
        assert!(
            account.text().replace("&#38;", "&amp;").contains(said),
            "{said}: {}",
            account.text()
        );
    }
    // Specification 3.1: "Taxpayer revokes under Connected apps". The page is one link away, and asks for confirmation.
    let nav =
        account.body.split_once("<nav class=\"side\"").unwrap().1.split("</nav>").next().unwrap();
    assert!(
        nav.contains("href=\"/sandbox/account#apps\"") && nav.contains(">Connected apps</a>"),
        "{nav}"
    );
    // The person's menu leads to the sessions on the same page.
    assert!(nav.contains("href=\"/sandbox/account#sessions\""), "{nav}");
    assert!(account.body.contains("id=\"sessions\""), "{}", account.body);
    let apps = account.body.split_once("id=\"apps\"").unwrap().1;
    let (before, form) =
        apps.split_once("<form method=\"post\" action=\"/sandbox/account/revoke\"").unwrap();
    let asks = before.rsplit_once("<details").unwrap().1;
    assert!(!asks.contains("</details>") && asks.contains("Revoke access of"), "{asks}");
    assert!(form.split("</form>").next().unwrap().contains("This cannot be undone"), "{form}");
    let given = scene.browser.submit(&account, "/sandbox/account/revoke", &[]).await;
    assert_eq!(given.location(), "/sandbox/account?done=taken-back");
    let account = scene.browser.get(given.location()).await;
    let text = account.text();
    assert!(
        text.contains("You revoked the access.") && text.contains("No app has access"),
        "{text}"
    );
    let [grant] = &scene.grants().await[..] else { panic!("one grant") };
    assert_eq!(grant.status, GrantStatus::Revoked);
    assert!(matches!(&grant.revoked_by, Some(Actor::Taxpayer(_))));
    // Both the grant and its end publish an event.
    assert_eq!(scene.world.events().await.len(), 2);
}

#[tokio::test]
async fn the_mail_about_an_ended_access_names_the_app_its_label_and_its_owner() {
    let mut scene = Scene::new().await;
    let page = scene.arrive().await;
    let fields =
        [("name", "Falcon Trading LLC"), ("tin", "1001234509"), ("email", "f@falcon.example")];
    let made = scene.browser.submit(&page, "/sandbox/onboarding", &fields).await;
    let to = made.location().to_owned();
    let page = scene.browser.get(&to).await;
    scene.decide(&page, "approve").await.location();
    let [grant] = &scene.grants().await[..] else { panic!("one grant") };
    let (ctx, by) = (&scene.world.ctx, By::operator());
    let (organization, id) = (&grant.organization_id, &grant.grant_id);
    grants::revoke(ctx, Mode::Sandbox, organization, id, &by).await.unwrap();
    scene.world.stream().await;
    scene.world.run("mail", &scene.world.mailing(ORIGIN)).await;
    let mail = scene.world.cloud.mails().pop().unwrap();
    for name in ["Books <b> – Head office", "Integrator & Sons", "Falcon Trading LLC"] {
        assert!(mail.text.contains(name), "{name}: {}", mail.text);
    }
}

#[tokio::test]
async fn nobody_revokes_what_another_business_granted() {
    let mut scene = Scene::new().await;
    let page = scene.with_business("1001234509").await;
    scene.decide(&page, "approve").await.location();
    let account = scene.browser.get("/sandbox/account").await;
    let grant = account.attribute("name=\"grant\"", "value");
    let mut other = Scene { browser: Browser::new(scene.browser.router.clone()), ..scene };
    let page = other.with_business("1001234510").await;
    other.decide(&page, "approve").await.location();
    let account = other.browser.get("/sandbox/account").await;
    let token = account.attribute("name=\"form_token\"", "value");
    let fields = [("form_token", token.as_str()), ("grant", grant.as_str())];
    other.browser.post("/sandbox/account/revoke", &fields).await.location();
    let grants = other.grants().await;
    assert!(grants.iter().all(|grant| grant.status == GrantStatus::Active), "{grants:?}");
}

/// A signed-in taxpayer in Live.
async fn signed_in() -> Scene {
    let mut scene = Scene::on(World::unconnected().await).await;
    let taxpayer = scene.world.taxpayer("Falcon", "1001234501").await;
    let (ctx, id) = (&scene.world.ctx, &taxpayer.taxpayer_id);
    let session = sessions::begin(ctx, Mode::Live, id, Origin::default()).await.unwrap();
    let cookie = super::super::cookies::session(Mode::Live).to_owned();
    scene.browser.cookies.insert(cookie, session.reveal().to_owned());
    scene
}

/// RFC 6749, section 4.1.2.1.
#[tokio::test]
async fn who_has_read_why_nothing_was_granted_goes_back_and_the_application_hears_it() {
    let mut scene = signed_in().await;
    let page = scene.arrive().await;
    let ended = Subscription { version: 1, ..Subscription::default() };
    scene.world.put(Key::subscription(&scene.client.organization_id), &ended).await;
    let refused = scene.browser.submit(&page, CONSENT, &[("decision", "approve")]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text());
    let back = [("decision", "back")];
    let made_up = scene.browser.submit(&refused, CONSENT, &[back[0], ("why", "nothing")]).await;
    assert_eq!(made_up.status, StatusCode::BAD_REQUEST, "{}", made_up.text());
    let given = scene.browser.submit(&refused, CONSENT, &back).await;
    let to = given.location();
    assert!(to.starts_with("https://app.example/callback?of=erp&error=access_denied"), "{to}");
    assert!(scene.grants().await.is_empty());
    let again = scene.browser.submit(&refused, CONSENT, &back).await;
    assert_eq!(again.location(), to, "{}", again.text());
}

/// "For a new connection, an active subscription and an available taxpayer seat" (specification 1).
#[tokio::test]
async fn where_the_owner_has_not_paid_the_page_says_so_in_both_languages_and_the_request_waits() {
    let mut scene = signed_in().await;
    let (ctx, id) = (scene.world.ctx.clone(), scene.client.organization_id.clone());
    let page = scene.arrive().await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text());
    let old = Subscription {
        active: true,
        confirmed_at: Some(scene.world.now() - SignedDuration::from_hours(25)),
        version: 1,
        ..Subscription::default()
    };
    let full = Subscription { active: true, seats: Some(0), version: 1, ..Subscription::default() };
    let ended = Subscription { version: 1, ..Subscription::default() };
    for (subscription, status, english, arabic) in [
        (
            ended,
            StatusCode::CONFLICT,
            "no active subscription",
            "ليس لدى مالك هذا التطبيق اشتراك سارٍ",
        ),
        (full, StatusCode::CONFLICT, "does not cover another business", "لا يشمل"),
        (old, StatusCode::SERVICE_UNAVAILABLE, "cannot confirm at the moment", "لا يمكننا الآن"),
    ] {
        scene.world.put(Key::subscription(&id), &subscription).await;
        for (language, said) in [("en", english), ("ar", arabic)] {
            scene.browser.language = language;
            let refused = scene.browser.submit(&page, CONSENT, &[("decision", "approve")]).await;
            assert_eq!(refused.status, status, "{}", refused.text());
            assert!(refused.text().contains(said), "{said} in {}", refused.text());
        }
        assert!(scene.grants().await.is_empty());
    }
    // The same page, after the problem is solved.
    subscriptions::set(&ctx, &id, Some(1), &By::operator()).await.unwrap();
    let given = scene.browser.submit(&page, CONSENT, &[("decision", "approve")]).await;
    assert!(given.location().starts_with("https://app.example/callback?of=erp&code=ac_live_"));
    assert_eq!(scene.grants().await.len(), 1);
}

/// Only a request that is pending in this browser is named: nobody writes a name into the page by a link.
#[tokio::test]
async fn the_sign_in_page_names_the_application_whose_request_this_browser_brought() {
    let mut scene = Scene::on(World::unconnected().await).await;
    let named = "Sign in to go on to Books";
    let address = scene.address(&[]);
    let page = scene.follow(&address).await;
    let hidden = page.hidden("/sign-in");
    let (_, then) = hidden.iter().find(|(name, _)| name == "continue").unwrap();
    let mut query = form_urlencoded::Serializer::new(String::new());
    let to = format!("/sign-in?{}", query.append_pair("continue", then).finish());
    assert!(page.text().contains(named), "{}", page.text());
    let again = scene.browser.submit(&page, "/sign-in", &[("email", "nobody")]).await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST);
    assert!(again.text().contains(named), "{}", again.text());
    let mut stranger = Browser::new(scene.browser.router.clone());
    let page = stranger.get(&to).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!page.text().contains("Books"), "another browser sees it: {}", page.text());
    let invented = format!("/sign-in?continue={CONSENT}%3Frequest%3Dx%26app%3DBank");
    let page = scene.browser.get(&invented).await;
    assert_eq!((page.status, page.text().contains("Bank")), (StatusCode::OK, false));
    scene.world.clock.advance(SignedDuration::from_hours(24));
    let page = scene.browser.get(&to).await;
    assert!(!page.text().contains("Books"), "the request has ended: {}", page.text());
}
