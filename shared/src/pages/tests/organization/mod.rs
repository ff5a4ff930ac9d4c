//! The portal of organizations: permissions, actions and their effects.

mod audit;
mod businesses;
mod credentials;
mod endpoints;
mod imports;
mod people;

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{
    documents::looked_at,
    sign_in::{ask, link_in},
    *,
};
use crate::{
    access::{
        Action, Actor, ApiKey, AuditRecord, By, Credentials, Deed, Member, Origin, PresentedKey,
        Role, Scope, Trail,
    },
    document::Operation,
    service::{
        Portal, authorize, authorize_organization, grants::MAX_GRANTS, members, oauth::clients,
        organizations, sessions, webhooks,
    },
    store::keys::Key,
    testing::{counting, invoice, send},
    types::{AuditId, EmailAddress, Mode, OrganizationId},
};

/// An organization with a member of each role.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) id: OrganizationId,
    pub(super) router: Router,
}

fn address(role: Role) -> EmailAddress {
    format!("{}@integrator.example", role.as_str()).parse().unwrap()
}

impl Scene {
    pub(super) async fn new() -> Scene {
        let world = World::new().await;
        let id = world.organization("Integrator").await;
        for role in Role::ALL {
            world.member(&id, address(role), role).await;
        }
        // The routes of both functions.
        let router = router(app(&world), crate::pages::organization::routes(Router::new()));
        Scene { world, id, router }
    }

    /// A browser with the signed-in member of a role.
    pub(super) async fn browser(&self, role: Role) -> Browser {
        let mut browser = Browser::new(self.router.clone());
        ask(&mut browser, "/sandbox/sign-in", address(role).as_str()).await;
        self.world.stream().await;
        let mailing = self.world.mailing(ORIGIN);
        self.world.run("mail", &mailing).await;
        let link = link_in(&self.world.cloud.mails().pop().unwrap());
        let page = browser.get(&link).await;
        let answer = browser.submit(&page, "/sandbox/sign-in/confirm", &[]).await;
        assert_eq!(answer.location(), "/sandbox/organization");
        browser
    }

    async fn works(&self, key: &str) -> bool {
        let authorization = format!("Api-Key {key}");
        let credentials =
            Credentials { authorization: Some(&authorization), ..Credentials::default() };
        authorize_organization(&self.world.ctx, &counting(), credentials).await.is_ok()
    }

    async fn member(&self, role: Role) -> Member {
        let found = members::list(&self.world.ctx, Mode::Sandbox, &self.id).await.unwrap();
        found.into_iter().find(|member| member.email == address(role)).unwrap()
    }

    /// Adds an entry to the trail of the organization.
    async fn note(&self, actor: Actor, action: Action, subject: &str) {
        let (mode, at) = (Mode::Sandbox, self.world.now());
        let by = By { actor, origin: Origin::default() };
        let deed = Deed { mode, by: &by, action, subject, at };
        let trail = Trail::Organization(self.id.clone());
        let entry = deed.entry(AuditId::new(at, &*self.world.ctx.random), trail.clone());
        self.world.put(Key::audit(mode, &trail, &entry.audit_id), &entry).await;
    }

    async fn entries_of(&self, action: Action) -> usize {
        let entries: Vec<AuditRecord> = self.world.items("aud_").await;
        entries.iter().filter(|it| it.action == action && it.mode == Mode::Sandbox).count()
    }
}

/// The pages, and which roles see them: owner, developer, billing, viewer.
const PAGES: [(&str, [bool; 4]); 12] = [
    ("/sandbox/organization", [true, true, true, true]),
    ("/sandbox/organization/members", [true, true, true, true]),
    ("/sandbox/organization/notifications", [true, true, true, true]),
    ("/sandbox/organization/sessions", [true, true, true, true]),
    ("/sandbox/organization/taxpayers", [true, true, false, true]),
    ("/sandbox/organization/events", [true, true, false, true]),
    ("/sandbox/organization/webhooks", [true, true, false, true]),
    ("/sandbox/organization/webhooks/verify", [true, true, false, true]),
    ("/sandbox/organization/keys", [true, true, false, true]),
    ("/sandbox/organization/clients", [true, true, false, true]),
    ("/sandbox/organization/billing", [true, false, true, false]),
    ("/sandbox/organization/audit", [true, true, false, false]),
];

/// The forms, and which roles may send them.
const FORMS: [(&str, [bool; 4]); 24] = [
    ("/organization/members/invite", [true, false, false, false]),
    ("/organization/members/role", [true, false, false, false]),
    ("/organization/members/remove", [true, false, false, false]),
    ("/organization/keys/create", [true, true, false, false]),
    ("/organization/keys/revoke", [true, true, false, false]),
    ("/organization/clients/create", [true, true, false, false]),
    ("/organization/clients/change", [true, true, false, false]),
    ("/organization/clients/delete", [true, true, false, false]),
    ("/organization/clients/rotate", [true, true, false, false]),
    ("/organization/events/retry", [true, true, false, false]),
    ("/organization/grants/disconnect", [true, true, false, false]),
    ("/organization/imports/columns", [true, true, false, false]),
    ("/organization/imports/create", [true, true, false, false]),
    ("/organization/imports/read", [true, true, false, false]),
    ("/organization/logos/remove", [true, true, false, false]),
    ("/organization/logos/replace", [true, true, false, false]),
    ("/organization/webhooks/change", [true, true, false, false]),
    ("/organization/webhooks/create", [true, true, false, false]),
    ("/organization/webhooks/delete", [true, true, false, false]),
    ("/organization/webhooks/retry-failed", [true, true, false, false]),
    ("/organization/webhooks/rotate", [true, true, false, false]),
    ("/organization/webhooks/test", [true, true, false, false]),
    ("/organization/write/drafts/delete", [true, true, false, false]),
    ("/organization/write/send", [true, true, false, false]),
];

#[tokio::test]
async fn each_role_sees_its_pages_and_is_shown_no_form_that_it_may_not_send() {
    let scene = Scene::new().await;
    for (at, role) in Role::ALL.into_iter().enumerate() {
        let mut browser = scene.browser(role).await;
        let signed_in = browser.get("/sandbox/organization").await;
        let token = signed_in.hidden("/sandbox/sign-out").swap_remove(0).1;
        for (path, roles) in PAGES {
            let page = browser.get(path).await;
            let expected = if roles[at] { StatusCode::OK } else { StatusCode::FORBIDDEN };
            assert_eq!(page.status, expected, "{role:?} {path}");
            for (action, roles) in FORMS {
                assert!(roles[at] || !page.body.contains(action), "{role:?} {path} {action}");
            }
        }
        for (action, roles) in FORMS {
            let fields = [("form_token", token.as_str())];
            let given = browser.post(&format!("/sandbox{action}"), &fields).await;
            // The fields are empty, so nobody's form succeeds; the test checks that only the role causes `403`.
            assert_eq!(given.status == StatusCode::FORBIDDEN, !roles[at], "{role:?} {action}");
        }
    }
    assert_eq!(scene.entries_of(Action::MemberJoined).await, 4, "each once");
}

#[tokio::test]
async fn a_page_of_an_organization_is_nobody_elses() {
    let scene = Scene::new().await;
    let mut stranger = Browser::new(scene.router.clone());
    let falcon: EmailAddress = "accounts@falcon.example".parse().unwrap();
    let taxpayer = scene.world.registered("Falcon", "1001234501", &falcon).await;
    let session = crate::service::sessions::begin(
        &scene.world.ctx,
        Mode::Sandbox,
        &taxpayer.taxpayer_id,
        Default::default(),
    );
    let session = session.await.unwrap();
    let mut business = Browser::new(scene.router.clone());
    let cookie = "__Host-sandbox-session".to_owned();
    business.cookies.insert(cookie.clone(), session.reveal().to_owned());
    let mut member = scene.browser(Role::Owner).await;
    for (path, _) in PAGES {
        for browser in [&mut stranger, &mut business] {
            let given = browser.get(path).await;
            assert!(given.location().starts_with("/sandbox/sign-in?continue="), "{path}");
        }
        // The session is not valid in the other mode either.
        let live = path.strip_prefix("/sandbox").unwrap();
        assert!(member.get(live).await.location().starts_with("/sign-in?continue="), "{path}");
    }
    assert_eq!(business.get("/sandbox/account").await.status, StatusCode::OK);
    // A removed member is signed out at once.
    let owner = scene.member(Role::Owner).await;
    let by = crate::access::By::operator();
    let viewer = scene.member(Role::Viewer).await;
    let ctx = &scene.world.ctx;
    let promoted =
        members::set_role(ctx, Mode::Sandbox, &scene.id, &viewer.member_id, Role::Owner, &by).await;
    promoted.unwrap().unwrap();
    let removed = members::remove(ctx, Mode::Sandbox, &scene.id, &owner.member_id, &by).await;
    removed.unwrap().unwrap();
    let given = member.get("/sandbox/organization").await;
    assert_eq!(given.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_page_in_arabic_refuses_in_arabic_and_marks_what_is_english() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Developer).await;
    browser.language = "ar";
    let page = browser.get("/sandbox/organization/clients").await;
    let create = "/sandbox/organization/clients/create";
    let scope = ("scope invoices:read", "yes");
    let long = format!("https://books.example/{}", "x".repeat(3_000));
    for fields in [
        vec![("name", ""), ("redirects", "https://books.example/cb"), scope],
        vec![("name", "Books"), ("redirects", "https://books.example/cb")],
        vec![("name", "Books"), scope],
        vec![("name", "Books"), ("redirects", "http://evil.example/"), scope],
        vec![("name", "Books"), ("redirects", "books"), scope],
        vec![("name", "Books"), ("redirects", "https://books.example/#x"), scope],
        vec![("name", "Books"), ("redirects", "https://a:b@books.example/cb"), scope],
        vec![("name", "Books"), ("redirects", long.as_str()), scope],
    ] {
        let refused = browser.submit(&page, create, &fields).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        let said = refused.body.split_once("role=\"alert\">").unwrap().1;
        let said = said.split("</div>").next().unwrap();
        assert!(!said.contains("lang=\"en\""), "{said}");
        if let Some((_, uri)) = fields.iter().find(|field| field == &&("redirects", "books")) {
            assert!(said.contains(uri), "which of them: {said}");
        }
    }
    let page = browser.get("/sandbox/organization/webhooks").await;
    let create = "/sandbox/organization/webhooks/create";
    let refused = browser.submit(&page, create, &[("url", "ftp://x.example/")]).await;
    assert!(refused.text().contains("لا يمكننا الإرسال إلى هذا العنوان"), "{}", refused.text());
    // Files that cannot be imported.
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::InvoicesWrite]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", falcon.taxpayer_id);
    let imports = browser.get(&path).await;
    let create_import = "/sandbox/organization/imports/read";
    let many = "{}\n".repeat(10_001);
    for (file, said, place) in [
        ("", "أسماء الأعمدة", Some("There is no column invoice_number")),
        ("invoice_number\n", "أي مستندات", None),
        ("invoice_nr\nA\n", "أسماء الأعمدة", Some("invoice_nr")),
        ("invoice_number,due_date\nA\n", "الصفوف", Some("Row 2 has 1 values")),
        ("invoice_number,due_date\nA,\"B\n", "علامة اقتباس", None),
        ("\u{1f}\u{8b}", "أسماء الأعمدة", Some("column")),
        (many.as_str(), "10,000", None),
    ] {
        let kind = [("type", "invoice")];
        let refused = browser.upload(&imports, create_import, &kind, ("x.csv", file)).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{file:.50}");
        let problem = refused.body.split_once("role=\"alert\">").unwrap().1;
        let problem = problem.split("</div>").next().unwrap();
        assert!(problem.contains(said), "{file:.50}: {problem}");
        // The place follows in the English words of the API.
        let (_, english) = problem.split_once("lang=\"en\"").unzip();
        assert_eq!(english.is_some(), place.is_some(), "{file:.50}: {problem}");
        assert!(english.unwrap_or_default().contains(place.unwrap_or_default()), "{problem}");
    }
    // The message is shown once for many rows.
    let kind = [("type", "invoice")];
    let file = ("x.csv", "invoice_number,due_date\nA\nB\nC\n");
    let refused = browser.upload(&imports, create_import, &kind, file).await;
    assert_eq!(refused.body.matches("الصفوف").count(), 1, "{}", refused.text());
    assert_eq!(refused.body.matches("<p lang=\"en\"").count(), 3, "{}", refused.text());
    browser.language = "en";
    let refused = browser.submit(&page, create, &[("url", "ftp://x.example/")]).await;
    assert!(
        refused.text().contains("The service cannot send to this URL"),
        "in full: {}",
        refused.text()
    );
    assert!(!refused.body.contains("<p lang=\"en\""));
}

#[tokio::test]
async fn a_page_has_at_most_50_kb_however_much_there_is() {
    let scene = Scene::new().await;
    let (ctx, operator) = (&scene.world.ctx, crate::access::By::operator());
    let member = scene.member(Role::Owner).await;
    for _ in 0..60 {
        let agent = "x".repeat(300);
        let origin = Origin::new(None, Some(&agent), None);
        sessions::begin(ctx, Mode::Sandbox, &member, origin).await.unwrap();
    }
    for at in 0..60 {
        let email = format!("somebody.with.a.long.name.{at}@integrator.example").parse().unwrap();
        scene.world.member(&scene.id, email, Role::Viewer).await;
        let label = "x".repeat(organizations::MAX_NAME);
        let made = organizations::create_key(ctx, Mode::Sandbox, &scene.id, &label, &operator);
        made.await.unwrap();
    }
    for at in 0..clients::MAX_CLIENTS {
        let uris = (0..20).map(|uri| format!("https://books.example/{}/{uri}", "x".repeat(80)));
        let new = clients::NewClient {
            mode: Mode::Sandbox,
            organization_id: scene.id.clone(),
            name: format!("Books {at}"),
            redirect_uris: uris.collect(),
            scopes: Scope::ALL.into(),
        };
        clients::create(ctx, new, &operator).await.unwrap();
    }
    let falcon = scene.world.onboarded(&"x".repeat(100), "1001234501").await;
    for _ in 0..MAX_GRANTS {
        scene.world.grant(&scene.id, &falcon, &Scope::ALL).await;
    }
    let taxpayer = format!("/sandbox/organization/taxpayers/{}", falcon.taxpayer_id);
    let mut browser = scene.browser(Role::Owner).await;
    browser.language = "ar";
    for (path, marks, count) in [
        (taxpayer.as_str(), "grants/disconnect\"", MAX_GRANTS),
        ("/sandbox/organization/members", "members/remove\"", 64),
        ("/sandbox/organization/sessions", "sessions/end\"", 60),
        ("/sandbox/organization/keys", "keys/revoke\"", 60),
        ("/sandbox/organization/clients", "clients/rotate\"", clients::MAX_CLIENTS),
    ] {
        let (mut next, mut seen) = (Some(path.to_owned()), 0);
        while let Some(path) = next {
            let page = browser.get(&path).await;
            assert!(page.body.len() <= 50_000, "{path}: {}", page.body.len());
            seen += page.body.matches(marks).count();
            let more = page.body.contains("rel=\"next\"");
            next = more.then(|| page.attribute("rel=\"next\"", "href"));
        }
        assert_eq!(seen, count, "{path}: each once");
    }
}
