//! Webhook use cases at every crash point: nothing is lost or duplicated.

use std::sync::Arc;

use jiff::SignedDuration;

use super::{tools::Desk, wanted};
use crate::{
    access::{Action, By, Role},
    service::{
        Notifying, deliver,
        webhooks::{
            self, Patch,
            tools::{self, Again},
        },
    },
    store::{
        DeliverMessage, DeliveryRecord, DeliveryState, EndpointRecord, EndpointStatus,
        EventPointer, EventRecord, EventType, MailRecord, MailSubject,
    },
    testing::{Faults, Tally, enumerate_at},
    types::EventId,
    webhook::receiver::Behaviour,
};

impl Desk {
    /// The state of a process with faults.
    fn failing(&self, faults: &Arc<Faults>) -> Notifying {
        let ctx = self.world.failing(faults).sending.ctx;
        Notifying { ctx, ..self.world.notifying() }
    }

    async fn endpoints(&self) -> Vec<EndpointRecord> {
        self.world.items("ENDPOINT#").await
    }

    /// A test event whose delivery will fail or is queued.
    async fn sent(&self) -> EventId {
        self.test(EventType::DocumentSent, None).await
    }

    /// Runs everything that is due, and counts the accepted deliveries.
    async fn taken(&self) -> usize {
        for _ in 0..3 {
            self.deliver().await;
            self.world.pass(SignedDuration::from_mins(20)).await;
        }
        let deliveries: Vec<DeliveryRecord> = self.world.items("DELIVERY").await;
        let taken = deliveries.iter().filter(|it| it.state() == DeliveryState::Delivered);
        assert_eq!(self.world.marks("due_pk").await.len(), 0);
        taken.count()
    }
}

/// Counts 1 if the condition holds.
fn once(holds: bool) -> usize {
    usize::from(holds)
}

/// Every use case that changes an endpoint. A caller whose answer was lost checks and asks again.
pub(in crate::service::tests) async fn endpoints() -> Vec<Tally> {
    let by = By::operator;
    let create = enumerate_at(
        "create an endpoint",
        Desk::new,
        async |desk, faults| {
            let (app, mode, id) = (desk.failing(faults), desk.world.mode, &desk.organization_id);
            let _ = webhooks::create(&app, mode, id, wanted(), &by()).await;
        },
        async |desk| {
            let endpoints = desk.endpoints().await.len();
            let entries = desk.world.entries_of(Action::EndpointCreated).await;
            vec![("endpoints with an entry each", once(endpoints == entries && endpoints <= 2))]
        },
    );
    let patch = enumerate_at(
        "patch an endpoint",
        Desk::new,
        async |desk, faults| {
            let (app, mode, id) = (desk.failing(faults), desk.world.mode, &desk.organization_id);
            let off = Patch { enabled: Some(false), ..Patch::default() };
            let _ = webhooks::patch(&app, mode, id, &desk.endpoint_id, &off, &by()).await;
        },
        async |desk| {
            let off = Patch { enabled: Some(false), ..Patch::default() };
            let (app, mode, id) = (desk.world.notifying(), desk.world.mode, &desk.organization_id);
            webhooks::patch(&app, mode, id, &desk.endpoint_id, &off, &by()).await.unwrap();
            let [endpoint] = desk.endpoints().await.try_into().unwrap();
            vec![
                ("disabled endpoints", once(endpoint.status == EndpointStatus::Disabled)),
                ("changes", once(endpoint.version == 2)),
                ("entries of it", desk.world.entries_of(Action::EndpointUpdated).await),
            ]
        },
    );
    let rotate = enumerate_at(
        "rotate a secret",
        Desk::new,
        async |desk, faults| {
            let (app, mode, id) = (desk.failing(faults), desk.world.mode, &desk.organization_id);
            let _ = webhooks::rotate(&app, mode, id, &desk.endpoint_id, false, &by()).await;
        },
        async |desk| {
            let [endpoint] = desk.endpoints().await.try_into().unwrap();
            let rotations = usize::try_from(endpoint.version - 1).unwrap();
            let entries = desk.world.entries_of(Action::EndpointSecretRotated).await;
            let both = endpoint.previous_secret.is_some() == (rotations > 0);
            vec![
                ("rotations with an entry each", once(rotations == entries && rotations <= 1)),
                ("old secrets that sign", once(both)),
            ]
        },
    );
    let delete = enumerate_at(
        "delete an endpoint",
        Desk::new,
        async |desk, faults| {
            let (app, mode, id) = (desk.failing(faults), desk.world.mode, &desk.organization_id);
            let _ = webhooks::delete(&app.ctx, mode, id, &desk.endpoint_id, &by()).await;
        },
        async |desk| {
            let (ctx, mode, id) = (&desk.world.ctx, desk.world.mode, &desk.organization_id);
            let _ = webhooks::delete(ctx, mode, id, &desk.endpoint_id, &by()).await;
            vec![
                ("endpoints that are gone", once(desk.endpoints().await.is_empty())),
                ("entries of it", desk.world.entries_of(Action::EndpointDeleted).await),
            ]
        },
    );
    let disable = enumerate_at(
        "disable an endpoint that fails",
        async || {
            let desk = Desk::new().await;
            desk.joins("dev@example.com", Role::Developer).await;
            desk.receiver.behave(Behaviour::status("400 Bad Request", "", ""));
            desk.sent().await;
            desk.deliver().await;
            desk.world.clock.advance(SignedDuration::from_hours(5 * 24));
            desk.sent().await;
            desk.world.stream().await;
            desk
        },
        async |desk, faults| {
            let process = desk.world.process(faults);
            for message in desk.world.cloud.receive("deliver") {
                let _ = deliver::deliver(&process.delivering, &message.read()).await;
            }
        },
        async |desk| {
            for _ in 0..3 {
                desk.world.pass(SignedDuration::from_mins(20)).await;
                desk.deliver().await;
            }
            let [endpoint] = desk.endpoints().await.try_into().unwrap();
            let mails: Vec<MailRecord> = desk.world.items("MAIL").await;
            let about = mails
                .iter()
                .filter(|mail| matches!(mail.subject, MailSubject::EndpointDisabled { .. }));
            vec![
                ("disabled endpoints", once(endpoint.status == EndpointStatus::Disabled)),
                ("entries of it", desk.world.entries_of(Action::EndpointDisabled).await),
                ("mails about it", about.count()),
            ]
        },
    );
    vec![
        Box::pin(disable).await,
        Box::pin(create).await,
        Box::pin(patch).await,
        Box::pin(rotate).await,
        Box::pin(delete).await,
    ]
}

/// Every use case that sends events.
pub(in crate::service::tests) async fn sending() -> Vec<Tally> {
    let test = enumerate_at(
        "send a test event",
        Desk::new,
        async |desk, faults| {
            let (app, mode, id) = (desk.failing(faults), desk.world.mode, &desk.organization_id);
            let kind = EventType::DocumentReported;
            let (of, by) = (&desk.endpoint_id, By::operator());
            let _ = tools::test(&app.ctx, mode, id, of, kind, None, &by).await;
        },
        async |desk| {
            let taken = desk.taken().await;
            let events: Vec<EventRecord> = desk.world.items("EVENT").await;
            let found: Vec<EventPointer> = desk.world.items("evt_").await;
            let recorded = desk.world.entries_of(Action::EventTested).await;
            let same = events.len() == taken && found.len() == taken && taken <= 1;
            let same = same && recorded == taken;
            vec![("events that are found and taken, or none", once(same))]
        },
    );
    let together = async |refuses: bool| {
        let desk = Desk::new().await;
        if refuses {
            desk.receiver.behave(Behaviour::status("500 No", "", ""));
        }
        for _ in 0..3 {
            desk.sent().await;
        }
        desk.world.stream().await;
        desk
    };
    let deliver_all = async |desk: &Desk, faults: &Arc<Faults>| {
        let process = desk.world.process(faults);
        let messages = desk.world.cloud.receive("deliver");
        let messages: Vec<DeliverMessage> = messages.iter().map(|it| it.read()).collect();
        assert_eq!(messages.len(), 3);
        deliver::deliver_to_one(&process.delivering, &messages).await;
    };
    let all_taken = async |desk: &Desk| {
        desk.receiver.behave(Behaviour::status("200 OK", "", ""));
        // The holders of the endpoint's permits may be dead.
        desk.world.pass(SignedDuration::from_mins(2)).await;
        let taken = desk.taken().await;
        let requests = desk.receiver.received();
        let deliveries: Vec<DeliveryRecord> = desk.world.items("DELIVERY").await;
        let came = deliveries.iter().filter(|delivery| {
            let id = Some(delivery.event_id.as_str());
            requests.iter().any(|request| request.header("webhook-id") == id)
        });
        vec![("times that all three are taken", once(taken == 3 && came.count() == 3))]
    };
    let several = enumerate_at(
        "deliver several together",
        async || together(false).await,
        deliver_all,
        all_taken,
    );
    let refused = enumerate_at(
        "deliver several together to one that refuses",
        async || together(true).await,
        deliver_all,
        all_taken,
    );
    let failed = async || {
        let desk = Desk::new().await;
        let event_id = desk.sent().await;
        desk.exhaust(&event_id).await;
        desk.receiver.behave(Behaviour::status("200 OK", "", ""));
        (desk, event_id)
    };
    let retry = enumerate_at(
        "retry a delivery",
        failed,
        async |(desk, event_id), faults| {
            let (app, mode, id) = (desk.failing(faults), desk.world.mode, &desk.organization_id);
            let (of, by) = (&desk.endpoint_id, By::operator());
            let _ = tools::retry(&app.ctx, mode, id, event_id, of, false, &by).await;
        },
        async |(desk, event_id)| {
            let (ctx, mode, id) = (&desk.world.ctx, desk.world.mode, &desk.organization_id);
            // The second request finds the delivery queued, or begins it.
            let (of, by) = (&desk.endpoint_id, By::operator());
            let again = tools::retry(ctx, mode, id, event_id, of, false, &by).await;
            let taken = desk.taken().await;
            let delivery = desk.delivery(event_id).await;
            vec![
                ("deliveries that are taken", taken),
                ("attempts more", usize::try_from(delivery.attempts).unwrap() - 10),
                ("answers", once(again.is_ok())),
            ]
        },
    );
    let since = jiff::Timestamp::UNIX_EPOCH;
    let again = Again { since, include_delivered: false };
    let retry_failed = enumerate_at(
        "retry what failed",
        failed,
        async |(desk, _), faults| {
            let (app, mode, id) = (desk.failing(faults), desk.world.mode, &desk.organization_id);
            let (of, by) = (&desk.endpoint_id, By::operator());
            let _ = tools::retry_failed(&app, mode, id, of, &again, None, &by).await;
        },
        async |(desk, event_id)| {
            let (app, mode, id) = (desk.world.notifying(), desk.world.mode, &desk.organization_id);
            let (of, by) = (&desk.endpoint_id, By::operator());
            tools::retry_failed(&app, mode, id, of, &again, None, &by).await.unwrap();
            let taken = desk.taken().await;
            let delivery = desk.delivery(event_id).await;
            vec![
                ("deliveries that are taken", taken),
                ("attempts more", usize::try_from(delivery.attempts).unwrap() - 10),
            ]
        },
    );
    vec![
        Box::pin(several).await,
        Box::pin(refused).await,
        Box::pin(test).await,
        Box::pin(retry).await,
        Box::pin(retry_failed).await,
    ]
}

#[tokio::test]
async fn no_mishap_leaves_an_endpoint_half_changed() {
    for tally in Box::pin(endpoints()).await {
        assert_eq!((tally.lost, tally.doubled), (0, 0));
    }
}

#[tokio::test]
async fn no_mishap_loses_or_doubles_what_is_to_be_sent_again() {
    for tally in Box::pin(sending()).await {
        assert_eq!((tally.lost, tally.doubled), (0, 0));
    }
}
