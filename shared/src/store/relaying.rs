//! What waits, whatever it is: the mark that the stream's relay acts on, the index that the sweeper
//! reads, the count of what was tried in vain, and the end of what can never succeed.
//!
//! An item waits as long as it has these attributes:
//!
//! | attribute | says |
//! |---|---|
//! | `due_pk`, `due_at` | from when on the sweeper may take it up (the index `due`) |
//! | `relay` | the stream's relay must take it up before |
//! | `tries` | how often it was taken up without coming on |
//! | `lease` | who is at work on it, and until when |
//! | `parked` | why it was given up, and when; it stands in the index among the parked |
//!
//! Every change of these is made on the condition that the item still waits as it was seen, so
//! that a worker that took it up meanwhile is not disturbed.

use aws_sdk_dynamodb::types::{AttributeValue, Select};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    Lease, Store, StoreError,
    dynamo::{Expression, Item, Update, Write, Written, corrupt, from_item, unavailable},
    keys::{self, Key, Place},
    text::{self, instant},
};
use crate::types::Mode;

/// When the sweeper may take an item up, and whether the relay takes it up before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// The instant from which the sweeper may take it up.
    pub at: Timestamp,
    /// Whether the relay must take it up; otherwise it is on its way and only watched.
    pub relayed: bool,
}

impl Due {
    /// The relay takes it up at once, the sweeper at `at`.
    pub fn relayed(at: Timestamp) -> Self {
        Due { at, relayed: true }
    }

    /// The sweeper takes it up at `at`.
    pub fn watched(at: Timestamp) -> Self {
        Due { at, relayed: false }
    }
}

/// How an item was seen to wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Where it is.
    pub place: Place,
    /// From when on the sweeper may take it up.
    pub due_at: Timestamp,
    /// How often it was taken up without coming on.
    pub tries: u32,
}

/// An item that waits for something.
#[derive(Debug)]
pub struct Waiting {
    /// How it waits.
    pub seen: Seen,
    /// Whether the stream's relay must take it up.
    pub marked: bool,
    /// Whether somebody is at work on it.
    pub lease: Option<Lease>,
    item: Item,
}

impl Waiting {
    /// The item's record.
    pub fn record<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        from_item(self.item.clone())
    }
}

/// Why an item was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parked {
    /// In words, for who operates the service.
    pub reason: String,
    /// When.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
}

/// The attributes of an item that waits.
#[derive(Deserialize)]
struct Attributes {
    #[serde(with = "text::instant")]
    due_at: Timestamp,
    relay: Option<String>,
    #[serde(default)]
    tries: u32,
    lease: Option<Lease>,
    parked: Option<Parked>,
}

/// An item of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Where it is.
    pub place: Place,
    /// Since when it is due, or parked.
    pub at: Timestamp,
}

/// Where a list of due items goes on.
#[derive(Debug)]
pub struct DueCursor(Item);

/// How long a delivery is kept after it ended.
pub const DELIVERY_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long an event is kept after it was relayed: longer than any delivery of it, whose schedule
/// ends after four days.
pub const EVENT_KEPT: SignedDuration = SignedDuration::from_hours(40 * 24);

/// The instant until which an item is kept, as DynamoDB's time to live has it.
pub(super) fn expiry(from: Timestamp, kept: SignedDuration) -> i64 {
    from.as_second().saturating_add(kept.as_secs())
}

/// The value of the mark: that it stands there is what counts.
const MARK: &str = "due";

/// Writes the mark into a new item.
pub(super) fn mark(item: &mut Item, mode: Mode, key: &Key, due: Due) {
    let mut set = |name: &str, value: String| {
        item.insert(name.to_owned(), AttributeValue::S(value));
    };
    set(keys::DUE_PK, key.due_partition(mode));
    set(keys::DUE_AT, instant(due.at));
    if due.relayed {
        set(keys::RELAY, MARK.to_owned());
    }
}

/// Adds to an update of an item how it waits from now on; `None` when it does not any more.
pub(super) fn due_update(
    update: Update,
    mode: Mode,
    key: &Key,
    due: Option<Due>,
) -> Result<Update, StoreError> {
    let Some(due) = due else {
        return Ok(update.remove(keys::RELAY).remove(keys::DUE_PK).remove(keys::DUE_AT));
    };
    let update =
        update.set(keys::DUE_PK, &key.due_partition(mode))?.set(keys::DUE_AT, &instant(due.at))?;
    if due.relayed { update.set(keys::RELAY, &MARK) } else { Ok(update.remove(keys::RELAY)) }
}

impl Store {
    /// Up to `limit` items of one shard that were due at `now`, the longest due first. The index
    /// lags behind the table, so whoever acts on them reads the item first.
    pub async fn list_due(
        &self,
        mode: Mode,
        shard: u8,
        now: Timestamp,
        from: Option<DueCursor>,
        limit: i32,
    ) -> Result<(Vec<Listed>, Option<DueCursor>), StoreError> {
        self.list_in_index(keys::due_shard(mode, shard), now, from, limit).await
    }

    /// Up to `limit` items of one shard that were given up, the longest parked first.
    pub async fn list_parked(
        &self,
        mode: Mode,
        shard: u8,
        now: Timestamp,
        from: Option<DueCursor>,
        limit: i32,
    ) -> Result<(Vec<Place>, Option<DueCursor>), StoreError> {
        let parked = keys::parked_shard(mode, shard);
        let (listed, next) = self.list_in_index(parked, now, from, limit).await?;
        Ok((listed.into_iter().map(|listed| listed.place).collect(), next))
    }

    async fn list_in_index(
        &self,
        partition: String,
        now: Timestamp,
        from: Option<DueCursor>,
        limit: i32,
    ) -> Result<(Vec<Listed>, Option<DueCursor>), StoreError> {
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .index_name(keys::DUE_INDEX)
            .key_condition_expression("due_pk = :due AND due_at <= :now")
            .projection_expression("pk, sk, due_at")
            .expression_attribute_values(":due", AttributeValue::S(partition))
            .expression_attribute_values(":now", AttributeValue::S(instant(now)))
            .set_exclusive_start_key(from.map(|cursor| cursor.0))
            .limit(limit)
            .send()
            .await
            .map_err(unavailable)?;
        let text = |item: &Item, name| item.get(name).and_then(|value| value.as_s().ok()).cloned();
        let listed = |item: &Item| {
            let place = Place::parse(&text(item, keys::PK)?, &text(item, keys::SK)?)?;
            Some(Listed { place, at: text(item, keys::DUE_AT)?.parse().ok()? })
        };
        let listed = page.items().iter().filter_map(listed).collect();
        Ok((listed, page.last_evaluated_key.map(DueCursor)))
    }

    /// How many items of one shard are parked; of very many, those that one read counts.
    pub async fn count_parked(&self, mode: Mode, shard: u8) -> Result<usize, StoreError> {
        let parked = keys::parked_shard(mode, shard);
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .index_name(keys::DUE_INDEX)
            .key_condition_expression("due_pk = :parked")
            .expression_attribute_values(":parked", AttributeValue::S(parked))
            .select(Select::Count)
            .send()
            .await
            .map_err(unavailable)?;
        Ok(usize::try_from(page.count).unwrap_or(0))
    }

    /// The item at a place, if it waits for something: `None` when it is gone, over or parked.
    pub async fn get_waiting(&self, place: &Place) -> Result<Option<Waiting>, StoreError> {
        let Some(item) = self.get_item(place.key()).await? else { return Ok(None) };
        if !item.contains_key(keys::DUE_AT) {
            return Ok(None);
        }
        let Attributes { due_at, relay, tries, lease, parked } = from_item(item.clone())?;
        let seen = Seen { place: place.clone(), due_at, tries };
        let waiting = Waiting { seen, marked: relay.is_some(), lease, item };
        Ok(parked.is_none().then_some(waiting))
    }

    /// Notes that an item is on its way: the mark goes, and the sweeper looks again at
    /// `look_again`. Does nothing when the item has come on.
    pub async fn note_sent(&self, seen: &Seen, look_again: Timestamp) -> Result<(), StoreError> {
        let (key, mode) = (seen.place.key(), seen.place.mode());
        let update = due_update(Update::new(), mode, &key, Some(Due::watched(look_again)))?;
        self.change(seen, update).await.map(drop)
    }

    /// Notes that an item has nothing to wait for any more, and when it may be removed, if ever.
    /// Does nothing when it has come on.
    pub async fn note_done(
        &self,
        seen: &Seen,
        expires: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let update = due_update(Update::new(), seen.place.mode(), &seen.place.key(), None)?;
        let update = match expires {
            Some(at) => update.set(keys::TTL, &at.as_second())?,
            None => update,
        };
        self.change(seen, update.remove("tries")).await.map(drop)
    }

    /// Puts an item off, after `tries` in vain. `false` when it has come on.
    pub async fn put_off(
        &self,
        seen: &Seen,
        tries: u32,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let (key, mode) = (seen.place.key(), seen.place.mode());
        let update = Update::new().set("tries", &tries)?.remove("lease");
        let update = due_update(update, mode, &key, Some(Due::watched(until)))?;
        self.change(seen, update).await
    }

    /// Gives an item up: it is due no more, and stands among the parked until it is put on its way
    /// again. `false` when it has come on.
    pub async fn park(&self, seen: &Seen, parked: &Parked) -> Result<bool, StoreError> {
        let update = park_update(Update::new(), &seen.place, parked)?.remove("lease");
        self.change(seen, update).await
    }

    /// Gives an item up that cannot even be read as one that waits, if it is due at all.
    pub async fn park_unread(&self, place: &Place, parked: &Parked) -> Result<bool, StoreError> {
        let condition =
            Expression::new("attribute_exists(due_pk) AND attribute_not_exists(parked)");
        let update = park_update(Update::new(), place, parked)?.remove("lease").build();
        let written = self.write(Write::Update { key: place.key(), update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Why the item at a place was given up: `None` when it is not parked.
    pub async fn get_parked(&self, place: &Place) -> Result<Option<Parked>, StoreError> {
        let item = self.get_item(place.key()).await?;
        let parked = item.and_then(|mut item| item.remove("parked"));
        parked.map(|parked| serde_dynamo::from_attribute_value(parked).map_err(corrupt)).transpose()
    }

    /// Puts a parked item on its way again: the sweeper takes it up at `now`, with all its tries.
    /// `false` when it was not parked.
    pub async fn redrive(&self, place: &Place, now: Timestamp) -> Result<bool, StoreError> {
        let update = Update::new().remove("parked").remove("tries").remove("lease");
        let due = Some(Due::watched(now));
        let update = due_update(update, place.mode(), &place.key(), due)?.build();
        let condition = Expression::new("attribute_exists(parked)");
        let written = self.write(Write::Update { key: place.key(), update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Changes how an item waits, if it still does as it was seen.
    pub(super) async fn change(&self, seen: &Seen, update: Update) -> Result<bool, StoreError> {
        let (update, condition) = (update.build(), as_seen(seen));
        let written =
            self.write(Write::Update { key: seen.place.key(), update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }
}

/// The condition that an item waits as it was seen.
pub(super) fn as_seen(seen: &Seen) -> Expression {
    Expression::new("due_at = :seen AND attribute_not_exists(parked)")
        .and(tried(seen.tries))
        .text(":seen", instant(seen.due_at))
        .number(":tries", seen.tries)
}

/// The condition that an item was tried as often as was seen; `:tries` is that number.
pub(super) fn tried(tries: u32) -> &'static str {
    match tries {
        0 => "(attribute_not_exists(tries) OR tries = :tries)",
        _ => "tries = :tries",
    }
}

/// Adds to an update of an item that it is parked from now on.
pub(super) fn park_update(
    update: Update,
    place: &Place,
    parked: &Parked,
) -> Result<Update, StoreError> {
    update
        .set("parked", parked)?
        .set(keys::DUE_PK, &place.key().parked_partition(place.mode()))?
        .set(keys::DUE_AT, &instant(parked.at))
        .map(|update| update.remove(keys::RELAY))
}
