//! Making an organization in Sandbox by a link; also misuse of links, and test businesses.

use jiff::SignedDuration;

use super::{sign_in::link_in, *};
use crate::{
    access::{Grant, Member, Organization, Role, Scope},
    service::{sign_in::LINK_VALID, sign_up::MAX_ORGANIZATIONS},
    store::keys,
    testing::Mail,
    types::Mode,
};

const NEW: &str = "/sandbox/organization/new";
const CONFIRM: &str = "/sandbox/organization/new/confirm";
const HOME: &str = "/sandbox/organization";

struct Scene {
    world: World,
    router: Router,
}

impl Scene {
    async fn new() -> Scene {
        let world = World::new().await;
        let router = router(app(&world), crate::pages::organization::routes(Router::new()));
        Scene { world, router }
    }

    fn browser(&self) -> Browser {
        Browser::new(self.router.clone())
    }

    async fn mails(&self) -> Vec<Mail> {
        self.world.stream().await;
        self.world.run("mail", &self.world.mailing(ORIGIN)).await;
        self.world.cloud.mails()
    }

    /// Fills in the form; returns the path of the link in the mail.
    async fn link(&self, browser: &mut Browser, name: &str) -> String {
        link_in(&self.mail(browser, name).await)
    }

    /// Fills in the form; returns the mail.
    async fn mail(&self, browser: &mut Browser, name: &str) -> Mail {
        let page = browser.get(NEW).await;
        let fields = [("name", name), ("email", "Ada@books.example ")];
        let answer = browser.submit(&page, NEW, &fields).await;
        assert_eq!(answer.location(), "/sandbox/organization/new/sent");
        let sent = browser.get(answer.location()).await;
        assert!(sent.text().contains("It works once and expires after 15 minutes."));
        let [mail] = self.mails().await.try_into().unwrap();
        mail
    }

    async fn press(&self, browser: &mut Browser, link: &str) -> Given {
        let page = browser.get(link).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text());
        browser.submit(&page, CONFIRM, &[]).await
    }

    async fn organizations(&self) -> Vec<String> {
        let mut items = self.world.raw_items(keys::PROFILE).await;
        items.retain(|item| item["pk"].as_s().is_ok_and(|pk| pk.contains("#ORGANIZATION#")));
        let items = items.into_iter().map(crate::store::from_item::<Organization>);
        items.map(|it| it.unwrap()).map(|it| format!("{} {}", it.mode, it.name)).collect()
    }
}

#[tokio::test]
async fn a_person_makes_an_organization_by_the_link_in_a_mail_and_owns_it() {
    let scene = Scene::new().await;
    let mut browser = scene.browser();
    let front = browser.get("/").await;
    assert!(front.links().contains(&NEW.to_owned()), "{:?}", front.links());
    let mail = scene.mail(&mut browser, " Books & Sons ").await;
    let link = link_in(&mail);
    assert_eq!(mail.to, "ada@books.example");
    assert_eq!(mail.subject, "Create your organization (Sandbox)");
    // Anybody can enter any name and any address.
    assert!(!mail.text.contains("Books") && !mail.html.contains("Books"), "{}", mail.text);
    assert!(scene.organizations().await.is_empty(), "the link is not used yet");
    let page = browser.get(&link).await;
    assert!(page.text().contains("Books &#38; Sons is created in Sandbox"), "{}", page.text());
    let answer = scene.press(&mut browser, &link).await;
    assert_eq!(answer.location(), HOME);
    let home = browser.get(HOME).await;
    assert!(home.text().contains("First steps"), "{}", home.text());
    assert_eq!(scene.organizations().await, ["sandbox Books & Sons"]);
    let members: Vec<Member> = scene.world.items("MEMBER#").await;
    let sandbox = members.iter().find(|member| member.mode == Mode::Sandbox).unwrap();
    assert_eq!((sandbox.role, sandbox.joined_at.is_some()), (Role::Owner, true));

    // The next time, the person signs in as every member.
    let mut later = scene.browser();
    super::sign_in::ask(&mut later, "/sandbox/sign-in", "ada@books.example").await;
    let link = link_in(&scene.mails().await.pop().unwrap());
    let page = later.get(&link).await;
    let answer = later.submit(&page, "/sandbox/sign-in/confirm", &[]).await;
    assert_eq!(answer.location(), HOME);
}

#[tokio::test]
async fn a_link_makes_one_organization_in_the_browser_that_asked_and_in_its_time() {
    let scene = Scene::new().await;
    let mut browser = scene.browser();
    let link = scene.link(&mut browser, "Books").await;
    assert_eq!(scene.browser().get(&link).await.status, StatusCode::FORBIDDEN);
    // It is no link to sign in.
    let as_sign_in = link.replace("organization/new", "sign-in");
    assert_eq!(browser.get(&as_sign_in).await.status, StatusCode::GONE);
    let page = browser.get(&link).await;
    for (location, status) in [(HOME, StatusCode::SEE_OTHER), ("", StatusCode::GONE)] {
        let mut again = browser.clone();
        let answer = again.submit(&page, CONFIRM, &[]).await;
        assert_eq!((answer.status, answer.header("location")), (status, location));
    }
    assert_eq!(scene.organizations().await.len(), 1);

    let link = scene.link(&mut browser, "Late").await;
    scene.world.clock.advance(LINK_VALID + SignedDuration::from_secs(1));
    let late = browser.get(&link).await;
    assert_eq!(late.status, StatusCode::GONE);
    assert!(late.links().contains(&NEW.to_owned()), "the page offers to start again");
    assert_eq!(scene.organizations().await.len(), 1);
}

#[tokio::test]
async fn a_form_that_cannot_be_used_comes_back_with_the_reason_and_what_was_entered() {
    let scene = Scene::new().await;
    let mut browser = scene.browser();
    let page = browser.get(NEW).await;
    let long = "x".repeat(201);
    for (name, email, said) in [
        ("", "ada@books.example", "Enter a name of 1 to 200 characters"),
        (&*long, "ada@books.example", "Enter a name of 1 to 200 characters"),
        ("Books", "ada", "Enter an e-mail address"),
    ] {
        let answer = browser.submit(&page, NEW, &[("name", name), ("email", email)]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.text().contains(said), "{}", answer.text());
        assert!(answer.body.contains(&format!("value=\"{email}\"")), "{}", answer.body);
    }
    assert!(scene.mails().await.is_empty());
}

#[tokio::test]
async fn an_address_makes_so_many_organizations_and_is_then_sent_to_those() {
    let scene = Scene::new().await;
    let mut browser = scene.browser();
    for count in 0..MAX_ORGANIZATIONS {
        let link = scene.link(&mut browser, &format!("Books {count}")).await;
        let answer = scene.press(&mut browser, &link).await;
        assert_eq!(answer.location(), HOME);
        scene.world.clock.advance(SignedDuration::from_mins(16));
    }
    let link = scene.link(&mut browser, "One more").await;
    let page = browser.get(&link).await;
    assert_eq!(page.status, StatusCode::CONFLICT);
    assert!(page.links().contains(&"/sandbox/sign-in".to_owned()), "{}", page.text());
    assert_eq!(scene.organizations().await.len(), MAX_ORGANIZATIONS);
}

#[tokio::test]
async fn live_organizations_are_made_by_the_operator_and_sign_up_can_be_closed() {
    let scene = Scene::new().await;
    let mut browser = scene.browser();
    let live = browser.get("/organization/new").await;
    assert_eq!(live.status, StatusCode::OK);
    assert!(live.links().contains(&NEW.to_owned()), "{}", live.text());
    let page = browser.get(NEW).await;
    let fields = [("name", "Books"), ("email", "ada@books.example")];
    let mut form = page.hidden(NEW);
    form.extend(fields.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let answer = browser.send(Method::POST, "/organization/new", Some(body)).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(scene.mails().await.is_empty());

    let portal = crate::service::Portal { sign_up: false, ..scene.world.portal(ORIGIN) };
    let pages = crate::pages::organization::routes(Router::new());
    let mut browser = Browser::new(router(Arc::new(portal), pages));
    assert_eq!(browser.get(NEW).await.status, StatusCode::NOT_FOUND);
    for path in ["/", "/sandbox", "/sandbox/sign-in", "/organization/new"] {
        let page = browser.get(path).await;
        assert!(!page.links().contains(&NEW.to_owned()), "{path}: {:?}", page.links());
    }
}

#[tokio::test]
async fn a_developer_connects_test_businesses_and_others_do_not() {
    let scene = super::organization::Scene::new().await;
    let path = "/sandbox/organization/grants/test-business";
    let mut viewer = scene.browser(Role::Viewer).await;
    let page = viewer.get("/sandbox/organization/taxpayers").await;
    assert!(!page.body.contains(path), "{}", page.body);
    let mut developer = scene.browser(Role::Developer).await;
    let page = developer.get("/sandbox/organization/taxpayers").await;
    let mut names = Vec::new();
    for _ in 0..2 {
        let answer = developer.submit(&page, path, &[]).await;
        let business = developer.get(answer.location()).await;
        assert_eq!(business.status, StatusCode::OK);
        names.push(
            business.body.split("<h1>").nth(1).unwrap().split("</h1>").next().unwrap().to_owned(),
        );
    }
    assert!(names[0].contains("Test Business") && names[0] != names[1], "{names:?}");
    let grants: Vec<Grant> = scene.world.items(keys::GRANT).await;
    assert!(
        !grants.is_empty() && grants.iter().all(|grant| grant.scopes.len() == Scope::ALL.len())
    );
    // Live has no test businesses.
    let live =
        developer.send(Method::POST, "/organization/grants/test-business", Some(String::new()));
    assert_eq!(live.await.status, StatusCode::NOT_FOUND);
}
