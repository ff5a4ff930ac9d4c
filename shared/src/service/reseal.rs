//! Reseals secrets with the current sealing key, so that an earlier key can be removed: the signing secrets of
//! endpoints, and the migration keys of registrations. Migration keys from versions that did not seal them are sealed
//! too.
//!
//! Each write is conditional on the text that was read. Secrets under the current key are skipped, so the work can stop
//! anywhere and start again.

use super::{Context, register};
use crate::{
    error::Failure,
    store::{EndpointRecord, PreviousSecret},
    webhook::{SealError, SealingKeys},
};

/// The result of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Secrets that were resealed, or would be in a dry run.
    pub resealed: usize,
    /// Secrets that were under the current key already.
    pub current: usize,
    /// Secrets that changed meanwhile. The next run checks them.
    pub changed: usize,
    /// The endpoints and taxpayers whose secret opens with none of the keys, with the reason.
    pub failed: Vec<String>,
}

/// Reseals one part of the table and adds to `total`. Returns where the next part begins. With `dry_run` nothing is
/// written.
pub async fn reseal(
    ctx: &Context,
    keys: &SealingKeys,
    from: Option<&str>,
    dry_run: bool,
    total: &mut Resealed,
) -> Result<Option<String>, Failure> {
    let page = ctx.store.scan_sealed(from).await?;
    for endpoint in &page.endpoints {
        match sealed_again(ctx, keys, endpoint) {
            Ok(None) => total.current += 1,
            Ok(Some(_)) if dry_run => total.resealed += 1,
            Ok(Some(sealed)) => match ctx.store.reseal_endpoint(endpoint, &sealed).await? {
                true => total.resealed += 1,
                false => total.changed += 1,
            },
            Err(error) => total.failed.push(format!("{}: {error}", endpoint.endpoint_id)),
        }
    }
    for record in &page.registrations {
        match register::sealed_again(ctx, keys, record) {
            Ok(None) => total.current += 1,
            Ok(Some(_)) if dry_run => total.resealed += 1,
            Ok(Some(sealed)) => match ctx.store.reseal_registration(record, sealed).await? {
                true => total.resealed += 1,
                false => total.changed += 1,
            },
            Err(error) => total.failed.push(format!("{}: {error}", record.taxpayer_id)),
        }
    }
    Ok(page.next)
}

/// The endpoint with its secrets under the current key. `None` when they are already.
fn sealed_again(
    ctx: &Context,
    keys: &SealingKeys,
    endpoint: &EndpointRecord,
) -> Result<Option<EndpointRecord>, SealError> {
    let again = |sealed: &str| {
        let EndpointRecord { mode, endpoint_id, .. } = endpoint;
        match keys.is_current(sealed) {
            true => Ok(sealed.to_owned()),
            false => keys
                .open(sealed, *mode, endpoint_id)
                .and_then(|secret| keys.seal(&secret, *mode, endpoint_id, &*ctx.random)),
        }
    };
    let previous = endpoint.previous_secret.as_ref().map(|previous| {
        let sealed_secret = again(&previous.sealed_secret)?;
        Ok(PreviousSecret { sealed_secret, until: previous.until })
    });
    let sealed = EndpointRecord {
        sealed_secret: again(&endpoint.sealed_secret)?,
        previous_secret: previous.transpose()?,
        ..endpoint.clone()
    };
    Ok((sealed != *endpoint).then_some(sealed))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        service::demo::Demo,
        store::{EndpointRecord, Register, RegistrationRecord},
        testing::{Fault, Faults, World, enumerate_at, sealing_key},
        types::Mode,
    };
    use aws_sdk_dynamodb::types::AttributeValue;

    const OLD: &str = "0123456789abcdef0123456789abcdef";

    fn rotated() -> SealingKeys {
        let new = "fedcba9876543210fedcba9876543210";
        SealingKeys::derive(&format!(r#"{{"current": "k1", "k1": "{new}", "k0": "{OLD}"}}"#))
            .unwrap()
    }

    async fn sealed(world: &World) -> EndpointRecord {
        let mut found: Vec<EndpointRecord> = world.items("ENDPOINT#").await;
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    #[tokio::test]
    async fn secrets_are_sealed_under_the_current_key_and_open_to_the_same() {
        let (world, demo) = World::with_demo("http://127.0.0.1:9/hook").await;
        let (keys, before) = (rotated(), sealed(&world).await);
        let mut total = Resealed::default();
        assert_eq!(reseal(&world.ctx, &keys, None, true, &mut total).await.unwrap(), None);
        assert_eq!(total, Resealed { resealed: 1, ..Resealed::default() });
        assert_eq!(sealed(&world).await, before, "a dry run writes nothing");

        let mut total = Resealed::default();
        reseal(&world.ctx, &keys, None, false, &mut total).await.unwrap();
        assert_eq!(total, Resealed { resealed: 1, ..Resealed::default() });
        let after = sealed(&world).await;
        assert!(keys.is_current(&after.sealed_secret));
        let opened = keys.open(&after.sealed_secret, after.mode, &after.endpoint_id).unwrap();
        assert_eq!(opened.expose(), demo.webhook_endpoint.secret);
        let sealed_secret = before.sealed_secret.clone();
        let unsealed = EndpointRecord { sealed_secret, ..after.clone() };
        assert_eq!(unsealed, before, "nothing else changed");

        let mut total = Resealed::default();
        reseal(&world.ctx, &keys, None, false, &mut total).await.unwrap();
        assert_eq!(total, Resealed { current: 1, ..Resealed::default() });
        // A writer with the old text comes too late.
        assert!(!world.ctx.store.reseal_endpoint(&before, &after).await.unwrap());
    }

    #[tokio::test]
    async fn migration_keys_are_sealed_again_and_those_that_were_open_for_the_first_time() {
        let world = World::new().await;
        let taxpayer = world.onboarded("Falcon", "1001234501").await;
        let (ctx, id) = (&world.ctx, &taxpayer.taxpayer_id);
        let (key, old, keys) = ("11AAbb$$", sealing_key(), rotated());
        register::begin_registration(ctx, Mode::Sandbox, id, Some((&old, key.parse().unwrap())))
            .await
            .unwrap();
        let read = async || {
            let found = ctx.store.get_registration(Mode::Sandbox, id, Register::Network).await;
            found.unwrap().unwrap()
        };
        for open in [false, true] {
            if open {
                let pk = format!("SANDBOX#TAXPAYER#{id}#REGISTRATION#network");
                let value = AttributeValue::S(key.to_owned());
                world.set(&pk, "REGISTRATION", "migration_key", value).await;
            }
            let before = read().await;
            let mut total = Resealed::default();
            reseal(ctx, &keys, None, false, &mut total).await.unwrap();
            assert_eq!(total, Resealed { resealed: 1, ..Resealed::default() });
            let after = read().await;
            assert_eq!(register::migration_key(&keys, &after).unwrap().unwrap().reveal(), key);
            let migration_key = before.migration_key.clone();
            assert_eq!(RegistrationRecord { migration_key, ..after }, before, "nothing else");
            let mut total = Resealed::default();
            reseal(ctx, &keys, None, false, &mut total).await.unwrap();
            assert_eq!(total, Resealed { current: 1, ..Resealed::default() });
        }
    }

    #[tokio::test]
    async fn a_secret_that_does_not_open_is_named_and_left_as_it_is() {
        let (world, demo) = World::with_demo("http://127.0.0.1:9/hook").await;
        let stranger = "another key of at least 32 characters";
        let keys =
            SealingKeys::derive(&format!(r#"{{"current": "k1", "k1": "{stranger}"}}"#)).unwrap();
        let before = sealed(&world).await;
        let mut total = Resealed::default();
        reseal(&world.ctx, &keys, None, false, &mut total).await.unwrap();
        assert_eq!(total.failed.len(), 1);
        assert!(total.failed[0].contains(demo.webhook_endpoint.endpoint_id.as_str()));
        assert!(total.failed[0].contains("k0"), "{:?}", total.failed);
        assert_eq!(sealed(&world).await, before);
    }

    #[tokio::test]
    async fn a_run_that_broke_off_is_begun_again() {
        for fault in [Fault::Before, Fault::After, Fault::Throttled] {
            for call in 0..2 {
                let (world, _) = World::with_demo("http://127.0.0.1:9/hook").await;
                let keys = rotated();
                let dying = world.failing(&Faults::new(fault, call, usize::MAX)).sending.ctx;
                let broken = reseal(&dying, &keys, None, false, &mut Resealed::default()).await;
                assert!(broken.is_err(), "{fault:?} at {call}");
                let mut total = Resealed::default();
                reseal(&world.ctx, &keys, None, false, &mut total).await.unwrap();
                assert_eq!(total.resealed + total.current, 1, "{fault:?} at {call}");
                assert!(keys.is_current(&sealed(&world).await.sealed_secret));
            }
        }
    }

    #[tokio::test]
    async fn resealing_survives_every_mishap_at_every_effect() {
        let all = async |ctx: &Context| {
            reseal(ctx, &rotated(), None, false, &mut Resealed::default()).await
        };
        let tally = enumerate_at(
            "resealing",
            async || World::with_demo("http://127.0.0.1:9/hook").await,
            async |(world, _): &(World, Demo), faults: &Arc<Faults>| {
                let _ = all(&world.failing(faults).sending.ctx).await;
            },
            async |(world, demo): &(World, Demo)| {
                all(&world.ctx).await.unwrap();
                let EndpointRecord { sealed_secret, mode, endpoint_id, .. } = sealed(world).await;
                let opened = rotated().open(&sealed_secret, mode, &endpoint_id).unwrap();
                let is_same = opened.expose() == demo.webhook_endpoint.secret;
                vec![
                    (
                        "secrets under the new key",
                        usize::from(rotated().is_current(&sealed_secret)),
                    ),
                    ("secrets as they were", usize::from(is_same)),
                ]
            },
        );
        let tally = Box::pin(tally).await;
        assert_eq!((tally.lost, tally.doubled), (0, 0), "of {} points", tally.points);
    }
}
