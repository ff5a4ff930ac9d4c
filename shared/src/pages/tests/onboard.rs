//! Onboarding of a business in Live; also misuse of this flow.

use serde_json::json;

use super::*;
use crate::{
    access::{By, Scope, oauth::OAuthClient},
    service::{
        Mailing, Registering, job,
        oauth::clients::{NewClient, create},
        onboarding,
        onboarding::Admission,
        onboarding::Registration,
    },
    testing::{Registers, TaxPortal, business, sealing_key},
    types::Mode,
};

const TIN: &str = "1001234509";
const EMAIL: &str = "accounts@falcon.example";
const CALLBACK: &str = "https://app.example/callback";

struct Scene {
    world: World,
    registers: Registers,
    portal: TaxPortal,
    client: OAuthClient,
    browser: Browser,
}

impl Scene {
    async fn new() -> Self {
        let (world, network) = World::live().await;
        let registers = Registers::start(&network).await;
        let portal = TaxPortal::start().await;
        portal.has(TIN, business("Falcon <b> LLC", TIN, EMAIL));
        let new = NewClient {
            mode: Mode::Live,
            organization_id: world.organization("Integrator").await,
            name: "Books".to_owned(),
            redirect_uris: vec![CALLBACK.to_owned()],
            scopes: Scope::ALL.into(),
        };
        let (client, _) = create(&world.ctx, new, &By::operator()).await.unwrap();
        let mut app = world.portal(ORIGIN);
        app.national_portal = Some(portal.way());
        let browser = Browser::new(router(Arc::new(app), Router::new()));
        Scene { world, registers, portal, client, browser }
    }

    /// Runs mails, registers and the network until nothing is left; returns the mails.
    async fn work(&self) -> Vec<crate::testing::Mail> {
        let mailing =
            Mailing { national_portal: Some(self.portal.way()), ..self.world.mailing(ORIGIN) };
        let registering = Registering {
            ctx: self.world.ctx.clone(),
            registries: Some(Arc::new(self.registers.registries())),
            national_portal: Some(self.portal.way()),
            sealing_keys: sealing_key().into(),
            lease: self.world.sending.settings.lease,
        };
        for _ in 0..4 {
            self.world.stream().await;
            self.world.run("mail", &mailing).await;
            for message in self.world.cloud.receive("register") {
                match message.body.get("application_id") {
                    Some(_) => {
                        job::run(&Admission(registering.clone()), &message.read()).await.unwrap()
                    }
                    None => {
                        job::run(&Registration(registering.clone()), &message.read()).await.unwrap()
                    }
                }
            }
        }
        self.world.cloud.mails()
    }

    async fn follow(&mut self, path: &str) -> Given {
        let mut given = self.browser.get(path).await;
        while given.status == StatusCode::SEE_OTHER {
            let to = given.location().to_owned();
            given = self.browser.get(&to).await;
        }
        given
    }

    /// Fills in TIN and address, and follows the redirect.
    async fn wish(&mut self, page: &Given, tin: &str, email: &str) -> Given {
        let fields = [("tin", tin), ("email", email)];
        let given = self.browser.submit(page, "/onboard", &fields).await;
        match given.status {
            StatusCode::SEE_OTHER => {
                let to = given.location().to_owned();
                self.browser.get(&to).await
            }
            _ => given,
        }
    }

    /// Goes from the first page through the mail to the details.
    async fn details(&mut self) -> Given {
        let page = self.browser.get("/onboard").await;
        self.wish(&page, TIN, EMAIL).await;
        let [mail] = self.work().await.try_into().unwrap();
        let page = self.browser.get(&super::sign_in::link_in(&mail)).await;
        let used = self.browser.submit(&page, "/onboard/confirm", &[]).await;
        let to = used.location().to_owned();
        self.browser.get(&to).await
    }
}

#[tokio::test]
async fn a_business_comes_from_an_application_is_onboarded_and_goes_back_to_its_consent() {
    let mut scene = Scene::new().await;
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs([
        ("response_type", "code"),
        ("client_id", scene.client.client_id.as_str()),
        ("redirect_uri", CALLBACK),
        ("scope", "invoices:read"),
        ("state", "s-1"),
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        ("code_challenge_method", "S256"),
        ("tin_hint", TIN),
    ]);
    let page = scene.follow(&format!("/oauth/authorize?{}", query.finish())).await;
    assert!(page.text().contains("Is your business not registered yet?"), "{}", page.text());
    let way = page.attribute("href=\"/onboard", "href");
    let page = scene.browser.get(&way).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text());
    assert_eq!(page.attribute("id=\"tin\"", "value"), TIN, "as the application suggests");
    let page = scene.wish(&page, TIN, EMAIL).await;
    assert!(page.text().contains("If the business has appointed us"), "{}", page.text());
    let [mail] = scene.work().await.try_into().unwrap();
    assert_eq!(mail.subject, "Continue the registration of your business");
    let page = scene.browser.get(&super::sign_in::link_in(&mail)).await;
    let used = scene.browser.submit(&page, "/onboard/confirm", &[]).await;
    let to = used.location().to_owned();
    let page = scene.browser.get(&to).await;
    for said in
        ["Are these details correct?", TIN, EMAIL, "CN-1, ADDED", "Corniche 1, Abu Dhabi, AUH"]
    {
        assert!(page.text().contains(said), "{said}: {}", page.text());
    }
    assert!(!page.body.contains("Falcon <b>"), "what others wrote is text");
    let confirmed = scene.browser.submit(&page, "/onboard/details", &[]).await;
    let progress = confirmed.location().to_owned();
    let page = scene.browser.get(&progress).await;
    assert!(page.text().contains("is being registered"), "{}", page.text());
    // The page looks again by itself; without scripts by a link.
    let (_, refresh) = page.body.split_once("data-refresh").unwrap();
    assert!(
        refresh.split("</p>").next().unwrap().contains("href=\"/onboard/progress?"),
        "{refresh}"
    );
    assert!(page.header("content-security-policy").contains("connect-src 'self'"));
    scene.work().await;
    let page = scene.browser.get(&progress).await;
    assert!(!page.body.contains("data-refresh"), "{}", page.body);
    assert!(page.text().contains("Your business is registered"), "{}", page.text());
    let given = scene.browser.submit(&page, "/onboard/progress", &[]).await;
    assert!(given.location().starts_with("/oauth/consent?request="));
    let to = given.location().to_owned();
    let page = scene.browser.get(&to).await;
    assert!(page.text().contains("Books wants to act for your business"), "{}", page.text());
    assert!(page.text().contains(&format!("0235:{TIN}")));
    // The earlier page is used up.
    let page = scene.browser.get(&progress).await;
    assert!(!page.body.contains("action=\"/onboard/progress\""));
}

#[tokio::test]
async fn the_pages_say_the_same_whoever_asks_for_whatever_business() {
    let mut scene = Scene::new().await;
    scene.portal.has("1001234510", json!({"appointed": false}));
    let mut said = Vec::new();
    for (tin, email) in
        [(TIN, EMAIL), (TIN, "a@b.example"), ("1001234510", EMAIL), ("1001234511", EMAIL)]
    {
        let page = scene.browser.get("/onboard").await;
        let page = scene.wish(&page, tin, email).await;
        said.push((page.status, page.text()));
    }
    assert!(said.iter().all(|page| *page == said[0]), "{said:?}");
    assert_eq!(scene.work().await.len(), 1);
}

#[tokio::test]
async fn what_is_wrong_in_the_form_is_said_beside_the_field() {
    let mut scene = Scene::new().await;
    let page = scene.browser.get("/onboard").await;
    for (tin, email, said) in [
        ("", EMAIL, "Enter a TIN"),
        ("2001234509", EMAIL, "Enter a TIN"),
        ("\"><script>", EMAIL, "Enter a TIN"),
        (TIN, "nobody", "Enter an e-mail address"),
    ] {
        let given = scene.wish(&page, tin, email).await;
        assert_eq!(given.status, StatusCode::BAD_REQUEST, "{tin} {email}");
        assert!(given.text().contains(said) && given.body.contains("aria-invalid=\"true\""));
        assert!(!given.body.contains("<script>"));
    }
    assert!(scene.world.raw_items("APPLICATION").await.is_empty());
    let place = crate::service::onboarding::BY_TIN;
    for number in 0..=place.most {
        let given = scene.wish(&page, TIN, EMAIL).await;
        let expected =
            if number < place.most { StatusCode::OK } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(given.status, expected);
    }
}

#[tokio::test]
async fn nobody_else_goes_on_with_an_application() {
    let mut scene = Scene::new().await;
    let page = scene.details().await;
    let id = page.attribute("name=\"application\"", "value");
    let mut stranger = Browser::new(scene.browser.router.clone());
    for step in ["sent", "details", "progress"] {
        let given = stranger.get(&format!("/onboard/{step}?application={id}")).await;
        assert_eq!(given.status, StatusCode::GONE, "{step}");
    }
    let theirs = stranger.get("/onboard").await;
    let token = theirs.attribute("name=\"form_token\"", "value");
    let digest = page.attribute("name=\"digest\"", "value");
    let fields =
        [("form_token", token.as_str()), ("application", id.as_str()), ("digest", digest.as_str())];
    assert_eq!(stranger.post("/onboard/details", &fields).await.status, StatusCode::GONE);
    assert_eq!(stranger.post("/onboard/progress", &fields).await.status, StatusCode::GONE);
    let forged = stranger.post("/onboard/details", &fields[1..]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN, "no form of ours");
    // Invalid identifiers of applications are not found either.
    for name in ["", "apl_", "apl_1", "txpay_1"] {
        let given = scene.browser.get(&format!("/onboard/details?application={name}")).await;
        assert_eq!(given.status, StatusCode::GONE);
    }
    assert_eq!(scene.browser.get("/onboard/confirm?token=x").await.status, StatusCode::GONE);
}

#[tokio::test]
async fn what_keeps_details_from_being_confirmed_is_said_to_who_was_verified() {
    let mut scene = Scene::new().await;
    let page = scene.details().await;
    let again = page.attribute("a href=\"/onboard/details", "href");
    scene.portal.change(TIN, |it| drop(it["details"].as_object_mut().unwrap().remove("address")));
    let page = scene.browser.get(&again).await;
    assert!(
        page.text().contains("would be rejected") && page.text().contains("/address"),
        "{}",
        page.text()
    );
    assert!(!page.body.contains("name=\"digest\""), "there is nothing to confirm");
    scene.browser.language = "ar";
    let page = scene.browser.get(&again).await;
    assert!(page.body.contains("dir=\"rtl\"") && page.text().contains("ستُرفض"), "{}", page.text());
    scene.browser.language = "en";
    for (change, said) in [
        (json!({"appointed": false}), "has not appointed us"),
        (business("Falcon", TIN, "other@falcon.example"), "address has changed"),
    ] {
        scene.portal.has(TIN, change);
        let page = scene.browser.get(&again).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        assert!(page.text().contains(said), "{said}: {}", page.text());
    }
    scene.portal.has_a_bad_day(503, json!({}));
    assert_eq!(scene.browser.get(&again).await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn who_must_confirm_again_is_led_there() {
    let mut scene = Scene::new().await;
    let page = scene.details().await;
    let confirmed = scene.browser.submit(&page, "/onboard/details", &[]).await;
    let progress = confirmed.location().to_owned();
    scene.work().await;
    let page = scene.browser.get(&progress).await;
    scene.browser.submit(&page, "/onboard/progress", &[]).await.location();
    let participant = format!("0235:{TIN}").parse().unwrap();
    let ctx = &scene.world.ctx;
    let found = ctx.store.find_participant(Mode::Live, &participant).await.unwrap().unwrap();
    let status = crate::access::TaxpayerStatus::Reverification;
    onboarding::set_status(ctx, Mode::Live, &found.taxpayer_id, status).await.unwrap();
    let account = scene.browser.get("/account").await;
    assert!(account.text().contains("must be confirmed again"), "{}", account.text());
    let way = account.attribute("href=\"/onboard", "href");
    assert_eq!(scene.browser.get(&way).await.status, StatusCode::OK);
    let page = scene.details().await;
    scene.browser.submit(&page, "/onboard/details", &[]).await.location();
    scene.work().await;
    let account = scene.browser.get("/account").await;
    assert!(!account.text().contains("must be confirmed again"), "{}", account.text());
}

#[tokio::test]
async fn without_a_portal_the_page_says_who_onboards_and_sandbox_has_none() {
    let (world, _) = World::live().await;
    let mut browser = Browser::new(router(app(&world), Router::new()));
    let given = browser.get("/onboard").await;
    assert_eq!(given.status, StatusCode::NOT_FOUND);
    assert!(given.text().contains("operator of this service"), "{}", given.text());
    assert!(!browser.get("/sign-in").await.text().contains("not registered yet"));
    assert_eq!(browser.get("/sandbox/onboard").await.status, StatusCode::NOT_FOUND);
    let scene = Scene::new().await;
    let mut browser = scene.browser.clone();
    assert!(!browser.get("/sandbox/sign-in").await.text().contains("not registered yet"));
}
