//! The checklist of the start page, and what a new organization may use.

use super::{documents::looked_at, lately, organization::Scene, *};
use crate::{
    access::Role,
    store::{Quota, keys::Key},
};

#[tokio::test]
async fn the_first_steps_tick_themselves_and_the_navigation_groups_what_developers_need() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Developer).await;
    let overview = "/sandbox/organization";
    let page = browser.get(overview).await;
    assert!(page.text().contains("First steps"), "{}", page.text());
    let ticks = |page: &Given| page.body.matches(">Done</span>").count();
    assert_eq!(ticks(&page), 0);
    let test_business = "/sandbox/organization/grants/test-business";
    let business = browser.submit(&page, test_business, &[]).await;
    let business = browser.get(business.location()).await;
    assert!(business.text().contains("The test business is active"), "{}", business.text());
    let page = browser.get(overview).await;
    assert!(!page.body.contains(test_business), "the step is done");
    assert_eq!(ticks(&page), 1);
    let keys = browser.get("/sandbox/organization/keys").await;
    let create = "/sandbox/organization/keys/create";
    browser.submit(&keys, create, &[("label", "ERP")]).await;
    assert_eq!(ticks(&browser.get(overview).await), 2);
    let webhooks = browser.get("/sandbox/organization/webhooks").await;
    let fields = [("url", "http://127.0.0.1:9/hook"), ("type document.sent", "yes")];
    browser.submit(&webhooks, "/sandbox/organization/webhooks/create", &fields).await;
    let page = looked_at(&mut browser, "organization-first-steps", overview).await;
    assert_eq!(ticks(&page), 3, "{}", page.text());
    let clients = browser.get("/sandbox/organization/clients").await;
    let client = [
        ("name", "Books"),
        ("redirects", "https://books.example/cb"),
        ("scope invoices:read", "yes"),
    ];
    browser.submit(&clients, "/sandbox/organization/clients/create", &client).await;
    assert_eq!(ticks(&browser.get(overview).await), 4);
    // Specification 5.1, 5.4 and 6.1 name these places.
    let nav =
        page.body.split_once("<nav class=\"side\"").unwrap().1.split("</nav>").next().unwrap();
    let (_, developer) = nav.split_once("<li class=\"group\">Developer</li>").unwrap();
    let mut at = 0;
    for name in ["API keys", "Webhooks", "Events", "Settings"] {
        at += developer[at..].find(name).unwrap_or_else(|| panic!("no {name} in {developer}"));
    }
    assert!(page.body.contains("href=\"/docs\""), "the documentation is one link away");
    // The last step is a document; then there is nothing to tick.
    scene.sent().await;
    let page = browser.get(overview).await;
    assert!(!page.text().contains("First steps"), "{}", page.text());
}

#[tokio::test]
async fn the_first_steps_in_live_lead_to_businesses_that_the_organization_connects_itself() {
    let scene = lately::Scene::new().await;
    let page = scene.browser(Role::Developer).await.get("/organization").await;
    let (_, steps) = page.body.split_once("<ol class=\"checklist\">").unwrap();
    let steps = steps.split("</ol>").next().unwrap();
    for path in ["taxpayers", "keys", "webhooks", "clients"] {
        assert!(steps.contains(&format!("href=\"/organization/{path}\"")), "{path}: {steps}");
    }
    assert!(!steps.contains("test-business"), "{steps}");
}

#[tokio::test]
async fn the_page_of_a_sandbox_subscription_shows_the_documents_of_today_and_the_quota() {
    let scene = Scene::new().await;
    let quota = Quota { most: None, usual: Some(10), day: Some("2026-11-20".into()), taken: 7 };
    scene.world.put(Key::quota(&scene.id), &quota).await;
    let page = scene.browser(Role::Billing).await.get("/sandbox/organization/billing").await;
    let (_, facts) = page.body.split_once("<dl class=\"facts\">").unwrap();
    let numbers: Vec<_> = facts.split("<dd class=\"number\">").skip(1).collect();
    let numbers: Vec<_> = numbers.iter().map(|it| it.split('<').next().unwrap()).collect();
    assert_eq!(numbers, ["7", "10"], "{facts}");
}
