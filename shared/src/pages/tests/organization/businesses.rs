//! The businesses for which an organization acts, and their documents.

use super::*;

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
