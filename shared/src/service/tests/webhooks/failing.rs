//! Endpoints that accept nothing for days.

use jiff::SignedDuration;

use super::tools::Desk;
use crate::{
    access::{AuditRecord, By, Permission, Role},
    service::{
        members,
        webhooks::{self, Patch},
    },
    store::{DisabledReason, EndpointStatus, EventType, MailRecord, MailSubject, Watched},
    webhook::receiver::Behaviour,
};

const DAY: SignedDuration = SignedDuration::from_hours(24);

impl Desk {
    async fn watched(&self) -> Watched {
        let (ctx, mode) = (&self.world.ctx, self.world.mode);
        webhooks::get(ctx, mode, &self.organization_id, &self.endpoint_id).await.unwrap()
    }

    /// Sends an event and makes one attempt.
    async fn attempt(&self) {
        self.test(EventType::DocumentSent, None).await;
        self.deliver().await;
    }

    /// Advances the clock by days, and makes every attempt.
    async fn days(&self, days: i64) {
        for _ in 0..days * 6 {
            self.world.pass(DAY / 6).await;
            self.deliver().await;
        }
    }

    async fn notices(&self) -> (usize, usize) {
        let entries: Vec<AuditRecord> = self.world.items("aud_").await;
        let entries = entries.iter().filter(|it| it.action.as_str() == "endpoint.disabled");
        let mails: Vec<MailRecord> = self.world.items("MAIL").await;
        let about =
            |mail: &&MailRecord| matches!(mail.subject, MailSubject::EndpointDisabled { .. });
        (entries.count(), mails.iter().filter(about).count())
    }
}

#[tokio::test]
async fn an_endpoint_that_takes_nothing_for_five_days_is_disabled_once_and_reported() {
    let desk = Desk::new().await;
    let organization_id = &desk.organization_id;
    desk.joins("dev@example.com", Role::Developer).await;
    desk.joins("bill@example.com", Role::Billing).await;
    let (ctx, mode) = (&desk.world.ctx, desk.world.mode);
    let able = members::to_tell(ctx, mode, organization_id, Permission::Develop).await.unwrap();
    desk.receiver.behave(Behaviour::status("503 Busy", "", ""));
    desk.attempt().await;
    let since = desk.world.now();
    assert_eq!(desk.watched().await.failing_since, Some(since));
    for _ in 0..4 {
        desk.days(1).await;
        desk.attempt().await;
    }
    assert_eq!(desk.watched().await.endpoint.status, EndpointStatus::Enabled);
    desk.days(2).await;
    let Watched { endpoint, .. } = desk.watched().await;
    assert_eq!(endpoint.disabled.unwrap().reason, DisabledReason::Failing);
    assert_eq!(desk.notices().await, (1, able.len()), "those who can fix it");
    assert!(!able.is_empty() && able.len() < 3);

    // After it is enabled again it has no failures.
    let (notifying, by) = (desk.world.notifying(), By::operator());
    let on = Patch { enabled: Some(true), ..Patch::default() };
    let id = &desk.endpoint_id;
    let on = webhooks::patch(&notifying, mode, organization_id, id, &on, &by).await.unwrap();
    assert_eq!((on.failing_since, on.endpoint.disabled), (None, None));
    desk.attempt().await;
    assert_eq!(desk.watched().await.endpoint.status, EndpointStatus::Enabled);
    assert_eq!(desk.notices().await.0, 1);
}

#[tokio::test]
async fn an_endpoint_with_another_url_starts_without_failures() {
    let desk = Desk::new().await;
    let (notifying, by, mode) = (desk.world.notifying(), By::operator(), desk.world.mode);
    let known = async || {
        let (of, id) = (&desk.organization_id, &desk.endpoint_id);
        let read = desk.world.ctx.store.get_endpoint_and_breaker(mode, of, id).await;
        format!("{:?}", read.unwrap().1)
    };
    let unknown = known().await;
    desk.attempt().await;
    assert_ne!(known().await, unknown, "it is quick");
    let moved = Patch { url: Some(format!("{}/moved", desk.receiver.url)), ..Patch::default() };
    let (of, id) = (&desk.organization_id, &desk.endpoint_id);
    webhooks::patch(&notifying, mode, of, id, &moved, &by).await.unwrap();
    assert_eq!(known().await, unknown);
    desk.receiver.behave(Behaviour::status("503 Busy", "", ""));
    desk.attempt().await;
    assert!(desk.watched().await.failing_since.is_some());
    let back = Patch { url: Some(desk.receiver.url.clone()), ..Patch::default() };
    let back = webhooks::patch(&notifying, mode, of, id, &back, &by).await.unwrap();
    assert_eq!((back.failing_since, known().await), (None, unknown));
}

#[tokio::test]
async fn one_event_that_is_taken_clears_what_failed_before() {
    let desk = Desk::new().await;
    desk.receiver.behave(Behaviour::status("400 Bad Request", "", ""));
    desk.attempt().await;
    desk.days(4).await;
    desk.attempt().await;
    assert!(desk.watched().await.failing_since.is_some());
    desk.receiver.behave(Behaviour::status("200 OK", "", ""));
    desk.attempt().await;
    assert_eq!(desk.watched().await.failing_since, None);
    desk.receiver.behave(Behaviour::status("400 Bad Request", "", ""));
    desk.world.clock.advance(DAY * 2);
    desk.attempt().await;
    let Watched { endpoint, failing_since } = desk.watched().await;
    assert_eq!((endpoint.status, failing_since), (EndpointStatus::Enabled, Some(desk.world.now())));
}

#[tokio::test]
async fn an_endpoint_that_is_gone_is_disabled_at_once_and_reported() {
    let desk = Desk::new().await;
    desk.receiver.behave(Behaviour::status("410 Gone", "", ""));
    desk.attempt().await;
    assert_eq!(desk.watched().await.endpoint.disabled.unwrap().reason, DisabledReason::Gone);
    assert_eq!(desk.notices().await, (1, 0), "it has no members");
}
