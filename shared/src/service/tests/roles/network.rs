//! Who exchanges documents, statuses and reports with others.

use super::{super::retirement, *};

#[tokio::test]
async fn live_documents_take_no_function_beyond_its_role() {
    let (world, network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register("0235:1009876543");
    world.cloud.take_written();
    let body = |number| invoice(number, "1009876543");
    send(&world.sending, &sender, Invoice, &body("A-1"), Some("a")).await.unwrap();
    send_queued(&world.sending, &sender, &body("A-2"), Some("b")).await.unwrap();
    assert_within("Api", &world);
    for (queue, function) in [("convert", "Convert"), ("dispatch", "Dispatch")] {
        world.stream().await;
        world.cloud.take_written();
        for message in world.cloud.receive(queue) {
            let (sending, message) = (&world.sending, message.read());
            match queue {
                "convert" => job::run(&Convert(sending.clone()), &message).await.unwrap(),
                _ => job::run(&Dispatch(sending.clone()), &message).await.unwrap(),
            }
        }
        assert_within(function, &world);
    }
    assert_eq!(network.taken().len(), 2);
}

#[tokio::test]
async fn who_retires_items_writes_what_its_role_allows() {
    let sent = Box::pin(retirement::Scene::old()).await;
    let received = Box::pin(retirement::Scene::old_received()).await;
    for scene in [sent, received] {
        scene.world.cloud.take_written();
        assert_eq!(scene.retire().await.documents, 1);
        assert_within("Archives", &scene.world);
    }
}

#[tokio::test]
async fn those_who_receive_and_validate_messages_write_what_their_roles_allow() {
    let (world, network) = World::live().await;
    network.register("0242:000002");
    let buyer = world.caller("Oasis", BUYER).await;
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    world.endpoint_at(&buyer.organization_id, &receiver.url).await;
    world.cloud.take_written();
    let status =
        include_bytes!("../../../peppol/mls/samples/good/MessageLevelStatus_Example_RE.xml");
    for parcel in [Parcel::invoice("A-1"), Parcel::status(status).long()] {
        assert_eq!(parcel.pack().arrive(&world.receiving()).await, Arrival::Receipt);
    }
    assert_within("Inbound", &world);
    world.stream().await;
    assert_wrote_nothing("Relay", &world);
    world.run("judge", &world.validating()).await;
    assert_within("Judge", &world);
    world.stream().await;
    assert_within("Relay", &world);
    let delivering = world.healthy().delivering;
    for message in world.cloud.receive("deliver") {
        deliver::deliver(&delivering, &message.read()).await.unwrap();
    }
    assert_within("Webhook", &world);
    world.stream().await;
    world.cloud.take_written();
    world.run("answer", &world.answering()).await;
    assert_within("Answer", &world);
    assert_eq!(network.taken().len(), 1);

    // Another message that is retrieved, and one that waits for the sweeper.
    for number in ["A-2", "A-3"] {
        assert_eq!(
            Parcel::invoice(number).pack().arrive(&world.receiving()).await,
            Arrival::Receipt
        );
    }
    world.stream().await;
    world.run("judge", &world.validating()).await;
    let documents = world.documents().await;
    let retrieved = documents.iter().find(|document| document.number == "A-2").unwrap();
    world.cloud.take_written();
    crate::testing::ubl(&world.sending, &buyer, retrieved.document_id.as_str()).await.unwrap();
    assert_within("Api", &world);
    world.clock.advance(SignedDuration::from_mins(31));
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
    assert_eq!(world.cloud.receive("answer").len(), 2);
}

#[tokio::test]
async fn a_status_that_settles_a_document_takes_no_function_beyond_its_role() {
    settle("Inbound", |status| status).await;
    settle("Judge", Parcel::long).await;
}

/// Lets a function settle a document, by the status that `of` makes of an ordinary one.
async fn settle(function: &str, of: fn(Parcel) -> Parcel) {
    let (world, network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register("0235:1009876543");
    // The send is unconfirmed at first, so that its list must change.
    network.takes_first(&[Takes::AndHangsUp, Takes::CallsDuplicate]);
    let body = invoice("A-1", "1009876543");
    send(&world.sending, &sender, Invoice, &body, None).await.unwrap_err();
    let (due, place) = world.next_due().await.unwrap();
    world.clock.advance(due.duration_since(world.now()));
    sweep::take_up(&world.relaying, &place).await;
    world.work().await;
    let [document] = world.documents().await.try_into().unwrap();
    let status = of(Parcel::status(&accepted(&(&document.message_id).into(), world.now())));
    world.stream().await;
    arrive(&world, function, &status).await;
    let [document] = world.documents().await.try_into().unwrap();
    assert_eq!(document.status, Status::Delivered);
}

/// Lets a message of another access point arrive, and be validated by a function within its role.
async fn arrive(world: &World, function: &str, parcel: &Parcel) {
    world.cloud.take_written();
    assert_eq!(parcel.pack().arrive(&world.receiving()).await, Arrival::Receipt);
    assert_within("Inbound", world);
    world.stream().await;
    world.cloud.take_written();
    let validated = world.run("judge", &world.validating()).await;
    match function {
        "Judge" => assert_within("Judge", world),
        _ => assert_eq!(validated, 0),
    }
}

#[tokio::test]
async fn who_reports_writes_what_the_role_allows_and_nothing_of_the_sandbox() {
    let (world, network) = World::live().await;
    let authority = network.authority().await;
    network.register("0235:1009876543");
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    for number in ["A-1", "A-2", "A-3"] {
        let body = invoice(number, "1009876543");
        send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
    }
    world.stream().await;
    // One report is submitted after a failed attempt, and one is refused.
    authority.takes_first(&[Takes::Status(503), Takes::Refuses(Rule::Sbdh)]);
    let tax_report = world.tax_reporting();
    for again in [true, false] {
        world.cloud.take_written();
        for message in world.cloud.receive("report") {
            crate::service::job::run(&tax_report, &message.read()).await.unwrap();
        }
        assert_within("Report", &world);
        if again {
            world.clock.advance(SignedDuration::from_mins(20));
            sweep::sweep(&world.relaying).await;
            assert_within("Sweep", &world);
        }
    }
    let tax_reports = world.tax_reports().await;
    let statuses: BTreeSet<_> =
        tax_reports.iter().map(|tax_report| tax_report.status.as_str()).collect();
    assert_eq!(statuses, BTreeSet::from(["failed", "submitted"]));
    let [first, second] = authority.taken().try_into().ok().unwrap();
    let verdict = |name: &str, on: &str| {
        let accepted = mls::Verdict::Accepted(mls::Acceptance::default());
        Parcel::verdict(name, &on.parse().unwrap(), accepted)
    };
    world.stream().await;
    arrive(&world, "Inbound", &verdict("V-1", &first.instance_id)).await;
    arrive(&world, "Judge", &verdict("V-2", &second.instance_id).long()).await;
    for statement in statements("Report") {
        assert!(statement.patterns.iter().all(|it| it.starts_with("LIVE#")), "{statement:?}");
    }
}

#[tokio::test]
async fn who_reports_to_openpeppol_writes_what_the_role_allows() {
    let scene = super::super::peppol_reports::Scene::new().await;
    let world = &scene.world;
    peppol_reports::make_due(&scene.reporting).await.unwrap();
    assert_within("Report", world);
    world.stream().await;
    assert_wrote_nothing("Relay", world);
    world.run("report", &scene.reporting).await;
    assert_eq!(scene.network.taken().len(), 2);
    assert_within("Report", world);
    let report = "LIVE#MONTHLY#2026-10";
    for function in FUNCTIONS {
        let writes = statements(function).iter().any(|it| it.allows(report));
        assert_eq!(writes, ["Report", "Relay", "Sweep"].contains(&function), "{function}");
    }
    // A report that the relay missed.
    let again = super::super::peppol_reports::Scene::new().await;
    peppol_reports::make_due(&again.reporting).await.unwrap();
    again.world.cloud.take_written();
    again.world.clock.advance(SignedDuration::from_mins(2));
    sweep::sweep(&again.world.relaying).await;
    assert_within("Sweep", &again.world);
}

#[tokio::test]
async fn who_registers_taxpayers_writes_what_the_roles_allow() {
    let (world, network) = World::live().await;
    let registers = Registers::start(&network).await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (ctx, id) = (&world.ctx, &caller.taxpayer.taxpayer_id);
    world.cloud.take_written();
    let entities = vec![BusinessEntity { country: "AE".to_owned(), ..BusinessEntity::default() }];
    business_cards::put_card(ctx, &caller.taxpayer, entities.clone()).await.unwrap();
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    business_cards::put_card(ctx, &caller.taxpayer, entities).await.unwrap();
    assert_within("Api", &world);
    register::withdraw(ctx, Mode::Live, id).await.unwrap();
    world.cloud.take_written();
    world.stream().await;
    assert_wrote_nothing("Relay", &world);
    registers.tell_first(&[Tells::Status(503), Tells::Status(403)]);
    let registries = Some(Arc::new(registers.registries()));
    let lease = world.sending.settings.lease;
    let sealing_keys = sealing_key().into();
    let registering =
        Registering { ctx: ctx.clone(), registries, national_portal: None, sealing_keys, lease };
    world.run("register", &Registration(registering.clone())).await;
    world.clock.advance(SignedDuration::from_mins(5));
    assert_within("Register", &world);
    sweep::sweep(&world.relaying).await;
    assert_within("Sweep", &world);
}

#[tokio::test]
async fn a_report_that_is_filed_again_takes_no_function_beyond_its_role() {
    let world = World::unconnected().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (taxpayer_id, organization) = (&caller.taxpayer.taxpayer_id, &caller.organization_id);
    let (direction, status) = (Direction::Outbound, TaxReportStatus::Failed);
    let (document, _) = world.reported(taxpayer_id, organization, direction, status).await;
    world.cloud.take_written();
    let request = ResubmissionRequest {
        document_id: document.document_id.as_str(),
        body: Ok(()),
        idempotency_key: Some("k"),
    };
    let render = |_: Report| Reply { status: 202, body: Vec::new() };
    resubmission::resubmit(&world.sending, &caller, request, render).await.unwrap();
    assert_within("Api", &world);
    world.stream().await;
    assert_wrote_nothing("Relay", &world);
}

#[tokio::test]
async fn what_is_abandoned_takes_no_function_beyond_its_role() {
    let (world, _network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    world.endpoint(&sender.organization_id, &[]).await;
    let body = super::super::reports::body("A-1", super::super::reports::NOBODY);
    send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
    let body = super::super::reports::body("A-2", super::super::reports::NOBODY);
    send_queued(&world.sending, &sender, &body, Some("k")).await.unwrap();
    world.cloud.take_written();
    // Waiting jobs are rescheduled and abandoned at last: a document with its report, and the events.
    let broken = world.without_queues();
    loop {
        let waiting = [world.next_due().await, world.next_tax_report().await].into_iter().flatten();
        let Some(due) = waiting.map(|(due, _)| due).min() else { break };
        world.clock.advance(due.duration_since(world.now()).max(SignedDuration::ZERO));
        sweep::sweep(&broken).await;
    }
    let tax_reports = world.tax_reports().await;
    assert!(
        tax_reports.iter().all(|tax_report| tax_report.status == TaxReportStatus::Failed),
        "{tax_reports:?}"
    );
    let mut statuses: Vec<_> = world.documents().await.iter().map(|it| it.status).collect();
    statuses.retain(|status| *status == Status::Failed);
    assert_eq!((tax_reports.len(), statuses.len()), (1, 1));
    let written = world.cloud.take_written();
    for function in ["Sweep", "Relay"] {
        let statements = statements(function);
        // Only a sweep notes what it saw.
        let own = written.iter().filter(|pk| function == "Sweep" || !pk.ends_with("#SWEEP"));
        for pk in own {
            assert!(statements.iter().any(|it| it.allows(pk)), "{function} may not write {pk}");
        }
    }
}
