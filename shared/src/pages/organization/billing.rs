//! What the organization has paid for, and what it uses.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::{Timestamp, tz::TimeZone};

use super::{
    super::{App, Frame, PageError, PageRequest},
    frame,
};
use crate::{
    access::Permission,
    service::{overview, quotas, subscriptions},
    store::{BillingStatus, DailyCounts, Reached},
    types::Mode,
};

#[derive(Template)]
#[template(path = "organization/billing.html")]
struct BillingPage<'a> {
    frame: Frame<'a>,
    billing: ShownBilling,
    usage: Usage,
}

/// How many documents there were of late.
struct Usage {
    /// On each day on which there were any, the latest first.
    days: Vec<DailyCounts>,
}

impl Usage {
    /// How many were sent and received in all.
    fn sums(&self) -> [u32; 2] {
        let sum = |reached| self.days.iter().map(|day| day.of(reached)).sum();
        [sum(Reached::Sent), sum(Reached::Received)]
    }
}

/// How many documents of a day were sent and received.
fn counts(day: &DailyCounts) -> [u32; 2] {
    [day.of(Reached::Sent), day.of(Reached::Received)]
}

/// What there is to say of either mode.
enum ShownBilling {
    /// Live: a subscription.
    Live {
        /// The name of the message that says whether it is active.
        status: &'static str,
        /// For how many taxpayers; none for any number.
        seats: Option<u32>,
        in_use: u32,
        /// When the provider last said so.
        confirmed: Option<Timestamp>,
    },
    /// Sandbox: what may be sent on a day.
    Sandbox {
        /// Its own number; none where it is as many as everybody's.
        most: Option<u32>,
        sent: u32,
    },
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Bill).await?;
    let id = &member.member.organization_id;
    let billing = match request.mode {
        Mode::Live => {
            let found = subscriptions::show(&app.ctx, id).await?;
            let subscription = found.subscription.as_ref();
            ShownBilling::Live {
                status: match app.freshness.judge(subscription, app.ctx.now()) {
                    BillingStatus::Active => "billing-active",
                    BillingStatus::Unsubscribed => "billing-none",
                    BillingStatus::Stale => "billing-stale",
                },
                seats: subscription.and_then(|it| it.seats),
                in_use: found.in_use,
                confirmed: subscription.and_then(|it| it.confirmed_at),
            }
        }
        Mode::Sandbox => {
            let quota = quotas::show(&app.ctx, id).await?;
            let today = app.ctx.now().to_zoned(TimeZone::UTC).date().to_string();
            let is_today = quota.day.as_deref() == Some(today.as_str());
            ShownBilling::Sandbox { most: quota.most, sent: if is_today { quota.taken } else { 0 } }
        }
    };
    let usage = Usage { days: overview::usage(&app.ctx, request.mode, id).await? };
    request.page(StatusCode::OK, &BillingPage { frame: frame(&request, &member), billing, usage })
}
