//! The gate before each webhook endpoint and before each access point of the network: how many
//! executions are at it, and whether it answers at all. It keeps one that is slow or dead from holding
//! the executions that all others need.
//!
//! An item for each endpoint holds who is inside (`holders`, each with the instant until which he is
//! believed to be alive, so that a dead one frees its place), how many may be (`room`), the failures
//! in a row (`failures`), and of the circuit breaker how often it opened in a row (`openings`) and
//! until when it is open (`open_until`). An execution writes it when it enters and when it leaves,
//! however many deliveries it brings. Of a webhook endpoint it holds, too, since when it took nothing that it was sent
//! (`failing_since`): an answer opens the gate, and only a taken event ends that.
//!
//! As in TCP's slow start (RFC 5681, section 3.1), an endpoint begins with room for one, has some
//! when it answers, twice as much whenever it answers while it is busy, and room for one again when
//! it fails: an endpoint that never answers holds one execution, until the breaker opens. An access point
//! begins with some, since people wait for what goes there. One that answers slowly has room for a few
//! at most, or it would hold most executions while it takes its time.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use uuid::Uuid;

use super::{
    EndpointRecord, Store, StoreError,
    dynamo::{Expression, Item, Updated, Write, from_item},
    keys::Key,
    text::instant,
};
use crate::types::Mode;

/// How many executions may be at an endpoint once it answered.
pub const SOME: usize = 4;
/// How many at one that answers while it is busy.
pub const MOST: usize = 32;
/// How many at one that answers slowly.
pub const MOST_AT_SLOW: usize = 8;
/// So many failures in a row open the breaker.
pub const FAILURES: u32 = 5;
/// For how long the breaker opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pauses {
    /// At first; each probe that fails doubles it.
    pub first: SignedDuration,
    /// At most.
    pub longest: SignedDuration,
}

/// Of webhook endpoints.
pub const ENDPOINT_PAUSES: Pauses =
    Pauses { first: SignedDuration::from_secs(30), longest: SignedDuration::from_mins(15) };
/// Of access points.
pub const RECEIVER_PAUSES: Pauses =
    Pauses { first: SignedDuration::from_mins(1), longest: SignedDuration::from_hours(1) };

/// The gate before something.
#[derive(Debug, Clone)]
pub struct Before {
    key: Key,
    /// The room before anything is known of it.
    first: usize,
    pauses: Pauses,
}

impl Before {
    /// Before a webhook endpoint.
    pub fn endpoint(endpoint: &EndpointRecord) -> Self {
        let EndpointRecord { mode, organization_id, endpoint_id, .. } = endpoint;
        let key = Key::gate(*mode, organization_id, endpoint_id);
        Before { key, first: 1, pauses: ENDPOINT_PAUSES }
    }

    /// Before the access point at an address.
    pub fn receiver(mode: Mode, address: &str) -> Self {
        Before { key: Key::receiver_gate(mode, address), first: SOME, pauses: RECEIVER_PAUSES }
    }
}

/// What came of asking for entry.
#[derive(Debug)]
pub enum Entry {
    /// The caller is in, until [`Store::leave_gate`].
    In(Pass),
    /// As many are inside as may be.
    Full {
        /// Whether the endpoint answered last: then a place is free soon.
        answers: bool,
    },
    /// The breaker is open.
    Open {
        /// Until then.
        until: Timestamp,
        /// For how long it was opened.
        pause: SignedDuration,
    },
}

/// The right to be at an endpoint.
#[derive(Debug)]
pub struct Pass {
    gate: Before,
    holder: String,
    /// Whether this is the one that tries after the breaker was open: it may make one attempt.
    pub probe: bool,
    /// Whether the gate has nothing against the endpoint.
    untroubled: bool,
    /// Whether the endpoint has taken no event for some time.
    failing: bool,
    /// How many may be inside.
    room: usize,
    /// Whether that is about used up.
    busy: bool,
}

/// What the endpoint did meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// How often it answered.
    pub answers: u32,
    /// How often it did not, or only that it cannot.
    pub failures: u32,
    /// Whether it took its time.
    pub slow: bool,
    /// What became of events that it was sent; nothing of an access point.
    pub events: Events,
}

/// What became of the events that an endpoint was sent in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Events {
    /// There were none.
    #[default]
    None,
    /// It took one at least.
    Taken,
    /// It took none of them.
    Missed,
}

/// What there is to say of who was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Left {
    /// Until when the breaker was opened now, if it was.
    pub opened_until: Option<Timestamp>,
    /// Since when the endpoint has taken no event.
    pub failing_since: Option<Timestamp>,
}

#[derive(Debug, Default, Deserialize)]
struct Gate {
    #[serde(default)]
    holders: BTreeSet<String>,
    #[serde(default)]
    room: usize,
    #[serde(default)]
    failures: u32,
    #[serde(default)]
    openings: u32,
    #[serde(default)]
    open_until: Option<Timestamp>,
    #[serde(default)]
    failing_since: Option<Timestamp>,
}

/// Since when the endpoint behind a gate has taken no event.
pub(super) fn failing_since(gate: Item) -> Result<Option<Timestamp>, StoreError> {
    Ok(read(gate)?.failing_since)
}

/// The condition that an endpoint has taken no event since an instant.
pub(super) fn fails_since(gate: &Before, since: Timestamp) -> Write {
    let condition = Expression::new("failing_since = :since").text(":since", instant(since));
    Write::Check { key: gate.key.clone(), condition }
}

/// The write after which an endpoint is one that never failed.
pub(super) fn forget_failures(gate: &Before) -> Write {
    let update = Expression::new("REMOVE failing_since, failures, openings, open_until");
    Write::Update { key: gate.key.clone(), update, condition: Expression::default() }
}

impl Store {
    /// Asks for entry. Who has not left at `leave_by` is taken for dead. `owner` must be new for
    /// each entry.
    pub async fn enter_gate(
        &self,
        gate: &Before,
        owner: Uuid,
        now: Timestamp,
        leave_by: Timestamp,
    ) -> Result<Entry, StoreError> {
        let holder = format!("{}#{owner}", instant(leave_by));
        let stands = match self.enter(gate, &holder, now).await? {
            Ok(pass) => return Ok(Entry::In(pass)),
            Err(stands) => stands,
        };
        let dead: Vec<_> =
            stands.holders.iter().filter(|each| is_dead(each, now)).cloned().collect();
        if dead.is_empty() {
            return Ok(stands.refusal(gate, now));
        }
        let update = Expression::new("DELETE holders :dead").texts(":dead", dead);
        self.update(gate.key.clone(), update, None).await?;
        Ok(match self.enter(gate, &holder, now).await? {
            Ok(pass) => Entry::In(pass),
            Err(stands) => stands.refusal(gate, now),
        })
    }

    /// Lets a holder in, or tells what stands against it.
    async fn enter(
        &self,
        at: &Before,
        holder: &str,
        now: Timestamp,
    ) -> Result<Result<Pass, Gate>, StoreError> {
        let update = Expression::new("ADD holders :me").texts(":me", vec![holder.to_owned()]);
        let condition = Expression::new(
            "(attribute_not_exists(open_until) OR open_until <= :now) \
             AND (attribute_not_exists(holders) OR size(holders) < room \
             OR attribute_not_exists(room) AND attribute_not_exists(failures) AND size(holders) < :first)",
        )
        .text(":now", instant(now))
        .number(":first", at.first);
        let (gate, inside) = match self.update(at.key.clone(), update, Some(condition)).await? {
            Updated::Done(item) => (read(item)?, true),
            Updated::Refused(item) => {
                // The SDK repeats a call whose answer got lost: then the caller is inside already.
                let gate = read(item)?;
                let inside = gate.holders.contains(holder);
                (gate, inside)
            }
        };
        if !inside {
            return Ok(Err(gate));
        }
        let room = gate.room(at);
        Ok(Ok(Pass {
            gate: at.clone(),
            holder: holder.to_owned(),
            probe: gate.openings > 0,
            untroubled: gate.failures == 0 && gate.openings == 0,
            failing: gate.failing_since.is_some(),
            room,
            busy: gate.holders.len() * 2 > room,
        }))
    }

    /// Leaves, and says what the endpoint did meanwhile: an answer closes the breaker, failures
    /// alone count. Gives what follows from it.
    pub async fn leave_gate(
        &self,
        pass: Pass,
        seen: Seen,
        now: Timestamp,
    ) -> Result<Left, StoreError> {
        let room = match seen {
            Seen { answers: 1.., failures: 0, slow, .. } => pass.room_after(slow),
            _ => None,
        };
        let update = leaving(&pass, seen, room, now);
        let item = match self.update(pass.gate.key.clone(), update, None).await? {
            Updated::Done(item) | Updated::Refused(item) => item,
        };
        let gate = read(item)?;
        let open = gate.open_until.is_some_and(|until| now < until);
        let left = Left { opened_until: None, failing_since: gate.failing_since };
        if seen.answers > 0 || seen.failures == 0 || gate.failures < FAILURES || open {
            return Ok(left);
        }
        let until =
            now.saturating_add(pass.gate.pauses.after(gate.openings)).unwrap_or(Timestamp::MAX);
        let update = Expression::new("SET open_until = :until ADD openings :one")
            .text(":until", instant(until))
            .number(":one", 1);
        // Of several that see the last failure one opens it; an answer that came meanwhile counts.
        let condition = Expression::new(
            "failures >= :failures AND (attribute_not_exists(open_until) OR open_until <= :now)",
        )
        .number(":failures", FAILURES)
        .text(":now", instant(now));
        Ok(match self.update(pass.gate.key, update, Some(condition)).await? {
            Updated::Done(_) => Left { opened_until: Some(until), ..left },
            Updated::Refused(_) => left,
        })
    }
}

impl Pass {
    /// The room that an answer makes, where it is another one.
    fn room_after(&self, slow: bool) -> Option<usize> {
        let most = if slow { MOST_AT_SLOW } else { MOST };
        let wanted = if self.busy { (self.room * 2).max(SOME) } else { self.room };
        Some(wanted.min(most)).filter(|room| *room != self.room)
    }
}

/// The update of who leaves.
fn leaving(pass: &Pass, seen: Seen, room: Option<usize>, now: Timestamp) -> Expression {
    let (mut set, mut remove, mut add) = (Vec::new(), Vec::new(), "");
    if seen.answers > 0 {
        set.extend(room.map(|_| "room = :room"));
        remove.extend((!pass.untroubled).then_some("failures, openings, open_until"));
    } else if seen.failures > 0 {
        add = " ADD failures :failures";
        remove.push("room");
    }
    match seen.events {
        Events::None => {}
        Events::Taken => remove.extend(pass.failing.then_some("failing_since")),
        Events::Missed => set.push("failing_since = if_not_exists(failing_since, :now)"),
    }
    let clause = |word: &str, parts: &[&str]| match parts {
        [] => String::new(),
        parts => format!(" {word} {}", parts.join(", ")),
    };
    let (set, remove) = (clause("SET", &set), clause("REMOVE", &remove));
    let mut update = Expression::new(format!("DELETE holders :me{set}{remove}{add}"))
        .texts(":me", vec![pass.holder.clone()]);
    if let Some(room) = room {
        update = update.number(":room", room);
    }
    if !add.is_empty() {
        update = update.number(":failures", seen.failures);
    }
    if seen.events == Events::Missed {
        update = update.text(":now", instant(now));
    }
    update
}

impl Gate {
    /// How many may be inside.
    fn room(&self, at: &Before) -> usize {
        match (self.room, self.failures) {
            (0, 0) => at.first,
            (0, _) => 1,
            (room, _) => room,
        }
    }

    fn refusal(&self, at: &Before, now: Timestamp) -> Entry {
        match self.open_until {
            Some(until) if now < until => {
                Entry::Open { until, pause: at.pauses.after(self.openings.saturating_sub(1)) }
            }
            _ => Entry::Full { answers: self.room(at) >= SOME },
        }
    }
}

fn read(item: Item) -> Result<Gate, StoreError> {
    from_item(item)
}

impl Pauses {
    /// For how long the breaker opens after it opened so often in a row.
    fn after(self, openings: u32) -> SignedDuration {
        let doubled = self.first.checked_mul(1 << openings.min(16)).unwrap_or(self.longest);
        doubled.min(self.longest)
    }
}

/// Whether a holder should have left by now. One that cannot be read never leaves by itself.
fn is_dead(holder: &str, now: Timestamp) -> bool {
    let leave_by = holder.split('#').next().and_then(|text| text.parse::<Timestamp>().ok());
    leave_by.is_none_or(|leave_by| leave_by <= now)
}
