//! Registration, migration and withdrawal of taxpayers, with an SML and a Directory on loopback.

use std::{net::IpAddr, sync::Arc};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::SignedDuration;

use crate::{
    access::{Caller, Taxpayer},
    error::Code,
    peppol::{
        identifiers::Spid,
        pki::testing::PKI,
        sml::MigrationKey,
        smp::{BusinessEntity, EntityName},
    },
    service::{
        Registering, business_cards, job,
        onboarding::Registration,
        register::{
            Announced, Registries, announce, begin_registration, migration_key, prepare_migration,
            withdraw,
        },
        sweep,
    },
    store::{Register, RegistrationRecord, RegistrationStatus as Status},
    testing::{Faults, Registers, SMP_URL, Tells, TestNetwork, World, enumerate_at, sealing_key},
    types::Mode,
    webhook::SealingKeys,
};

/// Removes one setting of a deployment; the text names that setting.
type Less = (fn(&mut Registries), &'static str);

struct Scene {
    world: World,
    network: TestNetwork,
    registers: Registers,
    taxpayer: Taxpayer,
}

impl Scene {
    async fn new() -> Scene {
        Self::of(World::live().await).await
    }

    async fn of((world, network): (World, TestNetwork)) -> Scene {
        let registers = Registers::start(&network).await;
        let taxpayer = world.onboarded("Falcon", "1001234501").await;
        Scene { world, network, registers, taxpayer }
    }

    fn registering(&self) -> Registering {
        let registries = Some(Arc::new(self.registers.registries()));
        let lease = self.world.sending.settings.lease;
        let (ctx, sealing_keys) = (self.world.ctx.clone(), sealing_key().into());
        Registering { ctx, registries, national_portal: None, sealing_keys, lease }
    }

    /// A deployment without one setting.
    fn without(&self, less: fn(&mut Registries)) -> Registering {
        let mut registries = self.registers.registries();
        less(&mut registries);
        Registering { registries: Some(Arc::new(registries)), ..self.registering() }
    }

    async fn begin(&self, key: Option<&str>) {
        let key = key.map(|key| key.parse::<MigrationKey>().unwrap());
        let id = &self.taxpayer.taxpayer_id;
        let keys = sealing_key();
        let migration = key.map(|key| (&keys, key));
        begin_registration(&self.world.ctx, Mode::Live, id, migration).await.unwrap();
    }

    /// Runs relay and registers until nothing is left to do.
    async fn work(&self) {
        self.work_with(&self.registering()).await;
    }

    async fn work_with(&self, registering: &Registering) {
        self.world.stream().await;
        for message in self.world.cloud.receive("register") {
            assert_eq!(message.mode, "live");
            job::run(&Registration(registering.clone()), &message.read()).await.unwrap();
        }
    }

    /// Advances the clock and runs everything that is due.
    async fn pass(&self, time: SignedDuration) {
        self.world.clock.advance(time);
        sweep::sweep(&self.world.relaying).await;
        self.work().await;
    }

    async fn get(&self, register: Register) -> RegistrationRecord {
        let id = &self.taxpayer.taxpayer_id;
        let found = self.world.ctx.store.get_registration(Mode::Live, id, register).await;
        found.unwrap().unwrap()
    }

    async fn status(&self) -> Status {
        self.get(Register::Network).await.status
    }

    fn smp(&self) -> Option<String> {
        self.network.smp_of(&self.taxpayer.participant_id)
    }

    fn caller(&self) -> Caller {
        Caller {
            mode: Mode::Live,
            organization_id: "org_1".parse().unwrap(),
            credential: crate::access::CredentialId::ApiKey("key_1".parse().unwrap()),
            taxpayer: self.taxpayer.clone(),
            grant_ids: Default::default(),
            scopes: Default::default(),
        }
    }
}

fn card() -> Vec<BusinessEntity> {
    vec![BusinessEntity {
        names: vec![EntityName { text: "Falcon".to_owned(), language: None }],
        country: "AE".to_owned(),
        ..BusinessEntity::default()
    }]
}

#[tokio::test]
async fn a_taxpayer_is_registered_and_withdrawn() {
    let scene = Scene::new().await;
    scene.begin(None).await;
    assert_eq!(scene.status().await, Status::Registering);
    scene.work().await;
    let record = scene.get(Register::Network).await;
    assert_eq!((record.status, record.cause, record.lease), (Status::Registered, None, None));
    assert_eq!(record.services.len(), 4);
    assert!(record.services.iter().all(|service| service.document_type.is_wildcard()));
    assert_eq!(scene.smp().as_deref(), Some(SMP_URL));
    // A repetition has no effect.
    scene.begin(None).await;
    scene.pass(SignedDuration::from_hours(1)).await;
    assert_eq!(scene.registers.came(), ["CreateParticipant"]);

    let id = &scene.taxpayer.taxpayer_id;
    withdraw(&scene.world.ctx, Mode::Live, id).await.unwrap();
    assert_eq!(scene.status().await, Status::Withdrawing);
    scene.work().await;
    assert_eq!((scene.status().await, scene.smp()), (Status::Withdrawn, None));
    withdraw(&scene.world.ctx, Mode::Live, id).await.unwrap();
    scene.pass(SignedDuration::from_hours(1)).await;
    assert_eq!(scene.registers.came(), ["CreateParticipant", "DeleteParticipant"]);
    // The taxpayer is registered once more.
    scene.begin(None).await;
    scene.work().await;
    assert_eq!((scene.status().await, scene.smp().as_deref()), (Status::Registered, Some(SMP_URL)));
    assert!(scene.world.marks("due_pk").await.is_empty());
}

/// SML and Directory have public names, need https, and require the certificate of our SMP.
#[tokio::test]
async fn a_taxpayer_is_registered_with_the_settings_of_production() {
    let scene = Scene::of(World::deployed().await).await;
    let (front, registries) = scene.registers.deployed().await;
    let (physical, own) = (IpAddr::from([192, 0, 2, 1]), Spid::new("000001").unwrap());
    assert_eq!(announce(&registries, physical, &own).await.unwrap(), Announced::Updated);
    let deployed = Registering { registries: Some(Arc::new(registries)), ..scene.registering() };
    scene.begin(None).await;
    scene.work_with(&deployed).await;
    assert_eq!(scene.status().await, Status::Registered);
    assert_eq!(scene.smp().as_deref(), Some("https://smp.example/smp"));
    business_cards::put_card(&scene.world.ctx, &scene.caller().taxpayer, card()).await.unwrap();
    business_cards::list(&scene.world.ctx, &scene.caller().taxpayer).await.unwrap();
    scene.work_with(&deployed).await;
    assert_eq!(scene.get(Register::Directory).await.status, Status::Registered);
    let ours = PKI.publisher().certificate.der().to_vec();
    assert!(front.shown().len() >= 4 && front.shown().iter().all(|shown| *shown == ours));
}

#[tokio::test]
async fn what_keeps_the_sml_from_it_is_seen_and_tried_again() {
    for (tells, cause) in [
        (Tells::Status(503), "the SML: HTTP status 503"),
        (Tells::Fault("InternalErrorFault", "later"), "the SML: internal error: later"),
        (Tells::Fault("BadRequestFault", "[ERR-106] no"), "the SML: bad request: [ERR-106] no"),
    ] {
        let scene = Scene::new().await;
        scene.registers.tell_first(&[tells]);
        scene.begin(None).await;
        scene.work().await;
        let record = scene.get(Register::Network).await;
        assert_eq!(record.status, Status::Registering);
        let found = record.cause.unwrap();
        assert!(found.starts_with(cause), "{found}");
        scene.pass(SignedDuration::from_mins(2)).await;
        let record = scene.get(Register::Network).await;
        assert_eq!((record.status, record.cause), (Status::Registered, None));
    }
}

#[tokio::test]
async fn what_was_done_though_its_answer_was_lost_is_not_refused_for_good() {
    let scene = Scene::new().await;
    scene.registers.tell_first(&[Tells::AndHangsUp]);
    scene.begin(None).await;
    scene.work().await;
    assert_eq!(scene.status().await, Status::Registering);
    // The SML says that the participant exists already. DNS shows that it is ours.
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(scene.status().await, Status::Registered);
    assert_eq!(scene.registers.came().len(), 2);

    scene.registers.tell_first(&[Tells::AndHangsUp]);
    withdraw(&scene.world.ctx, Mode::Live, &scene.taxpayer.taxpayer_id).await.unwrap();
    scene.work().await;
    assert_eq!(scene.status().await, Status::Withdrawing);
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!((scene.status().await, scene.smp()), (Status::Withdrawn, None));
}

#[tokio::test]
async fn a_participant_of_another_smp_is_parked_and_comes_over_with_its_key() {
    let scene = Scene::new().await;
    let participant = &scene.taxpayer.participant_id;
    scene.network.leads(participant, "http://127.0.0.1:9/other");
    scene.begin(None).await;
    scene.work().await;
    let record = scene.get(Register::Network).await;
    let cause = record.cause.unwrap();
    assert!(cause.contains("127.0.0.1:9/other") && cause.contains("already exist"), "{cause}");
    assert!(record.parked.is_some(), "somebody must look");

    scene.registers.prepares(participant, "11AAbb$$");
    scene.begin(Some("11AAbb$$")).await;
    scene.work().await;
    let record = scene.get(Register::Network).await;
    assert_eq!(
        (record.status, record.cause, record.migration_key),
        (Status::Registered, None, None)
    );
    assert_eq!(scene.smp().as_deref(), Some(SMP_URL));
    assert!(scene.world.marks("due_pk").await.is_empty());
}

#[tokio::test]
async fn a_taxpayer_moves_to_another_smp_with_a_key_of_ours() {
    let scene = Scene::new().await;
    let (ctx, id) = (&scene.world.ctx, &scene.taxpayer.taxpayer_id);
    let keys = &sealing_key();
    let failure = prepare_migration(ctx, keys, Mode::Live, id).await.unwrap_err();
    assert_eq!(failure.code, Code::InvalidRequest);
    scene.begin(None).await;
    scene.work().await;
    let begun = prepare_migration(ctx, keys, Mode::Live, id).await.unwrap();
    // The answer of the SML is lost: the retry sends the same key.
    scene.registers.tell_first(&[Tells::AndHangsUp]);
    scene.work().await;
    assert_eq!(scene.status().await, Status::Preparing);
    scene.pass(SignedDuration::from_mins(2)).await;
    let record = prepare_migration(ctx, keys, Mode::Live, id).await.unwrap();
    assert_eq!((record.status, &record.migration_key), (Status::Prepared, &begun.migration_key));
    assert!(record.migration_key.is_some() && record.status.is_served());
    // The SML got the key that the record holds sealed.
    let key = migration_key(keys, &record).unwrap().unwrap();
    assert_eq!(
        scene.registers.key_of(&scene.taxpayer.participant_id).as_deref(),
        Some(key.reveal())
    );
    let items = format!("{:?}", scene.world.raw_items("").await);
    assert!(!items.contains(key.reveal()) && items.contains("v1.k0."));
    // The other SMP has the participant now: there is nothing left to delete.
    scene.network.leads(&scene.taxpayer.participant_id, "http://127.0.0.1:9/other");
    withdraw(ctx, Mode::Live, id).await.unwrap();
    scene.work().await;
    assert_eq!(scene.status().await, Status::Withdrawn);
    assert_eq!(scene.smp().as_deref(), Some("http://127.0.0.1:9/other"));
}

#[tokio::test]
async fn a_migration_key_of_before_they_were_sealed_is_used_as_it_is() {
    let (scene, key) = (Scene::new().await, "11AAbb$$");
    let participant = &scene.taxpayer.participant_id;
    scene.network.leads(participant, "http://127.0.0.1:9/other");
    scene.registers.prepares(participant, key);
    scene.begin(Some(key)).await;
    let pk = format!("LIVE#TAXPAYER#{}#REGISTRATION#network", scene.taxpayer.taxpayer_id);
    let open = AttributeValue::S(key.to_owned());
    scene.world.set(&pk, "REGISTRATION", "migration_key", open).await;
    scene.work().await;
    assert_eq!((scene.status().await, scene.smp().as_deref()), (Status::Registered, Some(SMP_URL)));
}

#[tokio::test]
async fn a_migration_key_that_does_not_open_is_parked_with_the_reason() {
    let scene = Scene::new().await;
    scene.begin(Some("11AAbb$$")).await;
    let other = SealingKeys::derive("another key of at least 32 characters").unwrap();
    let registering = Registering { sealing_keys: other.into(), ..scene.registering() };
    scene.work_with(&registering).await;
    let record = scene.get(Register::Network).await;
    assert!(record.cause.unwrap().starts_with("the migration key: ") && record.parked.is_some());
    assert!(scene.registers.came().is_empty());
}

#[tokio::test]
async fn a_setting_that_the_deployment_lacks_is_named() {
    let settings: [Less; 4] = [
        (|all| all.sml_url = None, "SML_URL is not set"),
        (|all| all.smp_id = None, "SMP_ID is not set"),
        (|all| all.client = None, "no certificate and key of an SMP"),
        (|all| all.sml_url = Some("http://127.0.0.1:9/sml".to_owned()), "the SML: "),
    ];
    for (less, cause) in settings {
        let scene = Scene::new().await;
        scene.begin(None).await;
        scene.work_with(&scene.without(less)).await;
        let record = scene.get(Register::Network).await;
        let found = record.cause.unwrap();
        assert!(found.contains(cause), "{found}");
        assert_eq!((record.status, record.parked), (Status::Registering, None));
    }
    let scene = Scene::new().await;
    scene.begin(None).await;
    scene.work_with(&Registering { registries: None, ..scene.registering() }).await;
    let cause = scene.get(Register::Network).await.cause.unwrap();
    assert!(cause.contains("not connected"), "{cause}");
}

#[tokio::test]
async fn a_wish_that_changes_while_a_register_is_notified_is_the_one_that_holds() {
    let scene = Scene::new().await;
    scene.begin(None).await;
    scene.world.stream().await;
    let id = &scene.taxpayer.taxpayer_id;
    let store = &scene.world.ctx.store;
    let read = scene.get(Register::Network).await;
    let lease = crate::store::Lease {
        owner: scene.world.ctx.new_uuid(),
        until: scene.world.now() + SignedDuration::from_secs(60),
    };
    let leased = store.lease(Mode::Live, &read, lease, scene.world.now()).await.unwrap().unwrap();
    withdraw(&scene.world.ctx, Mode::Live, id).await.unwrap();
    let ended = store.end_registration(&leased, Status::Registered, scene.world.now()).await;
    assert_eq!(ended.unwrap(), crate::store::Recorded::Lost);
    assert_eq!(scene.status().await, Status::Withdrawing);
    scene.world.cloud.receive("register");
    scene.work().await;
    assert_eq!(scene.status().await, Status::Withdrawn);
}

#[tokio::test]
async fn in_the_sandbox_nobody_is_notified() {
    let world = World::new().await;
    let taxpayer = world.onboarded("Falcon", "1001234501").await;
    let (ctx, id) = (&world.ctx, &taxpayer.taxpayer_id);
    let begun = begin_registration(ctx, Mode::Sandbox, id, None).await.unwrap();
    assert_eq!((begun.status, begun.services.len()), (Status::Registered, 4));
    assert!(world.marks("due_pk").await.is_empty());
    let ended = withdraw(ctx, Mode::Sandbox, id).await.unwrap().unwrap();
    assert_eq!(ended.status, Status::Withdrawn);
    let nobody = begin_registration(ctx, Mode::Live, id, None).await.unwrap_err();
    assert_eq!(nobody.code, Code::NotFound);
}

#[tokio::test]
async fn the_directory_is_notified_of_cards_once_the_network_leads_to_them() {
    let scene = Scene::new().await;
    let (ctx, caller) = (&scene.world.ctx, &scene.caller());
    let failure = business_cards::list(ctx, &caller.taxpayer).await.unwrap_err();
    assert_eq!(failure.code, Code::NotFound, "there is no card");
    business_cards::put_card(ctx, &caller.taxpayer, card()).await.unwrap();
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    scene.work().await;
    let waiting = scene.get(Register::Directory).await;
    assert!(waiting.cause.unwrap().contains("not registered in the network"));
    scene.begin(None).await;
    scene.work().await;
    scene.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(scene.get(Register::Directory).await.status, Status::Registered);
    assert_eq!(scene.registers.listed(), ["iso6523-actorid-upis::0235:1001234501"]);
    // The Directory fetches another card again. A repeated listing has no effect.
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    scene.work().await;
    business_cards::put_card(ctx, &caller.taxpayer, card()).await.unwrap();
    assert_eq!(scene.get(Register::Directory).await.status, Status::Registering);
    scene.work().await;
    let lists = scene.registers.came().iter().filter(|came| *came == "list").count();
    assert_eq!((lists, scene.get(Register::Directory).await.status), (2, Status::Registered));

    scene.registers.tell_first(&[Tells::AndHangsUp, Tells::Status(500)]);
    business_cards::unlist(ctx, &caller.taxpayer).await.unwrap();
    for _ in 0..3 {
        scene.work().await;
        scene.pass(SignedDuration::from_mins(5)).await;
    }
    assert_eq!(scene.get(Register::Directory).await.status, Status::Withdrawn);
    assert!(scene.registers.listed().is_empty());
    business_cards::put_card(ctx, &caller.taxpayer, card()).await.unwrap();
    scene.work().await;
    assert!(scene.registers.listed().is_empty(), "it is not listed again by itself");
}

#[tokio::test]
async fn what_the_directory_refuses_for_good_is_parked() {
    let scene = Scene::new().await;
    let (ctx, caller) = (&scene.world.ctx, &scene.caller());
    scene.begin(None).await;
    scene.work().await;
    business_cards::put_card(ctx, &caller.taxpayer, card()).await.unwrap();
    business_cards::list(ctx, &caller.taxpayer).await.unwrap();
    scene.registers.tell_first(&[Tells::Status(403)]);
    scene.work().await;
    let record = scene.get(Register::Directory).await;
    assert!(record.cause.unwrap().contains("403") && record.parked.is_some());
}

#[tokio::test]
async fn our_smp_is_announced_with_its_own_participant() {
    let scene = Scene::new().await;
    scene.registers.forget_smps();
    let registries = scene.registers.registries();
    let physical = IpAddr::from([192, 0, 2, 1]);
    let own = Spid::new("000001").unwrap();
    for expected in [Announced::Created, Announced::Updated] {
        assert_eq!(announce(&registries, physical, &own).await.unwrap(), expected);
        assert_eq!(scene.registers.smps().values().collect::<Vec<_>>(), [SMP_URL]);
        assert_eq!(scene.network.smp_of(own.participant()).as_deref(), Some(SMP_URL));
    }
    scene.registers.tell_first(&[Tells::Fault("UnauthorizedFault", "who"); 2]);
    let failure = announce(&registries, physical, &own).await.unwrap_err();
    assert!(failure.source.unwrap().to_string().contains("unauthorized: who"));
}

#[tokio::test]
async fn registering_survives_every_mishap_at_every_effect() {
    let make = async || {
        let scene = Scene::new().await;
        scene.begin(None).await;
        scene.world.stream().await;
        scene
    };
    let attempt = async |scene: &Scene, faults: &Arc<Faults>| {
        scene.registers.guard(faults);
        let ctx = scene.world.failing(faults).sending.ctx;
        let registering = Registering { ctx, ..scene.registering() };
        for message in scene.world.cloud.messages() {
            if job::run(&Registration(registering.clone()), &message.read()).await.is_ok() {
                scene.world.cloud.acknowledge(&message);
            }
        }
    };
    let count = async |scene: &Scene| {
        scene.registers.unguard();
        for _ in 0..4 {
            scene.work().await;
            scene.pass(SignedDuration::from_mins(16)).await;
        }
        let registered = usize::from(scene.status().await == Status::Registered);
        let led = usize::from(scene.smp().as_deref() == Some(SMP_URL));
        let rest = 1 + scene.world.marks("due_pk").await.len();
        vec![("registrations", registered), ("names", led), ("things that wait, and one", rest)]
    };
    let tally = enumerate_at("register", make, attempt, count).await;
    assert_eq!((tally.lost, tally.doubled), (0, 0), "of {} points", tally.points);
}
