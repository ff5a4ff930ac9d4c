//! The account of a business.

use super::*;

#[tokio::test]
async fn a_taxpayer_sees_its_business_and_sets_what_is_its_own() {
    let mut scene = Scene::new().await;
    let business = looked_at(&mut scene.browser, "business", "/sandbox/account/business").await;
    for said in ["1001234501", "Active", "Peppol Directory", "no business card yet"] {
        assert!(business.text().contains(said), "{said}: {}", business.text());
    }
    // The page shows what an application wrote, and the business decides whether the Directory shows it too.
    let (ctx, directory) = (&scene.world.ctx, "/sandbox/account/directory");
    let card = include_str!("../../../store/fixtures/business_card.json");
    let card: BusinessCardRecord = serde_json::from_str(card).unwrap();
    let name = card.entities[0].names[0].text.clone();
    business_cards::put_card(ctx, &scene.falcon, card.entities).await.unwrap();
    let path = "/sandbox/account/business";
    let page = looked_at(&mut scene.browser, "business-card", path).await;
    assert!(
        page.text().contains(&name) && page.text().contains("Not registered"),
        "{}",
        page.text()
    );
    for (wish, status) in [("yes", "Registered"), ("yes", "Registered"), ("no", "Not registered")] {
        let answer = scene.browser.submit(&page, directory, &[("listed", wish)]).await;
        assert_eq!(answer.location(), path);
        let page = scene.browser.get(path).await;
        let (_, of_directory) = page.body.split_once("Peppol Directory").unwrap();
        let (of_directory, _) = of_directory.split_once("</dd>").unwrap();
        assert!(of_directory.contains(status), "{wish}: {of_directory}");
    }
    let answer = scene.browser.submit(&page, directory, &[("listed", "perhaps")]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let page = looked_at(&mut scene.browser, "account", "/sandbox/account").await;
    let used = "(recorded hourly). The last use was to check and send invoices";
    assert!(page.text().contains(used), "{}", page.text());
    let path = "/sandbox/account/settings";
    let page = looked_at(&mut scene.browser, "settings", path).await;
    for wrong in [[("language", "fr"), ("email", "")], [("language", "ar"), ("email", "a b")]] {
        let given = scene.browser.submit(&page, path, &wrong).await;
        assert_eq!(given.status, StatusCode::BAD_REQUEST, "{wrong:?}");
    }
    let before = scene.world.events().await.len();
    let wanted = [("language", "ar"), ("email", "notices@falcon.example")];
    let saved = scene.browser.submit(&page, path, &wanted).await;
    assert_eq!(saved.location(), "/sandbox/account/settings?done=saved");
    let page = scene.browser.get(saved.location()).await;
    assert!(
        page.text().contains("Settings saved.") && page.body.contains("notices@falcon.example")
    );
    assert!(page.body.contains("value=\"ar\" lang=\"ar\" selected"), "{}", page.body);
    // The organization gets one event, and the trail names the actor.
    scene.browser.submit(&page, path, &wanted).await.location();
    let events = scene.world.events().await;
    assert_eq!(events.len(), before + 1);
    assert_eq!(events.last().unwrap().event_type, EventType::TaxpayerUpdated);
    let entries: Vec<AuditRecord> = scene.world.items("aud_").await;
    let entries: Vec<_> =
        entries.iter().filter(|it| it.action == Action::TaxpayerUpdated).collect();
    assert_eq!(entries.len(), 1);
}

#[tokio::test]
async fn a_taxpayer_has_its_documents_archived_and_fetches_the_file() {
    let mut scene = Scene::new().await;
    let path = "/sandbox/account/archives";
    let page = looked_at(&mut scene.browser, "archives", path).await;
    assert!(page.text().contains("No archives"), "{}", page.text());
    for (wrong, field) in [
        ([("from", "2026-01-01"), ("to", "2025-12-31")], "to"),
        ([("from", "soon"), ("to", "2026-12-31")], "from"),
        ([("from", "2026-01-01"), ("to", "")], "to"),
    ] {
        let refused = scene.browser.submit(&page, path, &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong:?}");
        assert!(refused.body.contains(&format!("id=\"{field}-problem\">")), "{}", refused.body);
    }
    let year = [("from", "2026-01-01"), ("to", "2026-12-31")];
    let made = scene.browser.submit(&page, path, &year).await;
    assert_eq!(made.location(), "/sandbox/account/archives?done=begun");
    let page = scene.browser.get(made.location()).await;
    assert!(page.body.contains("data-refresh") && !page.body.contains("/file\""), "{}", page.body);
    Box::pin(scene.world.settle()).await;
    let page = looked_at(&mut scene.browser, "archives", path).await;
    let file = page.body.split("href=\"").find(|it| it.contains("/file\"")).unwrap();
    let file = file.split('"').next().unwrap();
    let given = scene.browser.get(file).await;
    assert!(given.location().contains("/archives/"), "{}", given.location());
    let unknown = scene.browser.get("/sandbox/account/archives/arc_1/file").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_taxpayer_writes_its_business_card_and_loses_nothing_that_an_application_wrote() {
    let mut scene = Scene::new().await;
    let (ctx, path) = (scene.world.ctx.clone(), "/sandbox/account/business/card");
    let business = scene.browser.get("/sandbox/account/business").await;
    assert!(business.body.contains(&format!("href=\"{path}\"")), "{}", business.body);
    let page = looked_at(&mut scene.browser, "card", path).await;
    assert!(page.body.contains(&format!("value=\"{}\"", scene.falcon.name)));
    // The lines that nothing was entered in are folded, but for one.
    let folded = |page: &Given, field: &str| {
        let (before, _) = page.body.split_once(&format!("id=\"{field}\"")).unwrap();
        before.matches("<details").count() > before.matches("</details>").count()
    };
    assert_eq!(["names-1-name", "names-2-name"].map(|it| folded(&page, it)), [false, true]);
    assert_eq!(["websites-0", "websites-1"].map(|it| folded(&page, it)), [false, true]);
    // Each error is beside its field, and the entered values are kept.
    let good = [("names-0-name", "Falcon"), ("country_code", "AE")];
    let long = "x".repeat(501);
    for (wrong, field, said) in [
        (vec![("names-0-name", ""), ("country_code", "AE")], "names-0-name", "Enter a name"),
        (vec![("names-0-name", "F"), ("country_code", "ae")], "country_code", "two capital"),
        (vec![("names-0-name", "F"), ("country_code", "")], "country_code", "two capital"),
        (
            [&good[..], &[("names-2-language", "ar")]].concat(),
            "names-2-name",
            "Fill in this field too",
        ),
        (
            [&good[..], &[("names-1-name", "F"), ("names-1-language", "ara")]].concat(),
            "names-1-language",
            "two small",
        ),
        ([&good[..], &[("websites-1", "falcon.example")]].concat(), "websites-1", "begins with"),
        (
            [&good[..], &[("identifiers-3-value", "CN-1")]].concat(),
            "identifiers-3-scheme",
            "Fill in this field too",
        ),
        ([&good[..], &[("contacts-2-email", long.as_str())]].concat(), "contacts-2-email", "500"),
    ] {
        let refused = scene.browser.submit(&page, path, &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong:?}");
        let problem = format!("id=\"{field}-problem\">");
        let beside = refused.body.split_once(&problem);
        let beside = beside.unwrap_or_else(|| panic!("{field}: {}", refused.body)).1;
        assert!(beside.split('<').next().unwrap().contains(said), "{field}: {beside}");
        assert!(refused.body.contains(&format!("href=\"#{field}\"")), "{field}");
        assert!(!folded(&refused, field), "{field}");
        let kept = wrong.iter().find(|(name, value)| name != &field && !value.is_empty());
        assert!(kept.is_none_or(|(_, value)| refused.body.contains(&format!("value=\"{value}\""))));
    }
    let card = |scene: &Scene| {
        let (ctx, falcon) = (scene.world.ctx.clone(), scene.falcon.clone());
        async move { business_cards::card(&ctx, &falcon).await }
    };
    assert!(card(&scene).await.is_err(), "nothing of that was saved");
    let fields = [
        ("country_code", "AE"),
        ("names-0-name", " Falcon "),
        ("names-2-name", "الصقر"),
        ("names-2-language", "ar"),
        ("contacts-1-email", "ask@falcon.example"),
    ];
    let saved = scene.browser.submit(&page, path, &fields).await;
    assert_eq!(saved.location(), "/sandbox/account/business?done=card");
    let business = scene.browser.get(saved.location()).await;
    for said in ["was saved", "Falcon", "الصقر", "ask@falcon.example", "Edit business card"] {
        assert!(business.text().contains(said), "{said}: {}", business.text());
    }
    let names = card(&scene).await.unwrap().entities[0].names.len();
    assert_eq!(names, 2, "lines that are empty are none");
    // The earlier page changes a card that was replaced since.
    let late = scene.browser.submit(&page, path, &fields).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text().contains("The business card has changed"), "{}", late.text());
    // Content that the form does not show stays unchanged.
    let wrote = card(&scene).await.unwrap().entities.remove(0);
    let more = wrote.names[0].clone();
    let wrote = BusinessEntity {
        names: vec![more.clone(), more.clone(), more.clone(), more],
        additional_information: Some("Since 1971".to_owned()),
        ..wrote
    };
    scene.world.clock.advance(jiff::SignedDuration::from_secs(1));
    let entities = vec![wrote.clone(), wrote.clone()];
    business_cards::put_card(&ctx, &scene.falcon, entities).await.unwrap();
    let page = scene.browser.get(path).await;
    assert!(page.text().contains("added more than this form shows"), "{}", page.text());
    scene.browser.submit(&page, path, &good).await.location();
    let stands = card(&scene).await.unwrap().entities;
    let names: Vec<_> = stands[0].names.iter().map(|name| name.text.as_str()).collect();
    assert_eq!(names, ["Falcon", "Falcon"], "the first three lines are the form's");
    assert_eq!(stands[0].additional_information.as_deref(), Some("Since 1971"));
    assert!(stands[0].contacts.is_empty());
    assert_eq!(stands[1], wrote);
}

#[tokio::test]
async fn a_live_business_sees_in_steps_what_is_done_what_waits_and_on_whom() {
    let (world, _network) = World::live().await;
    // The operator created the taxpayer, but has not registered it yet.
    let falcon = world.onboarded("Falcon Trading LLC", "1001234501").await;
    let mut browser = signed_in(&world, &falcon).await;
    let page = looked_at(&mut browser, "business-live", "/account/business").await;
    let text = page.text();
    for said in ["Listed in the e-invoicing network", "Waiting for the operator", "Optional"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("not entered in any register") && !text.contains("Tax authority"));
    let oasis = world.taxpayer("Oasis", "1001234502").await;
    let mut browser = signed_in(&world, &oasis).await;
    let text = browser.get("/account/business").await.text();
    assert!(!text.contains("Waiting for") && text.contains("Done"), "{text}");
}

#[tokio::test]
async fn the_account_has_at_most_50_kb_with_any_number_of_grants_and_sessions() {
    let mut scene = Scene::new().await;
    let (ctx, of) = (scene.world.ctx.clone(), scene.falcon.taxpayer_id.clone());
    let second = scene.world.organization(&"&".repeat(200)).await;
    for _ in 0..grants::MAX_GRANTS {
        let approval = Approval {
            mode: Mode::Sandbox,
            grant_id: GrantId::new(scene.world.now(), &*ctx.random),
            taxpayer_id: of.clone(),
            organization_id: second.clone(),
            scopes: Scope::ALL.into(),
            grant_label: Some("\"".repeat(100)),
            external_id: None,
            request: None,
        };
        grants::seed(&ctx, &approval).await.unwrap();
    }
    for _ in 0..60 {
        let origin = Origin::new(None, Some(&"\"".repeat(300)), None);
        sessions::begin(&ctx, Mode::Sandbox, &of, origin).await.unwrap();
    }
    // Each list has its own pages.
    for (of_this, of_other, marks, count) in [
        ("from=tgr_", "sessions-from=", "account/revoke\"", 1 + grants::MAX_GRANTS),
        ("sessions-from=", "from=tgr_", "account/end-session\"", 60),
    ] {
        let (mut next, mut seen) = (Some("/sandbox/account".to_owned()), 0);
        while let Some(path) = next {
            let page = looked_at(&mut scene.browser, "account-full", &path).await;
            seen += page.body.matches(marks).count();
            let links = page.body.split("<a ").filter(|link| link.contains("rel=\"next\""));
            let links = links.map(|link| link.split_once("href=\"").unwrap().1);
            let mut links = links.map(|link| link.split('"').next().unwrap());
            let next_of_this = |link: &&str| link.contains(of_this) && !link.contains(of_other);
            next = links.find(next_of_this).map(str::to_owned);
        }
        assert_eq!(seen, count, "{marks}: each once");
    }
}
