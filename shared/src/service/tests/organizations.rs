//! Organizations and their keys: created with an audit entry, listed without a scan, and revoked at once.

use crate::{
    access::{AuditRecord, By, Credentials, KeyStatus, PresentedKey},
    error::Code,
    service::{authorize_organization, organizations},
    testing::{World, counting},
    types::Mode,
};

async fn works(world: &World, key: &PresentedKey) -> bool {
    let authorization = format!("Api-Key {}", key.reveal());
    let credentials = Credentials { authorization: Some(&authorization), ..Credentials::default() };
    authorize_organization(&world.ctx, &counting(), credentials).await.is_ok()
}

#[tokio::test]
async fn a_key_works_from_its_making_to_its_revocation_and_is_found_by_its_organization_alone() {
    let world = World::new().await;
    let (ctx, mode, by) = (&world.ctx, Mode::Sandbox, By::operator());
    let own = organizations::create(ctx, mode, " Integrator ", &by).await.unwrap();
    assert_eq!(own.name, "Integrator");
    let other = world.organization("Other").await;
    let id = &own.organization_id;
    let (key, record) = organizations::create_key(ctx, mode, id, "ERP", &by).await.unwrap();
    let (second, _) = organizations::create_key(ctx, mode, id, "Tests", &by).await.unwrap();
    assert!(works(&world, &key).await && works(&world, &second).await);
    let labels = async |id| {
        let keys = organizations::list_keys(ctx, mode, id).await.unwrap();
        keys.into_iter().map(|key| (key.label, key.status)).collect::<Vec<_>>()
    };
    let mut found = labels(id).await;
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let active = KeyStatus::Active;
    assert_eq!(found, [("ERP".to_owned(), active), ("Tests".to_owned(), active)]);
    assert_eq!(labels(&other).await, []);
    let foreign = organizations::revoke_key(ctx, mode, &other, &record.key_id, &by).await;
    assert_eq!(foreign.unwrap_err().code, Code::NotFound);
    for _ in 0..2 {
        let revoked = organizations::revoke_key(ctx, mode, id, &record.key_id, &by).await.unwrap();
        assert_eq!(revoked.status, KeyStatus::Revoked);
        assert!(!works(&world, &key).await && works(&world, &second).await);
    }
    let mut entries: Vec<AuditRecord> = world.items("aud_").await;
    entries.retain(|entry| entry.trail.to_string() == id.as_str());
    let mut actions: Vec<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
    actions.sort_unstable();
    assert_eq!(actions, ["key.created", "key.created", "key.revoked", "organization.created"]);
    let text = format!("{:?}", world.raw_items("").await);
    assert!(!text.contains(key.reveal()), "the key itself is nowhere");
}

#[tokio::test]
async fn names_that_cannot_be_shown_and_organizations_that_do_not_exist_are_refused() {
    let world = World::new().await;
    let (ctx, mode, by) = (&world.ctx, Mode::Sandbox, By::operator());
    let long = "x".repeat(organizations::MAX_NAME + 1);
    for name in ["", "  ", "a\nb", "\u{7f}", &long] {
        let refused = organizations::create(ctx, mode, name, &by).await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidRequest, "{name:?}");
    }
    let nobody = "org_0".parse().unwrap();
    let refused = organizations::create_key(ctx, mode, &nobody, "ERP", &by).await.unwrap_err();
    assert_eq!(refused.code, Code::NotFound);
    assert!(world.raw_items("").await.is_empty());
}
