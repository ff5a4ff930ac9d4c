//! Who gives access, and who tells people of it.

use super::*;

#[tokio::test]
async fn who_changes_who_may_act_for_whom_writes_what_its_role_allows() {
    let world = World::new().await;
    let (caller, ctx) = (world.caller("Falcon", "1001234501").await, &world.ctx);
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    let other = world.organization("Other").await;
    world.grant_on(&other, taxpayer_id, &Scope::ALL).await;
    let by = By { actor: Actor::ApiKey("key_1".parse().unwrap()), origin: Origin::default() };
    // The function `api` writes cards too.
    let card = business_cards::put_card(ctx, &caller.taxpayer, Vec::new()).await.unwrap();
    world.cloud.take_written();
    let (seen, entity) = (Some(card.updated_at), BusinessEntity::default());
    business_cards::put_first(ctx, &caller.taxpayer, seen, entity).await.unwrap().unwrap();
    let patch = Patch {
        metadata: MetadataPatch::Merge([("k".to_owned(), Some("v".to_owned()))].into()),
        settings: SettingsPatch { language: Some(Language::Arabic), ..Default::default() },
    };
    taxpayers::patch(ctx, &caller, &patch, &by).await.unwrap();
    let notification_email = Some("it@falcon.example".to_owned());
    let wish = OwnSettings { language: Language::English, notification_email };
    let (mode, origin) = (caller.mode, Origin::default());
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    let card = business_cards::card(ctx, &caller.taxpayer).await.unwrap();
    business_cards::put_card(ctx, &caller.taxpayer, card.entities).await.unwrap();
    business_cards::unlist(ctx, &caller.taxpayer).await.unwrap();
    taxpayers::set(ctx, mode, taxpayer_id, &wish, &origin).await.unwrap();
    assert_within("OAuth", &world);
    let approval = Approval {
        mode: Mode::Sandbox,
        grant_id: "tgr_1".parse().unwrap(),
        taxpayer_id: taxpayer_id.clone(),
        organization_id: caller.organization_id.clone(),
        scopes: Scope::ALL.into(),
        grant_label: None,
        external_id: None,
        request: None,
    };
    grants::approve(ctx, FRESHNESS, &approval, &by).await.unwrap().unwrap();
    assert_within("OAuth", &world);
    let Approval { mode, organization_id, grant_id, .. } = &approval;
    grants::revoke(ctx, *mode, organization_id, grant_id, &by).await.unwrap();
    assert_within("OAuth", &world);
}

#[tokio::test]
async fn who_gives_organizations_people_and_credentials_writes_what_its_role_allows() {
    let world = World::new().await;
    let (ctx, mode, by) = (&world.ctx, Mode::Sandbox, By::operator());
    let id = world.organization("Integrator").await;
    world.cloud.take_written();
    let invite = async |name: &str, role| {
        let email = format!("{name}@integrator.example").parse().unwrap();
        let language = Language::English;
        let invitation = Invitation { mode, organization_id: &id, email, role, language };
        members::invite(ctx, invitation, &by).await.unwrap().unwrap()
    };
    let ada = invite("ada", Role::Owner).await;
    let bob = invite("bob", Role::Viewer).await;
    members::joined(ctx, &ada, &by).await.unwrap();
    let developer = Role::Developer;
    let changed = members::set_role(ctx, mode, &id, &bob.member_id, developer, &by).await;
    changed.unwrap().unwrap();
    members::remove(ctx, mode, &id, &bob.member_id, &by).await.unwrap().unwrap();
    let (_, key) = organizations::create_key(ctx, mode, &id, "ERP", &by).await.unwrap();
    organizations::revoke_key(ctx, mode, &id, &key.key_id, &by).await.unwrap();
    let new = NewClient {
        mode,
        organization_id: id.clone(),
        name: "Books".to_owned(),
        redirect_uris: vec!["https://books.example/cb".to_owned()],
        scopes: Scope::ALL.into(),
    };
    let (client, _) = clients::create(ctx, new, &by).await.unwrap();
    clients::rotate_secret(ctx, mode, &client.client_id, false, &by).await.unwrap();
    assert_within("Portal", &world);
    // Another function does the sign-in.
    let token = sessions::begin(ctx, mode, &ada, Origin::default()).await.unwrap();
    sessions::end(ctx, mode, &token, Origin::default()).await.unwrap();
    assert_within("OAuth", &world);
    // A change from one mode to the other.
    sessions::begin(ctx, Mode::Live, &ada, Origin::default()).await.unwrap();
    assert_within("Portal", &world);
}

/// The items about subscriptions.
const PAID: [&str; 2] = ["LIVE#ORGANIZATION#org_1#SUBSCRIPTION", "LIVE#SUBSCRIBERS#0"];

#[tokio::test]
async fn the_functions_of_the_billing_provider_write_subscriptions_alone() {
    for function in FUNCTIONS {
        let writes = |pk: &str| statements(function).iter().any(|it| it.allows(pk));
        let is_of_billing = ["Billing", "Reconcile"].contains(&function);
        assert_eq!(PAID.into_iter().any(writes), is_of_billing, "{function}");
    }
    for statement in ["Billing", "Reconcile"].into_iter().flat_map(statements) {
        for pk in OPERATORS.into_iter().chain(CONNECTIONS).chain(TRAILS) {
            assert!(!statement.allows(pk), "{pk}");
        }
    }
    let scene = super::super::billing_events::Scene::new().await;
    scene.world.cloud.take_written();
    for (id, seats) in [("msg_1", 1), ("msg_2", 1), ("msg_3", 2)] {
        let event = scene.event("active", Some(seats), i64::from(seats));
        scene.take(id, &event).await.unwrap();
        assert_within("Billing", &scene.world);
    }
    let provider = super::super::billing_reconciled::Listing::of([vec![]]);
    scene.world.clock.advance(SignedDuration::from_hours(1));
    let ended = billing::reconcile::reconcile(&scene.world.ctx, &provider).await.unwrap().ended;
    assert_eq!(ended, 1);
    assert_within("Reconcile", &scene.world);
    usage::export_due(&scene.world.ctx, &scene.world.sending.bucket).await.unwrap();
    assert_within("Reconcile", &scene.world);
}

#[tokio::test]
async fn who_connects_in_live_counts_seats_within_its_role() {
    let world = World::unconnected().await;
    let organization_id = world.organization("Integrator").await;
    let taxpayer = world.taxpayer("Falcon", "1001234501").await;
    world.subscribe(&organization_id).await;
    let made = world.client(world.mode, &organization_id).await;
    world.cloud.take_written();
    let tokens = world.tokens_of(&made, &taxpayer, &Scope::ALL).await;
    let (id, origin) = (&taxpayer.taxpayer_id, Origin::default());
    grants::revoke_as_taxpayer(&world.ctx, world.mode, id, &tokens.grant_id, &origin)
        .await
        .unwrap();
    let seats = format!("LIVE#ORGANIZATION#{organization_id}#SEATS");
    let written = world.cloud.take_written();
    assert_eq!(written.iter().filter(|pk| **pk == seats).count(), 2);
    for pk in written {
        assert!(statements("OAuth").iter().any(|it| it.allows(&pk)), "{pk}");
    }
}

#[tokio::test]
async fn who_connects_applications_writes_no_more_than_its_role_may() {
    let world = World::new().await;
    let ctx = &world.ctx;
    let organization_id = world.organization("Integrator").await;
    // The items that the operator creates.
    let made = world.client(world.mode, &organization_id).await;
    world.cloud.take_written();
    let email = Some("accounts@example.com".parse().unwrap());
    let wish = Wish { tin: None, name: "Falcon", email, place: "192.0.2.1" };
    let Onboarded::Active(taxpayer) = simulate(ctx, wish).await.unwrap() else {
        panic!("no test business was made")
    };
    let session =
        sessions::begin(ctx, world.mode, &taxpayer.taxpayer_id, Origin::default()).await.unwrap();
    sessions::end(ctx, world.mode, &session, Origin::default()).await.unwrap();
    sessions::end_all(ctx, world.mode, &taxpayer.taxpayer_id, &By::operator()).await.unwrap();
    let tokens = world.tokens_of(&made, &taxpayer, &Scope::ALL).await;
    let credentials = ClientCredentials {
        client_id: made.0.client_id.to_string(),
        client_secret: made.1.reveal().to_owned(),
    };
    let client = authenticate(ctx, &credentials).await.unwrap();
    let next = refresh(ctx, &client, tokens.refresh_token.reveal(), None).await.unwrap();
    revoke(ctx, &client, next.access_token.reveal()).await.unwrap();
    let later = refresh(ctx, &client, next.refresh_token.reveal(), None).await.unwrap();
    // The second use of a token ends all of them, and the taxpayer is notified.
    assert!(refresh(ctx, &client, tokens.refresh_token.reveal(), None).await.is_err());
    revoke(ctx, &client, later.refresh_token.reveal()).await.unwrap();
    let origin = Origin::default();
    grants::revoke_as_taxpayer(ctx, world.mode, &taxpayer.taxpayer_id, &tokens.grant_id, &origin)
        .await
        .unwrap();
    assert_within("OAuth", &world);
}

#[tokio::test]
async fn who_sends_mails_writes_mails_and_links_alone() {
    let world = World::new().await;
    let address = "accounts@example.com".parse().unwrap();
    world.registered("Falcon", "1001234501", &address).await;
    let browser = OpaqueToken::generate(&*world.ctx.random);
    let ask = || Ask {
        mode: world.mode,
        address: address.clone(),
        browser: &browser,
        place: "192.0.2.1",
        language: Language::English,
        then: Then::account(world.mode),
    };
    sign_in::ask(&world.ctx, ask()).await.unwrap();
    world.cloud.take_written();
    world.stream().await;
    assert_wrote_nothing("Relay", &world);
    let mailing = world.mailing("https://portal.example.com");
    world.run("mail", &mailing).await;
    assert_within("Mail", &world);
    assert_eq!(world.cloud.mails().len(), 1);
    // A mail that the relay missed.
    sign_in::ask(&world.ctx, ask()).await.unwrap();
    world.cloud.take_written();
    world.clock.advance(SignedDuration::from_mins(2));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
    for pk in ["LIVE#SESSION#0a", "SANDBOX#SIGNIN#mail_1", "LIVE#EMAIL#0a"] {
        // The addresses of Live taxpayers come from the national portal.
        let may = |function: &str| match function {
            "OAuth" => true,
            "Register" => pk.starts_with("LIVE#EMAIL#"),
            // A member may change from one mode to the other without another mail.
            // A person who signs up uses a link there.
            "Portal" => pk.contains("#SESSION#") || pk.starts_with("SANDBOX#SIGNIN#"),
            // Only the use of the session is recorded.
            "Pdf" => pk.contains("#SESSION#"),
            _ => false,
        };
        for function in FUNCTIONS.into_iter().filter(|function| !may(function)) {
            assert!(!statements(function).iter().any(|it| it.allows(pk)), "{function}: {pk}");
        }
    }
}

#[tokio::test]
async fn who_signs_up_makes_an_organization_and_its_owner_alone() {
    let world = World::new().await;
    let browser = OpaqueToken::generate(&*world.ctx.random);
    let ask = Ask {
        mode: Mode::Sandbox,
        address: "ada@books.example".parse().unwrap(),
        browser: &browser,
        place: "192.0.2.1",
        language: Language::English,
        then: Then::organization(Mode::Sandbox),
    };
    world.cloud.take_written();
    sign_up::ask(&world.ctx, ask, "Books").await.unwrap();
    assert_within("Portal", &world);
    world.stream().await;
    world.run("mail", &world.mailing("https://portal.example.com")).await;
    assert_within("Mail", &world);
    let mail = world.cloud.mails().pop().unwrap();
    let token = mail.text.split_once("token=").unwrap().1.lines().next().unwrap().parse().unwrap();
    let origin = Origin::default();
    let press = Press { token: &token, browser: &browser, chosen: None, before: None, origin };
    let made = sign_up::confirm(&world.ctx, Mode::Sandbox, press).await.unwrap();
    assert!(matches!(made, sign_up::Link::Good(_)), "{made:?}");
    assert_within("Portal", &world);
    // Nobody makes an organization in Live, and nothing of an organization but the record itself in this way.
    for pk in ["LIVE#ORGANIZATION#org_0", "SANDBOX#ORGANIZATION#org_0#QUOTA"] {
        assert!(!statements("Portal").iter().any(|it| it.allows(pk)), "{pk}");
    }
}
