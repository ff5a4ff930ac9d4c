//! The notices of every morning: the digest of the day before, and certificates that expire soon. They continue as long
//! as a member has chosen them.

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};
use sha2::{Digest, Sha256};

use super::Turn;
use crate::{
    access::Notification,
    error::Failure,
    service::{Context, later, overview},
    store::{DayInBrief, NoticeRecord, Notified, Reached},
    types::{OrganizationId, UAE_OFFSET, uae_date},
};

/// The hour in the UAE from which the mails of the morning go out.
const HOUR: i8 = 7;
/// The organizations are spread over this time, so that not all of their mails go out at once.
const SPREAD: u32 = 30 * 60;
/// How many days before its end a certificate is mentioned, each once.
const DAYS_LEFT: [i64; 4] = [30, 14, 7, 1];

/// The next morning in the UAE, at the organization's own minute.
pub(super) fn next_morning(now: Timestamp, id: &OrganizationId) -> Timestamp {
    let hash = Sha256::digest(id.as_str());
    let second = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]) % SPREAD;
    let spread = SignedDuration::from_secs(second.into());
    let at = |day: Date| {
        let begin = UAE_OFFSET.to_timestamp(day.at(HOUR, 0, 0, 0)).unwrap_or(now);
        later(begin, spread)
    };
    let today = uae_date(now);
    match at(today) {
        morning if morning > now => morning,
        _ => at(today.saturating_add(1.day())),
    }
}

pub(super) async fn turn(
    ctx: &Context,
    notice: &NoticeRecord,
    is_chosen: bool,
) -> Result<Turn, Failure> {
    if !is_chosen {
        return Ok(Turn { mentioned: notice.mentioned.clone(), ..Turn::default() });
    }
    let next = Some(next_morning(ctx.now(), &notice.organization_id));
    let (name, notified) = match notice.kind {
        Notification::Digest => digest(ctx, notice).await?,
        _ => certificate(ctx).await?,
    };
    if name.is_empty() || notice.mentioned.contains(&name) {
        return Ok(Turn { notified: None, mentioned: notice.mentioned.clone(), next });
    }
    Ok(Turn { notified, mentioned: vec![name], next })
}

/// The day before, and its numbers if anything happened.
async fn digest(
    ctx: &Context,
    notice: &NoticeRecord,
) -> Result<(String, Option<Notified>), Failure> {
    let day = uae_date(ctx.now()).saturating_sub(1.day());
    let found = overview::overview(ctx, notice.mode, &notice.organization_id).await?;
    let counts = found.days.iter().find(|it| it.day == day);
    let of = |reached| counts.map_or(0, |it| it.of(reached));
    let sum = |kind| {
        let all = Reached::ALL.into_iter().filter(|it| it.notification() == Some(kind));
        all.map(of).sum()
    };
    let brief = DayInBrief {
        day,
        sent: of(Reached::Sent),
        received: of(Reached::Received),
        rejected: sum(Notification::Rejected),
        failed: sum(Notification::Failed),
        waiting: found.open.awaited,
        overdue: found.open.overdue,
        open: found.open.failed,
    };
    let notified = (!brief.is_quiet()).then_some(Notified::Digest(brief));
    Ok((day.to_string(), notified))
}

/// How many whole days are left until an instant.
fn days_left(now: Timestamp, end: Timestamp) -> i64 {
    end.duration_since(now).as_hours() / 24
}

/// The last day of the service's certificates, if it is near.
pub(super) async fn ending_certificate(ctx: &Context) -> Result<Option<Date>, Failure> {
    let end = ctx.store.get_certificate_end().await?;
    let near = |end: &Timestamp| days_left(ctx.now(), *end) <= DAYS_LEFT[0];
    Ok(end.filter(near).map(uae_date))
}

/// The number of days that a certificate of the service has left, if members hear of that.
async fn certificate(ctx: &Context) -> Result<(String, Option<Notified>), Failure> {
    let Some(end) = ctx.store.get_certificate_end().await? else {
        return Ok((String::new(), None));
    };
    let day = uae_date(end);
    let left = days_left(ctx.now(), end);
    // The smallest number of days that the certificate has not more than.
    let Some(reached) = DAYS_LEFT.into_iter().rev().find(|days| left <= *days) else {
        return Ok((String::new(), None));
    };
    Ok((format!("{day} {reached}"), Some(Notified::Certificate { day })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SeededRandom;

    #[test]
    fn the_next_morning_is_ahead_and_within_its_half_hour_in_the_emirates() {
        let id = OrganizationId::new(Timestamp::UNIX_EPOCH, &SeededRandom::new(1));
        for now in ["2026-11-20T02:59:59Z", "2026-11-20T03:40:00Z", "2026-11-20T23:00:00Z"] {
            let now: Timestamp = now.parse().unwrap();
            let morning = next_morning(now, &id);
            assert!(morning > now && morning.duration_since(now).as_hours() <= 24);
            let local = UAE_OFFSET.to_datetime(morning);
            assert!(local.hour() == HOUR && local.minute() < 30, "{local}");
        }
    }
}
