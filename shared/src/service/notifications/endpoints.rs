//! Notices about endpoints that accept nothing. The mail about a disabled endpoint is written with its disabling.

use jiff::{SignedDuration, Timestamp};

use super::Turn;
use crate::{
    error::Failure,
    service::{Context, later},
    store::{EndpointStatus, NoticeRecord, Notified, Watched, instant},
};

/// How long an endpoint accepts nothing before its members hear of it. A restart of the receiver is shorter.
const PATIENCE: SignedDuration = SignedDuration::from_hours(1);

/// Whether an endpoint that fails since an instant has failed for so long that members hear of it.
pub(in crate::service) fn has_failed_for_long(now: Timestamp, since: Timestamp) -> bool {
    later(since, PATIENCE) <= now
}

pub(super) async fn turn(ctx: &Context, notice: &NoticeRecord) -> Result<Turn, Failure> {
    let NoticeRecord { mode, organization_id, mentioned, .. } = notice;
    let (mut urls, mut names) = (Vec::new(), Vec::new());
    for watched in ctx.store.watch_endpoints(*mode, organization_id, None).await? {
        let Watched { endpoint, failing_since: Some(since) } = watched else { continue };
        let is_failing = endpoint.status == EndpointStatus::Enabled;
        if !is_failing || !has_failed_for_long(ctx.now(), since) {
            continue;
        }
        // An endpoint that recovered and fails again is mentioned again.
        let name = format!("{} {}", endpoint.endpoint_id, instant(since));
        if !mentioned.contains(&name) {
            urls.push(endpoint.url);
        }
        names.push(name);
    }
    let notified = (!urls.is_empty()).then_some(Notified::Endpoints { urls });
    Ok(Turn::of_events(ctx, notified, names))
}
