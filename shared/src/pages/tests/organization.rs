//! The portal of organizations: permissions, actions and their effects.

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
async fn a_key_is_made_shown_once_and_revoked() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Developer).await;
    let path = "/sandbox/organization/keys";
    let empty = browser.get(path).await;
    assert!(empty.text().contains("No API keys yet"));
    let wrong =
        browser.submit(&empty, "/sandbox/organization/keys/create", &[("label", " ")]).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.text().contains("Enter a label of 1 to 200 characters"));
    let fields = [("label", "ERP <b>")];
    let made = browser.submit(&empty, "/sandbox/organization/keys/create", &fields).await;
    assert_eq!(made.status, StatusCode::OK);
    assert!(made.header("cache-control").contains("no-store"), "it holds a secret");
    // The address bar names the form, which leads to its page.
    let opened = browser.get("/sandbox/organization/keys/create").await;
    assert_eq!((opened.status, opened.location()), (StatusCode::SEE_OTHER, path));
    let key = made.body.split(">pk_test_").nth(1).unwrap().split('<').next().unwrap();
    let key = format!("pk_test_{key}");
    let page = browser.get(path).await;
    assert!(page.text().contains("ERP") && page.text().contains("never"), "{}", page.text());
    let beginning = PresentedKey::parse(&key).unwrap().beginning().to_owned();
    assert!(page.body.contains(&format!(">{beginning}…<")), "which it is: {}", page.body);
    assert!(!page.body.contains(&key[..=beginning.len()]), "and nothing more of it");
    assert!(scene.works(&key).await);
    let page = browser.get(path).await;
    assert!(!page.text().contains("never"), "it is noted that it was used");
    assert!(!page.body.contains(&key) && !page.body.contains("<b>"));
    let revoked = browser.submit(&page, "/sandbox/organization/keys/revoke", &[]).await;
    assert_eq!(revoked.location(), "/sandbox/organization/keys?done=revoked");
    assert!(!scene.works(&key).await);
    let page = browser.get(revoked.location()).await;
    assert!(page.text().contains("The key was revoked") && page.text().contains("Revoked"));
    assert!(!page.body.contains("keys/revoke"));
    let entries: Vec<AuditRecord> = scene.world.items("aud_").await;
    let by = entries.iter().find(|it| it.action == Action::KeyRevoked).unwrap();
    assert_eq!(
        String::from(by.actor.clone()),
        scene.member(Role::Developer).await.member_id.as_str()
    );
    assert_eq!(by.ip.as_deref(), Some("192.0.2.1"));
    // Another organization's key is not found.
    let other = scene.world.organization("Other").await;
    let operator = crate::access::By::operator();
    let theirs = organizations::create_key(&scene.world.ctx, Mode::Sandbox, &other, "x", &operator);
    let (theirs, record) = theirs.await.unwrap();
    let token = page.hidden("/sandbox/sign-out").swap_remove(0).1;
    let fields = [("form_token", token.as_str()), ("key", record.key_id.as_str())];
    let given = browser.post("/sandbox/organization/keys/revoke", &fields).await;
    assert_eq!(given.status, StatusCode::NOT_FOUND);
    assert!(scene.works(theirs.reveal()).await);
}

#[tokio::test]
async fn a_key_of_an_earlier_version_is_shown_without_its_beginning() {
    let scene = Scene::new().await;
    let (ctx, operator) = (&scene.world.ctx, crate::access::By::operator());
    let made = organizations::create_key(ctx, Mode::Sandbox, &scene.id, "ERP", &operator).await;
    let (key, record) = made.unwrap();
    let mut browser = scene.browser(Role::Developer).await;
    let page = browser.get("/sandbox/organization/keys").await;
    assert!(page.body.contains(key.beginning()));
    let place = Key::api_key(Mode::Sandbox, &record.hash);
    scene.world.put(place, &ApiKey { beginning: None, ..record }).await;
    let page = browser.get("/sandbox/organization/keys").await;
    assert!(page.text().contains("ERP") && !page.body.contains("pk_test_"), "{}", page.body);
}

#[tokio::test]
async fn a_client_is_made_gets_another_secret_and_other_redirect_uris() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Developer).await;
    let page = browser.get("/sandbox/organization/clients").await;
    let create = "/sandbox/organization/clients/create";
    let wrong =
        [("name", "Books"), ("redirects", "http://evil.example/"), ("scope invoices:read", "yes")];
    let refused = browser.submit(&page, create, &wrong).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text().contains("http://evil.example/"), "{}", refused.text());
    let right = [
        ("name", "Books"),
        ("redirects", "https://books.example/cb\r\n\r\nhttp://localhost:3000/cb\r\n"),
        ("scope invoices:read", "yes"),
    ];
    let made = browser.submit(&page, create, &right).await;
    assert_eq!(made.status, StatusCode::OK);
    let [client] = clients::list(&scene.world.ctx, Mode::Sandbox, &scene.id)
        .await
        .unwrap()
        .try_into()
        .unwrap();
    assert_eq!(client.redirect_uris.len(), 2);
    assert_eq!(client.scopes, [Scope::InvoicesRead].into());
    assert!(made.body.contains(client.client_id.as_str()));
    let page = browser.get("/sandbox/organization/clients").await;
    let rotated = browser.submit(&page, "/sandbox/organization/clients/rotate", &[]).await;
    assert!(rotated.text().contains("Previous secret works until"), "{}", rotated.text());
    let leaked = [("leaked", "yes")];
    let rotated = browser.submit(&page, "/sandbox/organization/clients/rotate", &leaked).await;
    assert!(!rotated.text().contains("Previous secret works until"));
    let fields = [("redirects", "https://books.example/other")];
    let change = "/sandbox/organization/clients/change";
    let fields = [fields[0], ("name", " Books Online ")];
    let changed = browser.submit(&page, change, &fields).await;
    let page = browser.get(changed.location()).await;
    assert!(page.text().contains("The client was changed") && page.text().contains("Books Online"));
    assert!(page.text().contains("https://books.example/other"));
    let nameless = browser.submit(&page, change, &[fields[0], ("name", " ")]).await;
    assert_eq!(nameless.status, StatusCode::BAD_REQUEST);
    // Another organization's client is not found.
    let other = scene.world.organization("Other").await;
    let theirs = clients::NewClient {
        mode: Mode::Sandbox,
        organization_id: other,
        name: "Theirs".to_owned(),
        redirect_uris: vec!["https://theirs.example/cb".to_owned()],
        scopes: Scope::ALL.into(),
    };
    let operator = crate::access::By::operator();
    let (theirs, _) = clients::create(&scene.world.ctx, theirs, &operator).await.unwrap();
    let token = page.hidden("/sandbox/sign-out").swap_remove(0).1;
    for action in ["rotate", "change", "delete"] {
        let fields = [
            ("form_token", token.as_str()),
            ("client", theirs.client_id.as_str()),
            ("redirects", "https://books.example/other"),
        ];
        let given = browser.post(&format!("/sandbox/organization/clients/{action}"), &fields).await;
        assert_eq!(given.status, StatusCode::NOT_FOUND, "{action}");
    }
    // A deleted client cannot authenticate any more.
    let deleted = browser.submit(&page, "/sandbox/organization/clients/delete", &[]).await;
    let page = browser.get(deleted.location()).await;
    assert!(page.text().contains("The client was deleted"), "{}", page.text());
    assert!(page.text().contains("No OAuth clients yet"), "{}", page.text());
    assert_eq!(scene.entries_of(Action::ClientDeleted).await, 1);
}

#[tokio::test]
async fn an_owner_says_who_is_a_member() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Owner).await;
    let page = browser.get("/sandbox/organization/members").await;
    let invite = "/sandbox/organization/members/invite";
    for (email, role, problem) in [
        ("nobody", "viewer", "Enter an e-mail address"),
        ("eve@integrator.example", "king", "Select a role"),
        ("viewer@integrator.example", "owner", "already belongs to a member"),
    ] {
        let refused = browser.submit(&page, invite, &[("email", email), ("role", role)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.text().contains(problem), "{email}: {}", refused.text());
    }
    let fields = [("email", "Eve@Integrator.example"), ("role", "viewer")];
    let invited = browser.submit(&page, invite, &fields).await;
    let page = browser.get(invited.location()).await;
    assert!(page.text().contains("The invitation was sent."), "{}", page.text());
    assert!(page.text().contains("eve@integrator.example") && page.text().contains("Invited on"));
    let owner = scene.member(Role::Owner).await;
    let token = page.hidden("/sandbox/sign-out").swap_remove(0).1;
    let fields =
        [("form_token", token.as_str()), ("member", owner.member_id.as_str()), ("role", "viewer")];
    for action in ["role", "remove"] {
        let refused =
            browser.post(&format!("/sandbox/organization/members/{action}"), &fields).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.text().contains("Your organization needs an owner"), "{action}");
    }
    let viewer = scene.member(Role::Viewer).await;
    let fields = [
        ("form_token", token.as_str()),
        ("member", viewer.member_id.as_str()),
        ("role", "developer"),
    ];
    let changed = browser.post("/sandbox/organization/members/role", &fields).await;
    assert_eq!(changed.location(), "/sandbox/organization/members?done=changed");
    assert_eq!(scene.member(Role::Viewer).await.role, Role::Developer);
    let removed = browser.post("/sandbox/organization/members/remove", &fields).await;
    assert_eq!(removed.location(), "/sandbox/organization/members?done=removed");
    let page = browser.get("/sandbox/organization/members").await;
    assert!(!page.text().contains("viewer@integrator.example"));
}

#[tokio::test]
async fn a_member_goes_from_one_mode_to_the_other_where_the_organization_is_in_both() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Viewer).await;
    let page = browser.get("/sandbox/organization").await;
    let switch = "/sandbox/organization/switch";
    let none = browser.submit(&page, switch, &[]).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    assert!(none.text().contains("Your organization is not set up in that mode"));
    let operator = crate::access::By::operator();
    let made = organizations::create_as(
        &scene.world.ctx,
        Mode::Live,
        scene.id.clone(),
        "Integrator",
        &operator,
    );
    made.await.unwrap();
    let there = browser.submit(&page, switch, &[]).await;
    assert_eq!(there.location(), "/organization");
    let page = browser.get("/organization").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains("Integrator"));
    assert_eq!(browser.get("/sandbox/organization").await.status, StatusCode::OK, "both stand");
}

#[tokio::test]
async fn the_overview_counts_documents_by_day_and_state() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Viewer).await;
    let page = browser.get("/sandbox/organization").await;
    assert!(page.text().contains("First steps") && !page.text().contains("last 14 days"));
    let falcon = scene.world.taxpayer("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::InvoicesRead, Scope::InvoicesWrite]).await;
    let key = scene.world.api_key(&scene.id).await;
    let caller = scene.world.authorize(&key, &falcon, None, &[Scope::InvoicesWrite]).await.unwrap();
    for number in ["A-1", "A-2", "A-3"] {
        let body = invoice(number, "1009876543");
        send(&scene.world.sending, &caller, Operation::Invoice, &body, None).await.unwrap();
    }
    scene.world.stream().await;
    let path = "/sandbox/organization/documents";
    let documents = looked_at(&mut browser, "organization-recent", path).await;
    let page = looked_at(&mut browser, "organization-home", "/sandbox/organization").await;
    for number in ["A-1", "A-2", "A-3"] {
        for page in [&documents, &page] {
            assert_eq!(page.body.matches(&format!("<bdi>{number}</bdi>")).count(), 1, "{number}");
        }
    }
    let row = "<td class=\"number\">3</td>";
    assert!(page.body.contains(row) && page.text().contains("last 14 days"), "{}", page.body);
    assert!(!page.body.contains(">Received</th>"), "a column for what came about alone");
    assert!(page.text().contains("First steps") && page.text().contains("3/5 done"));
    // Beside documents, the steps are for those who are new.
    scene.world.clock.advance(SignedDuration::from_hours(31 * 24));
    let body = invoice("A-4", "1009876543");
    send(&scene.world.sending, &caller, Operation::Invoice, &body, None).await.unwrap();
    let mut browser = scene.browser(Role::Viewer).await;
    let page = browser.get("/sandbox/organization").await;
    assert!(page.text().contains("A-4"), "{}", page.text());
    assert!(!page.text().contains("First steps"), "{}", page.text());
}

#[tokio::test]
async fn the_audit_trail_tells_who_did_what_and_is_read_page_by_page() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Owner).await;
    let page = browser.get("/sandbox/organization/keys").await;
    for _ in 0..60 {
        let fields = [("label", "ERP")];
        browser.submit(&page, "/sandbox/organization/keys/create", &fields).await;
    }
    let first = browser.get("/sandbox/organization/audit?action=key.created").await;
    assert_eq!(first.text().matches("owner@integrator.example").count(), 50);
    let next = first.attribute("rel=\"next\"", "href");
    let second = browser.get(&next).await;
    assert_eq!(second.text().matches("owner@integrator.example").count(), 10);
    assert!(!second.body.contains("rel=\"next\""));
    let created = "owner@integrator.example created the API key ERP.";
    assert!(first.text().contains(created), "{}", first.text());
    let all = browser.get("/sandbox/organization/audit").await;
    assert!(all.text().contains("key.created"));
    let arabic = browser.get("/sandbox/organization/audit?lang=ar").await;
    assert!(arabic.text().contains("owner@integrator.example: إنشاء مفتاح واجهة البرمجة ERP."));
    browser.get("/sandbox/organization/audit?lang=en").await;
    let forged = browser.get("/sandbox/organization/audit?cursor=x").await;
    assert_eq!(forged.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_audit_trail_names_the_role_that_a_member_got() {
    let scene = Scene::new().await;
    let viewer = scene.member(Role::Viewer).await;
    let (ctx, mode, by) = (&scene.world.ctx, Mode::Sandbox, By::operator());
    let set = members::set_role(ctx, mode, &scene.id, &viewer.member_id, Role::Billing, &by).await;
    set.unwrap().unwrap();
    let mut browser = scene.browser(Role::Owner).await;
    let text = browser.get("/sandbox/organization/audit").await.text();
    let sentence = "The operator of this service changed the role of viewer@integrator.example (role: billing).";
    assert!(text.contains(sentence), "{text}");
}

/// The names of a business and of a session's hash follow the rights of the reader.
#[tokio::test]
async fn the_audit_trail_names_what_the_organization_may_see_and_no_whole_hash_of_a_session() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Owner).await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    let oasis = scene.world.onboarded("Oasis", "1009876543").await;
    let asker = Actor::Taxpayer(falcon.taxpayer_id.clone());
    let other = Actor::Taxpayer(oasis.taxpayer_id.clone());
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead]).await;
    scene.world.grant(&scene.id, &oasis, &[Scope::InvoicesRead]).await;
    for actor in [asker, other, Actor::Service, Actor::NationalPortal] {
        scene.note(actor, Action::TaxpayerUpdated, falcon.taxpayer_id.as_str()).await;
    }
    let path = "/sandbox/organization/audit";
    let page = looked_at(&mut browser, "organization-audit-names", path).await;
    let text = page.text();
    for sentence in [
        "Business Falcon changed the settings of the business Falcon.",
        "The service changed the settings of the business Falcon.",
        "The national tax portal changed the settings of the business Falcon.",
    ] {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
    assert!(!text.contains("Oasis"), "no grant lets its name be read: {text}");
    let entries: Vec<AuditRecord> = scene.world.items("aud_").await;
    let begun = entries.iter().filter(|it| it.action == Action::SignInSucceeded);
    let hashes: Vec<_> = begun.map(|it| it.subject.as_str()).collect();
    assert!(!hashes.is_empty());
    for hash in hashes {
        assert_eq!(hash.len(), 64);
        assert!(!page.body.contains(hash), "the whole hash of a session is shown");
        assert!(page.body.contains(&hash[60..]), "no short form of the session");
    }
}

#[tokio::test]
async fn the_businesses_are_those_that_granted_access_and_show_what_they_allowed() {
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon <i>", "1001234501").await;
    let oasis = scene.world.onboarded("Oasis", "1009876543").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead, Scope::InvoicesRead]).await;
    scene.world.grant(&scene.id, &oasis, &[Scope::InvoicesRead]).await;
    let mut browser = scene.browser(Role::Viewer).await;
    let page = browser.get("/sandbox/organization/taxpayers").await;
    assert!(page.text().contains("Falcon") && !page.body.contains("<i>"), "{}", page.body);
    assert!(!page.text().contains("Oasis"), "no grant lets its name be read");
    let path = format!("/sandbox/organization/taxpayers/{}", falcon.taxpayer_id);
    let page = browser.get(&path).await;
    assert!(page.text().contains("0235:1001234501"));
    assert!(page.text().contains("No use recorded yet"));
    let key = scene.world.api_key(&scene.id).await;
    let authorization = format!("Api-Key {}", key.reveal());
    let credentials = Credentials {
        authorization: Some(&authorization),
        taxpayer_id: Some(falcon.taxpayer_id.as_str()),
        grant_id: None,
    };
    let ctx = &scene.world.ctx;
    authorize(ctx, &counting(), credentials, &[Scope::InvoicesRead]).await.unwrap();
    let page = browser.get(&path).await;
    assert!(page.text().contains("Last used 20 Nov 2026"), "{}", page.text());
    let path = format!("/sandbox/organization/taxpayers/{}", oasis.taxpayer_id);
    assert!(!browser.get(&path).await.text().contains("0235:1009876543"));
    let pearl = scene.world.onboarded("Pearl", "1005555555").await;
    for id in [pearl.taxpayer_id.as_str(), "txpay_0", "x"] {
        let given = browser.get(&format!("/sandbox/organization/taxpayers/{id}")).await;
        assert_eq!(given.status, StatusCode::NOT_FOUND, "{id}");
    }
}

#[tokio::test]
async fn a_file_is_imported_on_the_page_of_the_business_and_its_result_downloaded() {
    const READ: &str = "/sandbox/organization/imports/read";
    const CREATE: &str = "/sandbox/organization/imports/create";
    const CSV: &str = include_str!("../../../../events/imports/invoices.csv");
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead, Scope::InvoicesWrite]).await;
    let business = format!("/sandbox/organization/taxpayers/{}", falcon.taxpayer_id);
    let path = format!("{business}/imports");
    let mut browser = scene.browser(Role::Developer).await;
    assert!(browser.get(&business).await.body.contains(&path), "its page leads there");
    let page = browser.get(&path).await;
    assert!(page.text().contains("No imports yet"), "{}", page.text());
    let kind = [("type", "invoice")];
    let business = path.strip_suffix("/imports").unwrap();
    assert!(page.links().contains(&business.to_owned()), "{:?}", page.links());
    let wrong = browser.upload(&page, READ, &kind, ("x.csv", "nothing\n1\n")).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.text().contains("is not a column"), "{}", wrong.text());
    let read = browser.upload(&page, READ, &kind, ("July <b>.csv", CSV)).await;
    let shown = browser.get(read.location()).await;
    assert!(shown.links().contains(&path), "{:?}", shown.links());
    let taken = browser.submit(&shown, CREATE, &[]).await;
    assert_eq!(taken.location(), format!("{path}?done=begun"));
    let page = browser.get(taken.location()).await;
    assert!(page.text().contains("0/2") && page.body.contains("data-refresh"), "{}", page.body);
    assert!(page.text().contains("July") && !page.body.contains("<b>"));
    Box::pin(scene.world.settle()).await;
    let page = browser.get(&path).await;
    assert!(page.text().contains("2/2") && !page.body.contains("data-refresh"), "{}", page.text());
    let result = page.attribute("/result\"", "href");
    let given = browser.get(&result).await;
    assert_eq!(given.header("content-type"), "text/csv; charset=utf-8");
    let saved = given.header("content-disposition");
    assert!(saved.starts_with("attachment; filename=\"July-"), "{saved}");
    assert!(saved.ends_with("-result.csv\""), "{saved}");
    assert_eq!(given.body.matches(",accepted,").count(), given.body.lines().count() - 1);
    assert_eq!(scene.world.documents().await.len(), 2);
    // A form of another page or browser is refused, and so is a file without the form's token.
    let mut stranger = Browser::new(scene.router.clone());
    let forged = stranger.upload(&page, READ, &kind, ("x.csv", CSV)).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    let forged = stranger.submit(&shown, CREATE, &[]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    // A viewer sees the list without a form.
    let page = scene.browser(Role::Viewer).await.get(&path).await;
    assert!(page.text().contains("2/2") && !page.body.contains(READ));
    let looked = scene.browser(Role::Viewer).await.get(read.location()).await;
    assert_eq!(looked.status, StatusCode::FORBIDDEN);
    // Without a grant to send, there is no such page for a business.
    let oasis = scene.world.onboarded("Oasis", "1009876543").await;
    scene.world.grant(&scene.id, &oasis, &[Scope::InvoicesRead]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", oasis.taxpayer_id);
    assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND);
}

/// A mistaken choice of a file sends no tax invoices.
#[tokio::test]
async fn a_chosen_file_is_shown_with_counts_and_totals_and_sends_nothing_before_its_button() {
    const READ: &str = "/sandbox/organization/imports/read";
    const CREATE: &str = "/sandbox/organization/imports/create";
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead, Scope::InvoicesWrite]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", falcon.taxpayer_id);
    let mut browser = scene.browser(Role::Developer).await;
    let body = |number: &str, quantity: u32, currency: &str, is_good: bool| {
        let mut body: Value =
            serde_json::from_str(include_str!("../../../../events/invoices/minimal.json")).unwrap();
        body["invoice_number"] = number.into();
        body["line_items"][0]["quantity"] = quantity.to_string().into();
        body["line_items"][0]["price"] = json!({"net_price": "1000.00"});
        body["currency"] = currency.into();
        if currency != "AED" {
            body["currency_exchange_rate"] = "3.6725".into();
        }
        if !is_good {
            body["customer"]["name"] = Value::Null;
        }
        format!("{body}\n")
    };
    let file = [
        body("A-1", 1, "AED", true),
        body("A-2", 59, "AED", true),
        body("A-3", 1, "AED", false),
        body("A-4", 2, "USD", true),
    ]
    .concat();
    let page = browser.get(&path).await;
    assert!(!page.body.contains(CREATE), "the page of the drop sends nothing");
    let read = browser.upload(&page, READ, &[("type", "invoice")], ("July.ndjson", &file)).await;
    let check = read.location().to_owned();
    let shown = browser.get(&check).await;
    assert_eq!(shown.status, StatusCode::OK);
    let text = shown.text();
    for said in [
        "Nothing was sent yet",
        "July.ndjson",
        "AED\u{a0}60,000.00",
        "AED\u{a0}63,000.00",
        "USD\u{a0}2,100.00",
        "ibr-007",
        "Send 3 of 4 documents",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    // Reading the page again, also in the other language, sends nothing.
    let arabic = browser.get(&format!("{check}&lang=ar")).await.text();
    assert!(
        arabic.contains("لم يُرسَل شيء بعد") && arabic.contains("إرسال 3 من 4 مستند"),
        "{arabic}"
    );
    browser.get(&format!("{check}&lang=en")).await;
    Box::pin(scene.world.settle()).await;
    assert!(scene.world.documents().await.is_empty(), "nobody pressed the button");
    assert!(browser.get(&path).await.text().contains("No imports yet"));
    // One document is shown as people read it, and those with errors are a file of their own.
    let preview = browser.get(&shown.attribute("/preview?", "href")).await;
    assert!(preview.header("content-security-policy").starts_with("default-src 'none'; style-src"));
    assert!(preview.text().contains("A-1") && preview.text().contains("1,050.00"));
    let refused = browser.get(&shown.attribute("/refused?", "href")).await;
    assert!(refused.header("content-disposition").ends_with("-refused.ndjson\""));
    assert_eq!(refused.body.lines().count(), 1);
    assert!(refused.body.contains("A-3"), "{}", refused.body);
    let workbook = browser.get(&page.attribute("/imports/template?format=xlsx", "href")).await;
    assert_eq!(workbook.header("content-disposition"), "attachment; filename=\"invoices.xlsx\"");
    assert!(workbook.body.starts_with("PK"), "{}", workbook.body);
    let template = browser.get(&page.attribute("/imports/template\"", "href")).await;
    assert!(template.body.starts_with("invoice_number,"), "{}", template.body);
    // Another organization does not find the file by its name, and neither does another business.
    let import_id = check.split('/').nth_back(1).unwrap().to_owned();
    let oasis = scene.world.onboarded("Oasis", "1009876543").await;
    scene.world.grant(&scene.id, &oasis, &[Scope::InvoicesWrite]).await;
    let elsewhere = check.replace(falcon.taxpayer_id.as_str(), oasis.taxpayer_id.as_str());
    assert_eq!(browser.get(&elsewhere).await.status, StatusCode::GONE);
    // Two clicks send it once.
    for _ in 0..2 {
        let sent = browser.submit(&shown, CREATE, &[]).await;
        assert_eq!(sent.location(), format!("{path}?done=begun"));
    }
    assert_eq!(scene.entries_of(Action::ImportCreated).await, 1);
    Box::pin(scene.world.settle()).await;
    assert_eq!(scene.world.documents().await.len(), 3);
    let list = browser.get(&path).await;
    assert!(list.body.contains(&import_id) && list.text().contains("4/4"), "{}", list.text());
    // The file is kept for an hour.
    let read = browser.upload(&page, READ, &[("type", "invoice")], ("x.ndjson", &file)).await;
    let check = read.location().to_owned();
    let shown = browser.get(&check).await;
    scene.world.clock.advance(crate::service::imports::HELD);
    let mut browser = scene.browser(Role::Developer).await;
    let gone = browser.get(&check).await;
    assert_eq!(gone.status, StatusCode::GONE, "{}", gone.text());
    let page = browser.get(&path).await;
    let token = page.hidden(READ).swap_remove(0).1;
    let mut fields = shown.hidden(CREATE);
    fields.retain(|(name, _)| name != "form_token");
    let mut fields: Vec<_> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("form_token", &token));
    let late = browser.post(CREATE, &fields).await;
    assert_eq!(late.status, StatusCode::GONE, "{}", late.text());
    assert!(late.text().contains("The file has expired"), "{}", late.text());
    assert_eq!(scene.entries_of(Action::ImportCreated).await, 1);
}

#[tokio::test]
async fn a_file_that_nothing_could_be_sent_of_is_not_taken_on_the_page() {
    const CSV: &str = include_str!("../../../../events/imports/invoices.csv");
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::InvoicesWrite]).await;
    let path = format!("/sandbox/organization/taxpayers/{}/imports", falcon.taxpayer_id);
    let portal = Portal { queued_delivery: false, ..scene.world.portal(ORIGIN) };
    let mut browser = scene.browser(Role::Developer).await;
    browser.router = router(Arc::new(portal), crate::pages::organization::routes(Router::new()));
    let page = browser.get(&path).await;
    let read = "/sandbox/organization/imports/read";
    let kind = [("type", "invoice")];
    let refused = browser.upload(&page, read, &kind, ("x.csv", CSV)).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text().contains("queued delivery"), "{}", refused.text());
    let page = browser.get(&path).await;
    assert!(page.text().contains("No imports yet"), "{}", page.text());
    // The texts of the script are in the page.
    assert!(page.body.contains("data-drop-many hidden"), "{}", page.body);
    assert!(page.text().contains("one file at a time"), "{}", page.text());
}

#[tokio::test]
async fn a_grant_is_given_up_on_the_page_of_the_business_by_who_may_develop() {
    let scene = Scene::new().await;
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    let scopes = [Scope::TaxpayerRead, Scope::InvoicesRead];
    let first = scene.world.grant(&scene.id, &falcon, &scopes).await;
    scene.world.grant(&scene.id, &falcon, &scopes).await;
    let list = "/sandbox/organization/taxpayers";
    let path = format!("{list}/{}", falcon.taxpayer_id);
    let give_up = "/sandbox/organization/grants/disconnect";
    let mut viewer = scene.browser(Role::Viewer).await;
    let page = viewer.get(&path).await;
    assert!(page.text().contains("Falcon") && !page.body.contains(give_up));
    let mut browser = scene.browser(Role::Developer).await;
    let page = browser.get(&path).await;
    assert!(page.text().contains("Your other access to the business remains"), "{}", page.text());
    let token = page.hidden("/sandbox/sign-out").swap_remove(0).1;
    for (grant, status) in [
        ("x", StatusCode::BAD_REQUEST),
        ("", StatusCode::BAD_REQUEST),
        ("tgr_1", StatusCode::NOT_FOUND),
    ] {
        let fields = [("form_token", token.as_str()), ("grant", grant)];
        assert_eq!(browser.post(give_up, &fields).await.status, status, "{grant}");
    }
    // Another organization's grant is not found.
    let other = scene.world.organization("Other").await;
    let theirs = scene.world.grant(&other, &falcon, &scopes).await;
    let fields = [("form_token", token.as_str()), ("grant", theirs.as_str())];
    assert_eq!(browser.post(give_up, &fields).await.status, StatusCode::NOT_FOUND);
    assert_eq!(scene.entries_of(Action::GrantRevoked).await, 0);

    let fields = [("form_token", token.as_str()), ("grant", first.as_str())];
    let given_up = browser.post(give_up, &fields).await;
    assert_eq!(given_up.location(), format!("{path}?done=given-up"));
    let page = browser.get(given_up.location()).await;
    assert!(page.text().contains("The access was disconnected"), "{}", page.text());
    assert!(page.text().contains("This is your last access to the business"));
    // Both trails have the entry with actor and origin.
    let entries: Vec<AuditRecord> = scene.world.items("aud_").await;
    let of_it = entries.iter().filter(|it| it.action == Action::GrantRevoked);
    let developer = scene.member(Role::Developer).await;
    let mut by: Vec<_> = of_it.map(|it| (String::from(it.actor.clone()), it.ip.clone())).collect();
    by.sort();
    let id = developer.member_id.to_string();
    // The business does not see the addresses of the organization's people.
    assert_eq!(by, [(id.clone(), None), (id, Some("192.0.2.1".to_owned()))]);
    // A repeated form changes nothing; the last one leads back to the list, since the page no longer exists.
    browser.post(give_up, &fields).await.location();
    assert_eq!(scene.entries_of(Action::GrantRevoked).await, 2);
    let ended = browser.submit(&page, give_up, &[]).await;
    assert_eq!(ended.location(), format!("{list}?done=given-up"));
    let page = browser.get(ended.location()).await;
    assert!(page.text().contains("The access was disconnected"), "{}", page.text());
    assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_endpoint_is_made_tried_changed_and_deleted() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Developer).await;
    let list = "/sandbox/organization/webhooks";
    let page = browser.get(list).await;
    assert!(page.text().contains("No webhook endpoints yet"));
    let create = "/sandbox/organization/webhooks/create";
    let wrong = browser.submit(&page, create, &[("url", "ftp://x.example/")]).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.body.contains("value=\"ftp://x.example/\""), "what was entered stays");
    let right = [("url", "http://127.0.0.1:9/hook"), ("type document.sent", "yes")];
    let made = browser.submit(&page, create, &right).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.text());
    let secret = made.body.split(">whsec_").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let page = browser.get(list).await;
    assert!(!page.body.contains(&secret) && page.text().contains("document.sent"));
    let path = page.attribute("/organization/webhooks/we_", "href");
    let one = browser.get(&path).await;
    assert!(one.text().contains("No deliveries yet"), "{}", one.text());
    // A test event of any type, also of one to which the endpoint is not subscribed.
    let test = "/sandbox/organization/webhooks/test";
    let fields = [("event", "document.reported rejected")];
    let sent = browser.submit(&one, test, &fields).await;
    let one = browser.get(sent.location()).await;
    assert!(one.text().contains("The test event is being sent"));
    assert!(one.text().contains("document.reported") && one.text().contains("Pending"));
    // The page shows the result by itself, and says no longer that the event is on its way.
    assert!(
        one.body.contains("data-refresh") && one.body.contains("data-fleeting"),
        "{}",
        one.body
    );
    assert_eq!(one.body.matches("id=\"deliveries\" data-part").count(), 1);
    let delivery = browser.get(&one.attribute("/organization/events/evt_", "href")).await;
    assert_eq!(delivery.status, StatusCode::OK);
    assert!(delivery.text().contains("test&#34;: true"), "{}", delivery.text());
    let events = browser.get("/sandbox/organization/events").await;
    assert!(events.text().contains("document.reported"), "{}", events.text());
    let event = browser.get(&events.attribute("/organization/events/evt_", "href")).await;
    assert!(event.text().contains("Pending"), "{}", event.text());
    let none = browser.get("/sandbox/organization/events?type=document.sent").await;
    assert!(none.text().contains("No events found"));
    // The change has its own page, which also shows the errors.
    let change = "/sandbox/organization/webhooks/change";
    let form = browser.get(&one.attribute(&format!("{path}/change\""), "href")).await;
    assert!(form.body.contains("value=\"http://127.0.0.1:9/hook\""), "{}", form.body);
    let chosen = "name=\"type document.sent\" value=\"yes\" checked";
    assert!(form.body.contains(chosen) && form.body.matches(" checked").count() == 2);
    let wrong = [
        ("url", "nowhere"),
        ("description", "of the ERP"),
        ("type document.status", "yes"),
        ("taxpayers", "x"),
    ];
    for wrong in [&wrong[..], &wrong[..3]] {
        let refused = browser.submit(&form, change, wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        for entered in [
            "value=\"nowhere\"",
            "value=\"of the ERP\"",
            "name=\"type document.status\" value=\"yes\" checked",
        ] {
            assert!(refused.body.contains(entered), "{entered}: {}", refused.body);
        }
        assert_eq!(refused.body.matches(" checked").count(), 1, "it is to get nothing");
    }
    // Two concurrent changes do not overwrite each other, however often the later one is repeated.
    let fields = [("url", "http://127.0.0.1:9/other")];
    let changed = browser.submit(&form, change, &fields).await;
    let late = browser.submit(&form, change, &[("url", "http://127.0.0.1:9/third")]).await;
    assert_eq!(late.status, StatusCode::BAD_REQUEST);
    assert!(late.text().contains("The endpoint has changed"), "{}", late.text());
    let again = browser.submit(&late, change, &[]).await;
    assert_eq!(again.status, StatusCode::BAD_REQUEST);
    let one = browser.get(changed.location()).await;
    assert!(one.text().contains("/other") && one.text().contains("Disabled"), "{}", one.text());
    let rotated = browser.submit(&one, "/sandbox/organization/webhooks/rotate", &[]).await;
    assert!(rotated.body.contains(">whsec_") && !rotated.body.contains(&secret));
    assert!(rotated.text().contains("Previous secret works until"));
    let deleted = browser.submit(&one, "/sandbox/organization/webhooks/delete", &[]).await;
    let page = browser.get(deleted.location()).await;
    assert!(page.text().contains("The endpoint was deleted"));
    assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_endpoint_is_limited_to_businesses_that_are_chosen_from_a_list_or_named() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Developer).await;
    let (list, create) =
        ("/sandbox/organization/webhooks", "/sandbox/organization/webhooks/create");
    let change = "/sandbox/organization/webhooks/change";
    let empty = browser.get(list).await;
    assert!(!empty.body.contains("taxpayers-hint"), "there is nothing to choose");
    let falcon = scene.world.onboarded("Falcon", "1001234501").await;
    let oasis = scene.world.onboarded("Oasis", "1009876543").await;
    scene.world.grant(&scene.id, &falcon, &[Scope::TaxpayerRead]).await;
    scene.world.grant(&scene.id, &oasis, &[Scope::InvoicesRead]).await;
    let page = browser.get(list).await;
    let text = page.text();
    assert!(text.contains("Falcon") && !text.contains("Oasis"), "as far as grants show it: {text}");
    let (one, other) = (format!("taxpayer {}", falcon.taxpayer_id), oasis.taxpayer_id.as_str());
    let url = ("url", "http://127.0.0.1:9/hook");
    // An invalid identifier is reported, and the choice is kept.
    for (wrong, said) in [("x", "begins with txpay_"), ("txpay_1, -", "begins with txpay_")] {
        let refused = browser.submit(&page, create, &[url, ("taxpayers", wrong)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.text().contains(said), "{wrong}: {}", refused.text());
    }
    let many: Vec<_> = (0..101).map(|at| format!("txpay_{at}")).collect();
    let many = many.join("\n");
    let refused = browser.submit(&page, create, &[url, ("taxpayers", many.as_str())]).await;
    assert!(refused.text().contains("at most 100 businesses"), "{}", refused.text());
    let refused = browser.submit(&page, create, &[("url", "x"), (one.as_str(), "yes")]).await;
    let chosen = format!("id=\"{}\" name=\"{one}\" value=\"yes\" checked", falcon.taxpayer_id);
    assert!(refused.body.contains(&chosen), "{}", refused.body);
    let made = browser.submit(&page, create, &[url, (one.as_str(), "yes")]).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.text());
    let endpoint = async || {
        let found = webhooks::list(&scene.world.ctx, Mode::Sandbox, &scene.id).await.unwrap();
        found.into_iter().next().unwrap().endpoint.taxpayer_ids
    };
    assert_eq!(endpoint().await, std::slice::from_ref(&falcon.taxpayer_id));
    let one_of_them = made.attribute("/organization/webhooks/we_", "href");
    let path = format!("{one_of_them}/change");
    let page = browser.get(&path).await;
    assert!(page.body.contains(&chosen), "{}", page.body);
    let shown = format!("<code>{}</code>", falcon.taxpayer_id);
    assert!(browser.get(&one_of_them).await.body.contains(&shown));
    // A business whose grant ended stays in the list as long as it is chosen.
    let fields = [url, (one.as_str(), "yes"), ("taxpayers", other), ("enabled", "yes")];
    browser.submit(&page, change, &fields).await.location();
    assert_eq!(endpoint().await, [falcon.taxpayer_id.clone(), oasis.taxpayer_id.clone()]);
    // Many businesses are listed by their identifiers.
    for at in 0..20 {
        let more = scene.world.onboarded("More", &format!("10000000{at:02}")).await;
        scene.world.grant(&scene.id, &more, &[Scope::InvoicesRead]).await;
    }
    let page = browser.get(&path).await;
    let named = format!("{}\n{}</textarea>", falcon.taxpayer_id, oasis.taxpayer_id);
    assert!(page.body.contains(&named), "{}", page.body);
    let fields = [url, ("taxpayers", other), ("enabled", "yes")];
    browser.submit(&page, change, &fields).await.location();
    assert_eq!(endpoint().await, std::slice::from_ref(&oasis.taxpayer_id));
    let page = browser.get(&path).await;
    browser.submit(&page, change, &[url, ("enabled", "yes")]).await.location();
    assert!(endpoint().await.is_empty(), "none is all");
    let shown = browser.get(&one_of_them).await;
    assert!(shown.text().contains("all businesses"), "{}", shown.text());
    let mut viewer = scene.browser(Role::Viewer).await;
    assert!(!viewer.get(&one_of_them).await.body.contains("/change"));
    assert_eq!(viewer.get(&path).await.status, StatusCode::FORBIDDEN);
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
async fn a_member_sees_where_it_is_signed_in_and_ends_that() {
    let scene = Scene::new().await;
    let mut office = scene.browser(Role::Viewer).await;
    let mut home = scene.browser(Role::Viewer).await;
    let mut other = scene.browser(Role::Developer).await;
    let page = home.get("/sandbox/organization/sessions").await;
    assert_eq!(page.body.matches("sessions/end").count(), 1, "its own two alone: {}", page.text());
    let ended = home.submit(&page, "/sandbox/organization/sessions/end", &[]).await;
    assert_eq!(ended.location(), "/sandbox/organization/sessions?done=ended");
    assert_eq!(office.get("/sandbox/organization").await.status, StatusCode::SEE_OTHER);
    // A member cannot end the session of another member.
    let mut again = scene.browser(Role::Viewer).await;
    let page = home.get("/sandbox/organization/sessions").await;
    let theirs = page.hidden("/sandbox/organization/sessions/end");
    let session = &theirs.iter().find(|(name, _)| name == "session").unwrap().1;
    let page = other.get("/sandbox/organization/sessions").await;
    let token = page.hidden("/sandbox/sign-out").swap_remove(0).1;
    let fields = [("form_token", token.as_str()), ("session", session.as_str())];
    other.post("/sandbox/organization/sessions/end", &fields).await;
    assert_eq!(again.get("/sandbox/organization").await.status, StatusCode::OK);
    // Signing out everywhere ends all sessions.
    let page = home.get("/sandbox/organization/sessions").await;
    home.submit(&page, "/sandbox/sign-out-everywhere", &[]).await;
    assert_eq!(again.get("/sandbox/organization").await.status, StatusCode::SEE_OTHER);
    assert_eq!(other.get("/sandbox/organization").await.status, StatusCode::OK);
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
