//! What a send needs besides a valid document: a mode and a subscription that allow it, a queue, and a document that may
//! be corrected.

use super::Attempt;
use crate::{
    access::Caller,
    error::{Code, Failure},
    service::{Context, Sending, corrections},
    store::{BillingStatus, DocumentRecord, Freshness},
    types::{Mode, OrganizationId},
};

/// Live sends need a subscription, and a deployment that is connected to the network.
pub(in crate::service) async fn check_mode(
    sending: &Sending,
    caller: &Caller,
) -> Result<(), Failure> {
    let Sending { ctx, settings, .. } = sending;
    check_subscription(ctx, settings.freshness, caller.mode, &caller.organization_id).await?;
    if caller.mode == Mode::Live && sending.live.is_none() {
        return Err(Failure::new(
            Code::ServiceUnavailable,
            "This deployment is not connected to the Peppol network; Sandbox works.",
        ));
    }
    Ok(())
}

/// Live sends need a subscription.
pub(in crate::service) async fn check_subscription(
    ctx: &Context,
    freshness: Freshness,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<(), Failure> {
    if mode == Mode::Sandbox {
        return Ok(());
    }
    let store = &ctx.store;
    let mut subscription = store.get_subscription_lately(organization_id).await?;
    // Who has just subscribed can send: a read that is a little old is not enough to refuse.
    if freshness.status(subscription.as_ref(), ctx.now()) != BillingStatus::Active {
        subscription = store.get_subscription(organization_id).await?;
    }
    match freshness.status(subscription.as_ref(), ctx.now()) {
        BillingStatus::Active => Ok(()),
        // Specification 4.1, rule 1.
        BillingStatus::Unsubscribed => Err(Failure::new(
            Code::SubscriptionRequired,
            "Live sends need an active subscription of the organization.",
        )),
        // Rule 2.
        BillingStatus::Stale => Err(Failure::new(
            Code::BillingStatusUnavailable,
            "The service does not know at the moment whether the organization's subscription is active: retry, with \
             the same Idempotency-Key if there was one.",
        )),
    }
}

/// Queued delivery needs a key and a deployment that has it. `what` asked for it.
pub(super) fn check_queue(attempt: Attempt<'_>, what: &str) -> Result<(), Failure> {
    if attempt.reservation.is_none() {
        return Err(Failure::new(
            Code::IdempotencyKeyRequired,
            format!("{what} needs the header Idempotency-Key, since it uses queued delivery."),
        ));
    }
    if !attempt.sending.settings.queued_delivery {
        return Err(Failure::new(
            Code::QueuedDeliveryDisabled,
            format!("{what} needs queued delivery, which is not enabled on this deployment."),
        ));
    }
    Ok(())
}

/// Whether a document may be corrected now. What was reported of it is withdrawn, and of a former correction
/// that was never sent.
pub(super) async fn may_correct(
    attempt: Attempt<'_>,
    corrected: &DocumentRecord,
) -> Result<(), Failure> {
    let Attempt { sending, caller, facts, .. } = attempt;
    let ctx = &sending.ctx;
    if let Some(former) =
        corrections::permit(ctx, caller.mode, corrected, &facts.document_id).await?
    {
        corrections::recover(ctx, &former).await?;
    }
    corrections::recover(ctx, corrected).await
}
