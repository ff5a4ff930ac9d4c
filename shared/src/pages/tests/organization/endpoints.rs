//! Webhook endpoints.

use super::*;

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
