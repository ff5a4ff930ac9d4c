//! Which events are new, of a list that is asked for again and again.
//!
//! Events come into the list once they are relayed: some seconds after they happened, and not strictly in their order. So each
//! look goes back a while before the newest one that is known, and what is known already is left out. All times are the
//! service's: the clock of this machine decides nothing.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// How far each look goes back.
const BACK: SignedDuration = SignedDuration::from_mins(2);
/// How far one in so many goes back: the service relays later what its stream lost, or what failed at first.
const FAR_BACK: SignedDuration = SignedDuration::from_hours(1);
const FAR: u32 = 60;

/// What is known.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// Identifiers, with when each happened, as far back as a look goes.
    known: BTreeMap<String, Timestamp>,
    newest: Option<Timestamp>,
    looks: u32,
}

impl Tail {
    /// From when on the next look must be; everything where nothing is known.
    pub(super) fn from(&self) -> Option<Timestamp> {
        let back = if self.looks.is_multiple_of(FAR) { FAR_BACK } else { BACK };
        Some(self.newest?.saturating_sub(back).unwrap_or(Timestamp::MIN))
    }

    /// Begins after the newest event: the next look, at which all is to be taken as known, goes back from there.
    pub(super) fn begin(&mut self, newest: &Value) {
        self.newest = happened(newest);
    }

    /// Those of a look that are new, in the order in which they happened.
    pub(super) fn fresh(&self, items: Vec<Value>) -> Vec<Value> {
        let is_new =
            |item: &Value| item["event_id"].as_str().is_some_and(|id| !self.known.contains_key(id));
        let mut fresh: Vec<_> = items.into_iter().filter(is_new).collect();
        fresh.sort_by_cached_key(order);
        // Pages that were asked for while something came in have it twice.
        fresh.dedup_by_key(|item| order(item));
        fresh
    }

    /// Takes an event as known. An event is known once it is forwarded, and not before.
    pub(super) fn know(&mut self, item: &Value) {
        if let (Some(id), Some(at)) = (item["event_id"].as_str(), happened(item)) {
            self.known.insert(id.to_owned(), at);
            self.newest = self.newest.max(Some(at));
        }
    }

    /// Ends a look, all of which is known, and forgets what none goes back to any more.
    pub(super) fn looked(&mut self) {
        self.looks = self.looks.wrapping_add(1);
        let oldest = self.newest.and_then(|newest| newest.saturating_sub(FAR_BACK).ok());
        self.known.retain(|_, at| oldest.is_none_or(|oldest| *at >= oldest));
    }
}

fn happened(item: &Value) -> Option<Timestamp> {
    item["created_at"].as_str()?.parse().ok()
}

fn order(item: &Value) -> (Option<Timestamp>, String) {
    (happened(item), item["event_id"].as_str().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(id: &str, second: u8) -> Value {
        json!({"event_id": id, "created_at": format!("2026-11-20T08:00:{second:02}.000Z")})
    }

    fn ids(items: &[Value]) -> Vec<&str> {
        items.iter().map(|item| item["event_id"].as_str().unwrap()).collect()
    }

    #[test]
    fn what_comes_late_and_out_of_order_comes_once() {
        let mut tail = Tail::default();
        assert_eq!(tail.from(), None, "nothing is known: everything is asked for");
        tail.begin(&event("evt_a", 30));
        assert_eq!(tail.from(), Some("2026-11-20T07:00:30Z".parse().unwrap()));
        for known in [event("evt_a", 30), event("evt_0", 10)] {
            tail.know(&known);
        }
        tail.looked();
        assert_eq!(tail.from(), Some("2026-11-20T07:58:30Z".parse().unwrap()));
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
    fn what_was_not_forwarded_is_new_again() {
        let mut tail = Tail::default();
        let look = || vec![event("evt_b", 20), event("evt_a", 10)];
        let fresh = tail.fresh(look());
        tail.know(&fresh[0]);
        assert_eq!(ids(&tail.fresh(look())), ["evt_b"]);
    }

    #[test]
    fn no_more_is_kept_than_a_look_goes_back() {
        let mut tail = Tail::default();
        for hour in 0..20 {
            let at = format!("2026-11-20T{hour:02}:00:00.000Z");
            tail.know(&json!({"event_id": format!("evt_{hour}"), "created_at": at}));
            tail.looked();
        }
        assert_eq!(tail.known.len(), 2);
    }
}
