//! Imports and quotas, grants and organizations.

use super::*;

#[tokio::test]
async fn nothing_is_sent_once_the_grant_was_revoked() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let record = take(&world, &caller, invoices(&["A-1", "A-2", "A-3", "A-4"])).await;
    world.stream().await;
    let importing = Importing { slice: Duration::ZERO, ..world.importing() };
    let message = world.cloud.receive("imports")[0].read();
    Box::pin(job::run(&importing, &message)).await.unwrap();
    let grant_id = caller.grant_ids.first().unwrap();
    let (organization_id, by) = (&caller.organization_id, By::operator());
    grants::revoke(&world.ctx, world.mode, organization_id, grant_id, &by).await.unwrap();
    // A grant that was not used for the import's request does not let it continue.
    world.grant(organization_id, &caller.taxpayer, &crate::access::Scope::ALL).await;
    Box::pin(world.settle()).await;
    let record = get(&world, &caller, &record).await;
    assert_eq!((record.status, record.counts), (ImportStatus::Completed, counts(3, 0, 1)));
    let outcomes = outcomes(&world, &record).await;
    assert_eq!(outcomes[3].code, Some(Code::GrantRequired));
    assert_eq!(outcomes[3].number.as_deref(), Some("A-4"));
    assert_eq!(sent(&world).await, ["A-1", "A-2", "A-3"]);
}

#[tokio::test]
async fn an_import_is_in_the_audit_trail_of_the_organization() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let by = By { actor: Actor::Operator, origin: Origin::new(None, Some("curl"), None) };
    let new = NewImport { operation: Invoice, name: None, file: invoices(&["A-1"]) };
    let requested = Requested { by, ..requested(new) };
    let taken = imports::take(&world.sending, &caller, requested, render_import).await.unwrap();
    let record =
        imports::get(&world.ctx, (&caller).into(), taken.import_id.as_str()).await.unwrap();
    let entries: Vec<AuditRecord> = world.items("aud_").await;
    let entry = entries.iter().find(|entry| entry.action == Action::ImportCreated).unwrap();
    assert_eq!(entry.subject, record.import_id.as_str());
    assert_eq!((&entry.actor, entry.at), (&Actor::Operator, record.created_at));
}

#[tokio::test]
async fn an_import_costs_the_quota_what_its_sends_do() {
    let mut world = World::new().await;
    world.sending.settings.sandbox_daily_sends = 2;
    let caller = world.caller("Falcon", "1001234501").await;
    let file = invoices(&["A-1", "A-2", "A-3"]);
    let record = Box::pin(imported(&world, &caller, file.clone())).await;
    assert_eq!(record.counts, counts(2, 0, 1));
    assert_eq!(outcomes(&world, &record).await[2].code, Some(Code::QuotaExceeded));
    // The next day the same file sends the rest.
    world.clock.advance(SignedDuration::from_hours(24));
    let record = Box::pin(imported(&world, &caller, file)).await;
    assert_eq!(record.counts, counts(1, 2, 0));
}

#[tokio::test]
async fn an_import_is_seen_by_the_organization_that_asked_for_it_alone() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let other = world.organization("Other").await;
    world.grant(&other, &caller.taxpayer, &crate::access::Scope::ALL).await;
    let stranger = Caller { organization_id: other, ..caller.clone() };
    let mut made = Vec::new();
    for number in ["A-1", "A-2", "A-3"] {
        made.push(take(&world, &caller, invoices(&[number])).await.import_id);
        world.clock.advance(SignedDuration::from_secs(1));
    }
    let page = imports::list(&world.ctx, (&caller).into(), world.asked(None, 2)).await.unwrap();
    let ids: Vec<_> = page.items.iter().map(|record| record.import_id.clone()).collect();
    assert_eq!(ids, [made[2].clone(), made[1].clone()]);
    let next = page.next_cursor.as_deref();
    let page = imports::list(&world.ctx, (&caller).into(), world.asked(next, 2)).await.unwrap();
    assert_eq!(page.items[0].import_id, made[0]);
    assert_eq!((page.items.len(), page.next_cursor), (1, None));
    let id = made[0].as_str();
    assert!(imports::get(&world.ctx, (&caller).into(), id).await.is_ok());
    let list = imports::list(&world.ctx, (&stranger).into(), world.asked(None, 2)).await.unwrap();
    assert!(list.items.is_empty());
    for (who, id) in [(&stranger, id), (&caller, "imp_0"), (&caller, "nothing")] {
        let refused = imports::get(&world.ctx, who.into(), id).await.unwrap_err();
        assert_eq!(refused.code, Code::NotFound);
    }
}
