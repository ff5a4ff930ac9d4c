//! API keys and OAuth clients.

use super::*;

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
