//! The receipt and the validation of a status, with mishaps at every effect.

use std::sync::Arc;

use super::*;
use crate::{
    service::{ValidatingInbound, job},
    testing::{Faults, Packed, enumerate_at},
};

/// A status about the invoice that every such scene has. A job validates it.
async fn arrived() -> Scene {
    let scene = Scene::sent().await;
    let parcel = scene.status(1, rejected(&[("/Invoice/cbc:ID", Reason::Rule)])).await.long();
    assert_eq!(parcel.pack().arrive(&scene.world.receiving()).await, Arrival::Receipt);
    scene.world.stream().await;
    scene
}

/// Runs everything that a healthy deployment does by itself, then counts the results.
async fn after_all(scene: &Scene) -> Vec<(&'static str, usize)> {
    for _ in 0..20 {
        scene.validate_inbound().await;
        let Some((due, job_id)) = scene.world.next_due().await else { break };
        scene.world.clock.advance(due.duration_since(scene.world.now()).max(SignedDuration::ZERO));
        sweep::take_up(&scene.world.relaying, &job_id).await;
    }
    let document = scene.document().await;
    let said = document.message_level_status.map_or(0, |said| said.findings.len());
    let applied = scene.effects().await;
    vec![
        ("documents rejected", usize::from(document.status == Status::Rejected)),
        ("findings", said),
        ("statuses", applied.len()),
        ("statuses applied", applied.iter().filter(|it| **it == StatusEffect::Applied).count()),
        ("events of it", scene.published().await.len()),
        ("in the list", scene.listed(Status::Rejected).await),
        ("at rest", usize::from(scene.world.next_due().await.is_none())),
        ("parked or not", 1 + scene.world.parked().await),
    ]
}

#[tokio::test]
async fn a_status_is_applied_once_whatever_befalls_its_receipt() {
    let sent = async || {
        let scene = Scene::sent().await;
        let parcel = scene.status(1, rejected(&[("/Invoice/cbc:ID", Reason::Rule)])).await;
        (scene, parcel.pack())
    };
    let receive = async |(scene, packed): &(Scene, Packed), faults: &Arc<Faults>| {
        packed.arrive(&World::receiving_by(&scene.world.failing(faults).sending)).await;
    };
    let after = async |(scene, packed): &(Scene, Packed)| {
        // Without a receipt, the sender repeats the same message.
        assert_eq!(packed.arrive(&scene.world.receiving()).await, Arrival::Receipt);
        after_all(scene).await
    };
    let tally = enumerate_at("receipt of a status", sent, receive, after).await;
    assert_eq!((tally.lost, tally.doubled), (0, 0));
}

#[tokio::test]
async fn a_status_is_applied_once_whatever_befalls_its_validation() {
    let validate = async |scene: &Scene, faults: &Arc<Faults>| {
        let failing = scene.world.failing(faults).sending;
        let validating = ValidatingInbound {
            ctx: failing.ctx,
            bucket: failing.bucket,
            ..scene.world.validating()
        };
        let messages = scene.world.cloud.messages();
        let message = messages.iter().find(|message| message.queue == "judge").unwrap();
        if job::run(&validating, &message.read()).await.is_ok() {
            scene.world.cloud.acknowledge(message);
        }
    };
    let tally = enumerate_at("validation of a status", arrived, validate, after_all).await;
    assert_eq!((tally.lost, tally.doubled), (0, 0));
}
