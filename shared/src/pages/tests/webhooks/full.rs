//! All that is kept of events and deliveries, and their fullest pages.

use super::*;

/// Checks the size of a page and of all its continuations in both languages; returns how often `marks` occurs.
async fn all_pages(browser: &mut Browser, path: &str, marks: &str) -> usize {
    let (mut next, mut seen) = (Some(path.to_owned()), 0);
    while let Some(path) = next {
        for language in ["ar", "en"] {
            let page = Browser { language, ..browser.clone() }.get(&path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            assert!(page.body.len() <= MAX_PAGE, "{path} has {} bytes", page.body.len());
            let name = path.split('?').next().and_then(|path| path.rsplit('/').next());
            keep(&format!("full-{}", name.unwrap_or_default()), language, &page);
        }
        let page = browser.get(&path).await;
        seen += page.body.matches(marks).count();
        let more = page.body.contains("rel=\"next\"");
        next = more.then(|| page.attribute("rel=\"next\"", "href"));
    }
    seen
}

/// The page of a delivery whose only attempt has this answer.
async fn answered(scene: &Scene, answer: AttemptAnswer) -> String {
    let endpoint = scene.endpoint("http://127.0.0.1:9/hook").await;
    let event = scene.made_up(&endpoint).await;
    let result = AttemptResult {
        number: Some(1),
        at: scene.world.now(),
        status: Some(500),
        duration_ms: 20,
        error: Some("HTTP 500".to_owned()),
    };
    scene.came_to(DeliveryStatus::Exhausted, &[result], (&event, &endpoint)).await;
    let attempt = AttemptRecord {
        mode: Mode::Sandbox,
        organization_id: scene.id.clone(),
        event_id: event.clone(),
        endpoint_id: endpoint.clone(),
        number: 1,
        at: scene.world.now(),
        request_headers: BTreeMap::new(),
        answer: Some(answer),
    };
    scene.world.put(Key::attempt(&attempt), &attempt).await;
    format!("{EVENTS}/{event}/{endpoint}")
}

#[tokio::test]
async fn all_that_is_kept_of_an_answer_is_shown() {
    let scene = Scene::new().await;
    let text = format!("<p>{}", "No room for more. ".repeat(300));
    let answer = AttemptAnswer::of(text.as_bytes(), true);
    let path = answered(&scene, answer.clone()).await;
    let page = scene.browser(Role::Owner).await.get(&path).await;
    let kept = answer.body.strip_prefix("<p>").unwrap();
    assert!(page.body.contains(&format!("{kept}…</pre>")), "{}", page.body);
    assert!(!page.text().contains("The API returns more of it"), "{}", page.text());
}

#[tokio::test]
async fn an_answer_without_a_body_is_said_to_have_none() {
    let scene = Scene::new().await;
    let path = answered(&scene, AttemptAnswer::of(b"", false)).await;
    let browser = scene.browser(Role::Owner).await;
    for (language, said) in [("en", "The response has no body."), ("ar", "لا محتوى في الرد.")]
    {
        let page = Browser { language, ..browser.clone() }.get(&path).await;
        assert!(page.text().contains(said), "{}", page.text());
        assert!(!page.body.contains("<pre class=\"code\" tabindex=\"0\"></pre>"), "{}", page.body);
    }
    // The answers of endpoints are only for owners, even empty ones.
    let page = scene.browser(Role::Developer).await.get(&path).await;
    assert!(
        page.text().contains("Only owners can see the response of the endpoint."),
        "{}",
        page.text()
    );
    assert!(!page.text().contains("The response has no body."), "{}", page.text());
}

#[tokio::test]
async fn the_fullest_pages_of_webhooks_and_events_have_50_kb_at_most() {
    let scene = Scene::new().await;
    let world = &scene.world;
    // Texts in which each character takes five bytes on a page.
    let url = format!("{:&<MAX_URL$}", "http://127.0.0.1:9/?");
    let mut businesses = Vec::new();
    for at in 0..MAX_TAXPAYERS {
        let name = "\"".repeat(100);
        let business = world.onboarded(&name, &format!("10{at:08}")).await;
        if at < 20 {
            world.grant(&scene.id, &business, &[Scope::TaxpayerRead]).await;
        }
        businesses.push(business.taxpayer_id);
    }
    let mut endpoints = Vec::new();
    for at in 0..MAX_ENDPOINTS {
        let wanted = webhooks::EndpointSettings {
            url: url.clone(),
            event_types: EventType::ALL[1..].to_vec(),
            taxpayer_ids: businesses
                .iter()
                .take([20, MAX_TAXPAYERS, 0][at.min(2)])
                .cloned()
                .collect(),
            description: Some("\"".repeat(MAX_DESCRIPTION)),
            disabled: false,
        };
        endpoints.push(scene.endpoint_of(wanted).await);
    }
    let (one, (ctx, by)) = (&endpoints[0], (&world.ctx, By::operator()));
    let result = |number| AttemptResult {
        number: Some(number),
        at: world.now(),
        status: Some(500),
        duration_ms: 15_000,
        error: Some("\"".repeat(300)),
    };
    let results: Vec<_> = (1..=20).map(result).collect();
    let mut events = Vec::new();
    for _ in 0..60 {
        let event = scene.made_up(one).await;
        scene.came_to(DeliveryStatus::Exhausted, &results, (&event, one)).await;
        events.push(event);
    }
    let event = &events[0];
    for endpoint in &endpoints[1..] {
        let sent = tools::retry(ctx, Mode::Sandbox, &scene.id, event, endpoint, false, &by).await;
        sent.unwrap();
        scene.came_to(DeliveryStatus::Exhausted, &results, (event, endpoint)).await;
    }
    let store = &ctx.store;
    let mut published =
        store.get_published_event(Mode::Sandbox, &scene.id, event).await.unwrap().unwrap().event;
    published.body = serde_json::json!({"findings": vec!["\"".repeat(200); 500]}).to_string();
    world.put(Key::test_event(Mode::Sandbox, &scene.id, event), &published).await;
    let name = |at: usize| format!("webhook-header-{at}");
    for number in 1..=20 {
        let attempt = AttemptRecord {
            mode: Mode::Sandbox,
            organization_id: scene.id.clone(),
            event_id: event.clone(),
            endpoint_id: one.clone(),
            number,
            at: world.now(),
            request_headers: (0..6).map(|at| (name(at), "v1,=".repeat(25))).collect(),
            answer: Some(AttemptAnswer { body: "<".repeat(AttemptAnswer::KEPT), truncated: true }),
        };
        world.put(Key::attempt(&attempt), &attempt).await;
    }
    let mut browser = scene.browser(Role::Owner).await;
    let list = all_pages(&mut browser, WEBHOOKS, "organization/webhooks/we_").await;
    assert_eq!(list, endpoints.len(), "each once");
    for (endpoint, deliveries) in [(one, 60), (&endpoints[1], 1)] {
        let path = format!("{WEBHOOKS}/{endpoint}");
        let found = all_pages(&mut browser, &path, "organization/events/evt_").await;
        assert_eq!(found, deliveries, "each once");
        all_pages(&mut browser, &format!("{path}/change"), "").await;
    }
    let path = format!("{EVENTS}/{event}/{one}");
    assert_eq!(all_pages(&mut browser, &path, "HTTP 500").await, 20, "each once");
    let path = format!("{EVENTS}/{event}");
    let found = all_pages(&mut browser, &path, &format!("{path}/we_")).await;
    assert_eq!(found, endpoints.len(), "each once");
    let other = format!("{EVENTS}/{}", events[1]);
    let page = browser.get(&other).await;
    let choices = page.body.matches("<option value=\"we_").count();
    assert_eq!(choices, endpoints.len() - 1, "all may be chosen: {}", page.body);
    all_pages(&mut browser, &other, "").await;
    assert_eq!(all_pages(&mut browser, EVENTS, "organization/events/evt_").await, 60);
    all_pages(&mut browser, "/sandbox/organization/audit", "").await;
    all_pages(&mut browser, "/sandbox/organization", "").await;
    // The full text is available for download.
    for (path, file, text) in [
        (format!("{EVENTS}/{event}"), "body", "findings"),
        (format!("{EVENTS}/{event}/{one}"), "body", "findings"),
    ] {
        let page = browser.get(&path).await;
        assert!(page.text().contains("Shortened"), "{}", page.text());
        let whole = browser.get(&page.attribute(&format!("/{file}\""), "href")).await;
        assert_eq!(whole.header("content-type"), "application/json");
        assert!(whole.header("content-disposition").starts_with("attachment; filename=\"evt_"));
        assert_eq!(whole.body, published.body, "{text}");
    }
    // A refused form contains the entered values, and stays as small.
    let wrong = [("url", "\"".repeat(2_500)), ("taxpayers", "\"".repeat(2_500))];
    let wrong = wrong.each_ref().map(|(name, value)| (*name, value.as_str()));
    for (path, action) in
        [(WEBHOOKS.to_owned(), "create"), (format!("{WEBHOOKS}/{one}/change"), "change")]
    {
        let page = browser.get(&path).await;
        let refused = browser.submit(&page, &format!("{WEBHOOKS}/{action}"), &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.body.len() <= MAX_PAGE, "{action}: {}", refused.body.len());
    }
}
