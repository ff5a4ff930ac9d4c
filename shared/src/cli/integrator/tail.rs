//! Which events are new, of a list that is asked for again and again.
//!
//! Events come into the list once they are relayed: some seconds after they happened, and not strictly in their order. So each
//! look goes back a while before the newest one that is known, and what is known already is left out. The service relays some
//! much later, such as one that failed until somebody corrected the cause: so one look in so many goes through all of the list. All times
//! are the service's: the clock of this machine decides nothing.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// How far each look goes back.
const BACK: SignedDuration = SignedDuration::from_mins(2);
/// How far one in so many goes back: the service relays later what its stream lost, or what failed at first.
const FAR_BACK: SignedDuration = SignedDuration::from_hours(1);
const FAR: u32 = 60;
/// One in so many goes through all that the list has.
const ALL: u32 = 3_600;
/// How long the service lists an event.
const LISTED: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How many events are known at most, about 20 MB of them. No look goes back farther than these.
const MOST: usize = 200_000;

/// What is known.
#[derive(Debug)]
pub(super) struct Tail {
    /// When each happened, and its identifier.
    known: BTreeSet<(Timestamp, String)>,
    newest: Option<Timestamp>,
    /// From when on all is known that was in the list once; of all times where there is none.
    reach: Option<Timestamp>,
    looks: u32,
    most: usize,
}

impl Default for Tail {
    fn default() -> Self {
        Tail { known: BTreeSet::new(), newest: None, reach: None, looks: 0, most: MOST }
    }
}

impl Tail {
    /// From when on the next look must be; everything where there is nothing.
    pub(super) fn from(&self) -> Option<Timestamp> {
        if self.looks.is_multiple_of(ALL) {
            return self.reach;
        }
        let back = if self.looks.is_multiple_of(FAR) { FAR_BACK } else { BACK };
        let from = self.newest?.saturating_sub(back).unwrap_or(Timestamp::MIN);
        Some(self.reach.map_or(from, |reach| from.max(reach)))
    }

    /// Takes an event as known that was in the list at the beginning, in the order of the list: the latest first. `false`
    /// when no more can be known.
    pub(super) fn know_before(&mut self, item: &Value) -> bool {
        if self.known.len() < self.most {
            self.know(item);
            return true;
        }
        // One millisecond later: of that of the last one there may be more.
        let last = self.known.first().map(|(at, _)| *at);
        self.reach = last.map(|at| at.saturating_add(INSTANT).unwrap_or(at));
        false
    }

    /// Whether an event is not known, and of a time of which all others are.
    pub(super) fn is_new(&self, item: &Value) -> bool {
        key(item).is_some_and(|key| {
            self.reach.is_none_or(|reach| reach <= key.0) && !self.known.contains(&key)
        })
    }

    /// Those of a look that are new, in the order in which they happened.
    pub(super) fn fresh(&self, items: Vec<Value>) -> Vec<Value> {
        let mut fresh: Vec<_> = items.into_iter().filter(|item| self.is_new(item)).collect();
        fresh.sort_by_cached_key(key);
        // Pages that were asked for while something came in have it twice.
        fresh.dedup_by_key(|item| key(item));
        fresh
    }

    /// Takes an event as known. An event is known once it is forwarded, and not before.
    pub(super) fn know(&mut self, item: &Value) {
        if let Some(key) = key(item) {
            self.newest = self.newest.max(Some(key.0));
            self.known.insert(key);
        }
    }

    /// Ends a look, all of which is known, and forgets what is in the list no more, or what there is no room for.
    pub(super) fn looked(&mut self) {
        self.looks = self.looks.wrapping_add(1);
        let listed = self.newest.and_then(|newest| newest.saturating_sub(LISTED).ok());
        while let Some((at, _)) = self.known.first()
            && (self.known.len() > self.most || listed.is_some_and(|listed| *at < listed))
        {
            self.reach = self.reach.max(Some(at.saturating_add(INSTANT).unwrap_or(*at)));
            self.known.pop_first();
        }
    }
}

/// The least time between two instants of the service.
const INSTANT: SignedDuration = SignedDuration::from_millis(1);

/// When an event happened, and which it is.
fn key(item: &Value) -> Option<(Timestamp, String)> {
    let at = item["created_at"].as_str()?.parse().ok()?;
    Some((at, item["event_id"].as_str()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(id: &str, at: &str) -> Value {
        json!({"event_id": id, "created_at": at})
    }

    fn event(id: &str, second: u8) -> Value {
        at(id, &format!("2026-11-20T08:00:{second:02}.000Z"))
    }

    fn ids(items: &[Value]) -> Vec<&str> {
        items.iter().map(|item| item["event_id"].as_str().unwrap()).collect()
    }

    fn instant(text: &str) -> Option<Timestamp> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn what_comes_late_and_out_of_order_comes_once() {
        let mut tail = Tail::default();
        assert_eq!(tail.from(), None, "nothing is known: everything is asked for");
        for known in [event("evt_a", 30), event("evt_0", 10)] {
            assert!(tail.know_before(&known));
        }
        tail.looked();
        assert_eq!(tail.from(), instant("2026-11-20T07:58:30Z"));
        let look =
            vec![event("evt_d", 50), event("evt_c", 40), event("evt_c", 40), event("evt_a", 30)];
        let fresh = tail.fresh(look);
        assert_eq!(ids(&fresh), ["evt_c", "evt_d"]);
        fresh.iter().for_each(|item| tail.know(item));
        // Relayed after the others, though it happened before them.
        let look = vec![event("evt_d", 50), event("evt_c", 40), event("evt_b", 35)];
        assert_eq!(ids(&tail.fresh(look)), ["evt_b"]);
    }

    #[test]
    fn what_is_relayed_however_late_is_found_and_what_was_there_before_is_not() {
        let mut tail = Tail::default();
        let old = [event("evt_a", 30), at("evt_old", "2026-10-30T12:00:00.000Z")];
        assert!(old.iter().all(|item| tail.know_before(item)));
        tail.looked();
        let late = at("evt_late", "2026-11-01T00:00:00.000Z");
        // Every list that is asked for until then.
        let mut found = Vec::new();
        for _ in 0..ALL {
            let from = tail.from();
            let listed = [&old[0], &late, &old[1]].into_iter().cloned();
            let look = listed.filter(|item| from.is_none_or(|from| from <= key(item).unwrap().0));
            let fresh = tail.fresh(look.collect());
            fresh.iter().for_each(|item| tail.know(item));
            found.extend(fresh);
            tail.looked();
        }
        assert_eq!(ids(&found), ["evt_late"], "once");
    }

    #[test]
    fn what_was_not_forwarded_is_new_again() {
        let mut tail = Tail::default();
        let look = || vec![event("evt_b", 20), event("evt_a", 10)];
        let fresh = tail.fresh(look());
        tail.know(&fresh[0]);
        assert_eq!(ids(&tail.fresh(look())), ["evt_b"]);
    }

    #[test]
    fn no_more_is_known_than_is_listed_and_there_is_room_for_and_nothing_old_is_taken_for_new() {
        let mut tail = Tail::default();
        for day in 1..=28 {
            for month in [9, 10, 11] {
                tail.know(&at("evt_1", &format!("2026-{month:02}-{day:02}T00:00:00.000Z")));
            }
        }
        tail.looked();
        assert_eq!(tail.known.len(), 28, "what happened in the 30 days before the latest");

        let mut tail = Tail { most: 2, ..Tail::default() };
        let list = [event("evt_d", 40), event("evt_c", 30), event("evt_b", 20), event("evt_a", 10)];
        let known: Vec<_> = list.iter().map(|item| tail.know_before(item)).collect();
        assert_eq!(known, [true, true, false, false]);
        assert_eq!(tail.from(), instant("2026-11-20T08:00:30.001Z"));
        assert_eq!(ids(&tail.fresh(list.to_vec())), [""; 0]);
        tail.know(&event("evt_e", 50));
        tail.looked();
        assert_eq!((tail.known.len(), tail.fresh(list.to_vec()).len()), (2, 0));
        assert_eq!(ids(&tail.fresh(vec![event("evt_f", 45)])), ["evt_f"]);
    }
}
