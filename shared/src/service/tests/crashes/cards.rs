//! Business cards and their listing in the Directory. A caller without an answer repeats the request.

use std::sync::Arc;

use crate::{
    access::Taxpayer,
    peppol::smp::BusinessEntity,
    service::{Context, business_cards},
    store::RegistrationStatus,
    testing::{Faults, Tally, World, enumerate_at},
};

type Scene = (World, Taxpayer);
type Counts = Vec<(&'static str, usize)>;

fn entities(country: &str) -> Vec<BusinessEntity> {
    vec![BusinessEntity { country: country.to_owned(), ..BusinessEntity::default() }]
}

fn failing((world, _): &Scene, faults: &Arc<Faults>) -> Context {
    world.failing(faults).sending.ctx
}

/// A taxpayer in the network without a card.
async fn unknown() -> Scene {
    let world = World::unconnected().await;
    let taxpayer = world.taxpayer("Falcon", "1001234501").await;
    (world, taxpayer)
}

/// A taxpayer with a card.
async fn shown() -> Scene {
    let (world, taxpayer) = unknown().await;
    business_cards::put_card(&world.ctx, &taxpayer, entities("AE")).await.unwrap();
    (world, taxpayer)
}

/// A taxpayer with a card whose listing is requested.
async fn listed() -> Scene {
    let (world, taxpayer) = shown().await;
    business_cards::list(&world.ctx, &taxpayer).await.unwrap();
    (world, taxpayer)
}

/// The counts of cards, which must be one.
async fn card((world, taxpayer): &Scene, country: &str) -> Counts {
    let card = business_cards::card(&world.ctx, taxpayer).await.unwrap();
    vec![
        ("cards", world.raw_items("CARD").await.len()),
        ("cards as they must be", usize::from(card.entities == entities(country))),
    ]
}

/// The counts of requested listings, which must be one.
async fn notified((world, taxpayer): &Scene, status: RegistrationStatus) -> Counts {
    let listing = business_cards::listing(&world.ctx, taxpayer).await.unwrap();
    vec![
        ("wishes", usize::from(listing.is_some_and(|it| it.status == status))),
        ("registers to tell", world.marks("due_pk").await.len()),
    ]
}

pub(super) async fn tallies() -> Vec<Tally> {
    let put = async |ctx: &Context, (_, taxpayer): &Scene| {
        business_cards::put_card(ctx, taxpayer, entities("OM")).await.map(drop)
    };
    let written = enumerate_at(
        "writing of a card",
        shown,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let _ = put(&failing(scene, faults), scene).await;
        },
        async |scene: &Scene| {
            put(&scene.0.ctx, scene).await.unwrap();
            card(scene, "OM").await
        },
    );
    let rewritten = enumerate_at(
        "writing of a card that is listed",
        listed,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let _ = put(&failing(scene, faults), scene).await;
        },
        async |scene: &Scene| {
            put(&scene.0.ctx, scene).await.unwrap();
            let mut counts = card(scene, "OM").await;
            counts.extend(notified(scene, RegistrationStatus::Registering).await);
            counts
        },
    );
    let first = enumerate_at(
        "writing of a card by a person",
        unknown,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let [entity] = entities("OM").try_into().unwrap();
            let ctx = failing(scene, faults);
            let _ = business_cards::put_first(&ctx, &scene.1, None, entity).await;
        },
        async |scene: &Scene| {
            // The page shows the current card, and its form is sent again.
            let (world, taxpayer) = scene;
            let found = world.ctx.store.get_business_card(taxpayer.mode, &taxpayer.taxpayer_id);
            let seen = found.await.unwrap().map(|card| card.updated_at);
            let [entity] = entities("OM").try_into().unwrap();
            let again = business_cards::put_first(&world.ctx, taxpayer, seen, entity).await;
            assert!(again.unwrap().is_some());
            card(scene, "OM").await
        },
    );
    let listing = enumerate_at(
        "wish to be listed",
        shown,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let _ = business_cards::list(&failing(scene, faults), &scene.1).await;
        },
        async |scene: &Scene| {
            business_cards::list(&scene.0.ctx, &scene.1).await.unwrap();
            notified(scene, RegistrationStatus::Registering).await
        },
    );
    let unlisting = enumerate_at(
        "wish to be listed no more",
        listed,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let _ = business_cards::unlist(&failing(scene, faults), &scene.1).await;
        },
        async |scene: &Scene| {
            business_cards::unlist(&scene.0.ctx, &scene.1).await.unwrap();
            notified(scene, RegistrationStatus::Withdrawing).await
        },
    );
    vec![
        Box::pin(written).await,
        Box::pin(rewritten).await,
        Box::pin(first).await,
        Box::pin(listing).await,
        Box::pin(unlisting).await,
    ]
}
