//! The audit trail.

use super::*;

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
