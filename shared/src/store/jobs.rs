//! Jobs: items of the table that wait for work, whatever their kind. A job has a mark for the stream's relay, an entry
//! in the index that the sweeper reads, a count of its attempts, and an end for work that can never succeed.
//!
//! An item is a job as long as it has these attributes:
//!
//! | attribute | content |
//! |---|---|
//! | `due_pk`, `due_at` | when the sweeper may claim it (the index `due`) |
//! | `relay` | the stream's relay sends it on before the sweeper does, until the lease of a worker; an instant is the time at which the work begins |
//! | `tries` | how often it was claimed without progress |
//! | `lease` | which execution works on it, and until when |
//! | `parked` | why it was parked (dead-lettered in the table), and when. The index then lists it among the parked |
//!
//! Every change of these attributes has the condition that the job still has the version that was read. So a worker
//! that claimed the job meanwhile is not disturbed.
//!
//! Each change of `due_at` also writes the index twice. So an instant that is late enough stays: neither the message
//! that is sent nor the lease that is taken moves it.

use aws_sdk_dynamodb::types::{AttributeValue, Select};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{
    Lease, Store, StoreError,
    dynamo::{Expression, Item, Update, Write, Written, corrupt, from_item, unavailable},
    keys::{self, JobId, Key, Lane},
    queues::MAX_DELAY,
    text::{self, instant},
};
use crate::types::Mode;

/// How long the relay of the stream has before the sweeper relays the job.
pub const RELAY_GRACE: SignedDuration = SignedDuration::from_secs(60);
/// How long a job in a queue has before the sweeper sends it again. It is long enough for the queue's redelivery after a
/// worker's failure. A duplicate message has no effect.
pub const QUEUE_GRACE: SignedDuration = SignedDuration::from_mins(15);

/// When the sweeper may claim a job, and whether the relay claims it before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// The instant from which the sweeper may claim it.
    pub at: Timestamp,
    /// Its mark, if the relay must claim it before.
    pub mark: Option<Mark>,
}

/// The mark of a job that the stream's relay must claim. Without a mark, a queue has the job, and the sweeper is the
/// safety net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The work begins at once.
    Now,
    /// The work begins at this instant: the queue delays the message.
    At(Timestamp),
}

impl Due {
    /// The relay claims it at once, the sweeper at `at`.
    pub fn relayed(at: Timestamp) -> Self {
        Due { at, mark: Some(Mark::Now) }
    }

    /// The relay sends it to its queue at once. The sweeper claims it when its message must have arrived.
    pub fn queued(now: Timestamp) -> Self {
        Due::relayed(after(now, QUEUE_GRACE))
    }

    /// The work begins at `begins`. When a queue can delay a message for so long, the relay claims the job at once, and
    /// the sweeper is the safety net. Otherwise the sweeper claims it at `begins`.
    pub fn begins(begins: Timestamp, now: Timestamp) -> Self {
        if begins.duration_since(now) <= MAX_DELAY {
            Due { at: after(begins, QUEUE_GRACE), mark: Some(Mark::At(begins)) }
        } else {
            Due::watched(begins)
        }
    }

    /// The sweeper claims it at `at`.
    pub fn watched(at: Timestamp) -> Self {
        Due { at, mark: None }
    }

    /// When the work begins, if not at once.
    pub fn begin(self) -> Timestamp {
        match self.mark {
            Some(Mark::At(begins)) => begins,
            Some(Mark::Now) | None => self.at,
        }
    }
}

impl Mark {
    /// How it is stored. Earlier versions relay every job with a mark at once.
    fn text(self) -> String {
        match self {
            Mark::Now => MARK.to_owned(),
            Mark::At(begins) => instant(begins),
        }
    }

    fn read(text: &str) -> Self {
        text.parse().map_or(Mark::Now, Mark::At)
    }

    /// For how long the queue delays the message. The queue counts whole seconds, so the message comes up to a second
    /// later, and never too early.
    pub fn delay(self, now: Timestamp) -> SignedDuration {
        match self {
            Mark::At(begins) if now < begins => {
                SignedDuration::from_secs(begins.duration_since(now).as_secs() + 1)
            }
            Mark::At(_) | Mark::Now => SignedDuration::ZERO,
        }
    }
}

pub(super) fn after(at: Timestamp, duration: SignedDuration) -> Timestamp {
    at.checked_add(duration).unwrap_or(Timestamp::MAX)
}

/// A version of a job, for conditional writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobVersion {
    /// The job.
    pub job_id: JobId,
    /// How it was found.
    pub seen: Seen,
    /// How often it was claimed without progress.
    pub tries: u32,
}

/// How a job was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// The sweeper could claim it from this instant on.
    DueAt(Timestamp),
    /// This attempt had the lease.
    LeasedBy(Uuid),
}

/// A job as it was read.
#[derive(Debug)]
pub struct Job {
    /// Its version.
    pub version: JobVersion,
    /// When the sweeper may claim it.
    pub due_at: Timestamp,
    /// Its mark, if the stream's relay must claim it.
    pub mark: Option<Mark>,
    /// The execution that works on it, if there is one.
    pub lease: Option<Lease>,
    item: Item,
}

impl Job {
    /// Its record.
    pub fn record<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        from_item(self.item.clone())
    }
}

/// Why a job was parked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parked {
    /// The reason in words, for operators.
    pub reason: String,
    /// The instant of parking.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
}

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

/// A job in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The job.
    pub job_id: JobId,
    /// Since when it is due, or parked.
    pub at: Timestamp,
}

/// The position at which the next page of due items begins.
#[derive(Debug)]
pub struct DueCursor(Item);

/// How long a delivery is kept after it ended.
pub const DELIVERY_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long an event is kept after it was relayed. This is longer than any of its deliveries, whose schedule ends after
/// four days.
pub const EVENT_KEPT: SignedDuration = SignedDuration::from_hours(40 * 24);

/// The instant until which an item is kept, in the form of DynamoDB's time to live.
pub(super) fn expiry(from: Timestamp, kept: SignedDuration) -> i64 {
    from.as_second().saturating_add(kept.as_secs())
}

/// The value of the mark of work that begins at once.
const MARK: &str = "due";

/// Adds the marks to a new item.
pub(super) fn mark(item: &mut Item, mode: Mode, key: &Key, due: Due) {
    let mut set = |name: &str, value: String| {
        item.insert(name.to_owned(), AttributeValue::S(value));
    };
    set(keys::DUE_PK, key.due_partition(mode));
    set(keys::DUE_AT, instant(due.at));
    if let Some(mark) = due.mark {
        set(keys::RELAY, mark.text());
    }
}

/// Adds the item's new marks to an update; `None` removes them.
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
    match due.mark {
        Some(mark) => update.set(keys::RELAY, &mark.text()),
        None => Ok(update.remove(keys::RELAY)),
    }
}

impl Store {
    /// Up to `limit` items of one shard of a lane that are due at `now`, the longest due first. The index lags behind the table,
    /// so the caller reads an item before it acts on it.
    pub async fn list_due(
        &self,
        (lane, mode): (Lane, Mode),
        shard: u8,
        now: Timestamp,
        from: Option<DueCursor>,
        limit: i32,
    ) -> Result<(Vec<Listed>, Option<DueCursor>), StoreError> {
        self.list_in_index(keys::due_shard(lane, mode, shard), now, from, limit).await
    }

    /// Up to `limit` parked items of one shard, the longest parked first.
    pub async fn list_parked(
        &self,
        mode: Mode,
        shard: u8,
        now: Timestamp,
        from: Option<DueCursor>,
        limit: i32,
    ) -> Result<(Vec<JobId>, Option<DueCursor>), StoreError> {
        let parked = keys::parked_shard(mode, shard);
        let (listed, next) = self.list_in_index(parked, now, from, limit).await?;
        Ok((listed.into_iter().map(|listed| listed.job_id).collect(), next))
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
            let job_id = JobId::parse(&text(item, keys::PK)?, &text(item, keys::SK)?)?;
            Some(Listed { job_id, at: text(item, keys::DUE_AT)?.parse().ok()? })
        };
        let listed = page.items().iter().filter_map(listed).collect();
        Ok((listed, page.last_evaluated_key.map(DueCursor)))
    }

    /// The number of parked items of one shard. If there are very many, it counts those of the first page.
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

    /// Reads a job; `None` when it is gone, done or parked.
    pub async fn get_job(&self, job_id: &JobId) -> Result<Option<Job>, StoreError> {
        let Some(item) = self.get_item(job_id.key()).await? else { return Ok(None) };
        job_of(job_id, item)
    }

    /// Reads several jobs, each with the result of [`Store::get_job`], in their order.
    pub async fn get_jobs(
        &self,
        job_ids: &[JobId],
    ) -> Result<Vec<Result<Option<Job>, StoreError>>, StoreError> {
        let mut found = self.get_many(job_ids.iter().map(JobId::key)).await?;
        let job = |job_id: &JobId| match found.remove(&job_id.key()) {
            Some(item) => job_of(job_id, item),
            None => Ok(None),
        };
        Ok(job_ids.iter().map(job).collect())
    }

    /// Notes that a job was sent to its queue, whose message arrives at `arrives`: removes the mark, and lets the sweeper
    /// claim it after that. Does nothing when the version is outdated.
    ///
    /// For work that begins at once, this writes nothing if the sweeper may not claim the job before anyway: the lease of
    /// the worker removes the mark, and nobody else changes the job until then. Before a delayed message arrives, the job
    /// may change, and with its mark it would be sent once more.
    pub async fn note_sent(
        &self,
        version: &JobVersion,
        mark: Option<Mark>,
        arrives: Timestamp,
    ) -> Result<(), StoreError> {
        let (key, mode) = (version.job_id.key(), version.job_id.mode());
        let update = match version.seen {
            Seen::DueAt(due_at) if due_at >= after(arrives, RELAY_GRACE) => match mark {
                Some(Mark::Now) => return Ok(()),
                Some(Mark::At(_)) | None => Update::new().remove(keys::RELAY),
            },
            _ => {
                let look_again = Due::watched(after(arrives, QUEUE_GRACE));
                due_update(Update::new(), mode, &key, Some(look_again))?
            }
        };
        self.change(version, update).await.map(drop)
    }

    /// Notes that an item is done, and when DynamoDB may remove it, if ever. Does nothing when the version is outdated.
    pub async fn note_done(
        &self,
        version: &JobVersion,
        expires: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let update = due_update(Update::new(), version.job_id.mode(), &version.job_id.key(), None)?;
        let update = match expires {
            Some(at) => update.set(keys::TTL, &at.as_second())?,
            None => update,
        };
        self.change(version, update.remove("tries")).await.map(drop)
    }

    /// Reschedules a job after `tries` failed attempts. Returns `false` when the version is outdated.
    pub async fn reschedule(
        &self,
        version: &JobVersion,
        tries: u32,
        due: Due,
    ) -> Result<bool, StoreError> {
        let (key, mode) = (version.job_id.key(), version.job_id.mode());
        let update = Update::new().set("tries", &tries)?.remove("lease");
        let update = due_update(update, mode, &key, Some(due))?;
        self.change(version, update).await
    }

    /// Parks a job: it is not due until an operator redrives it. Returns `false` when the version is outdated.
    pub async fn park(&self, version: &JobVersion, parked: &Parked) -> Result<bool, StoreError> {
        let update = park_update(Update::new(), &version.job_id, parked)?.remove("lease");
        self.change(version, update).await
    }

    /// Parks an item that is due but whose job attributes cannot be read.
    pub async fn park_unread(&self, job_id: &JobId, parked: &Parked) -> Result<bool, StoreError> {
        let condition =
            Expression::new("attribute_exists(due_pk) AND attribute_not_exists(parked)");
        let update = park_update(Update::new(), job_id, parked)?.remove("lease").build();
        let written = self.write(Write::Update { key: job_id.key(), update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Why a job was parked; `None` when it is not parked.
    pub async fn get_parked(&self, job_id: &JobId) -> Result<Option<Parked>, StoreError> {
        let item = self.get_item(job_id.key()).await?;
        let parked = item.and_then(|mut item| item.remove("parked"));
        parked.map(|parked| serde_dynamo::from_attribute_value(parked).map_err(corrupt)).transpose()
    }

    /// Redrives a parked job: the sweeper claims it at `now`, and its attempts count from zero. Returns `false` when it
    /// was not parked.
    pub async fn redrive(&self, job_id: &JobId, now: Timestamp) -> Result<bool, StoreError> {
        let update = Update::new().remove("parked").remove("tries").remove("lease");
        let due = Some(Due::watched(now));
        let update = due_update(update, job_id.mode(), &job_id.key(), due)?.build();
        let condition = Expression::new("attribute_exists(parked)");
        let written = self.write(Write::Update { key: job_id.key(), update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Changes a job that still has the version that was read.
    pub(super) async fn change(
        &self,
        version: &JobVersion,
        update: Update,
    ) -> Result<bool, StoreError> {
        let (update, condition) = (update.build(), as_seen(version));
        let written =
            self.write(Write::Update { key: version.job_id.key(), update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }
}

/// The job in an item; `None` when it is done or parked.
pub(super) fn job_of(job_id: &JobId, item: Item) -> Result<Option<Job>, StoreError> {
    if !item.contains_key(keys::DUE_AT) {
        return Ok(None);
    }
    let Attributes { due_at, relay, tries, lease, parked } = from_item(item.clone())?;
    let version = JobVersion { job_id: job_id.clone(), seen: Seen::DueAt(due_at), tries };
    let mark = relay.as_deref().map(Mark::read);
    let job = Job { version, due_at, mark, lease, item };
    Ok(parked.is_none().then_some(job))
}

/// The condition that a job still has the version that was read.
pub(super) fn as_seen(version: &JobVersion) -> Expression {
    let seen = match version.seen {
        Seen::DueAt(due_at) => {
            Expression::new("due_at = :version").text(":version", instant(due_at))
        }
        Seen::LeasedBy(owner) => owned_by(Some(owner)),
    };
    seen.and("attribute_not_exists(parked)")
        .and(tried(version.tries))
        .number(":tries", version.tries)
}

/// The condition that a job is under the lease of this attempt. It never holds for `None`.
pub(super) fn owned_by(owner: Option<Uuid>) -> Expression {
    let owner = owner.map_or(String::new(), |owner| owner.to_string());
    Expression::new("#lease.#owner = :owner")
        .name("#lease", "lease")
        .name("#owner", "owner")
        .text(":owner", owner)
}

/// The condition that a job still has the number of attempts that was read, which is `:tries`.
pub(super) fn tried(tries: u32) -> &'static str {
    match tries {
        0 => "(attribute_not_exists(tries) OR tries = :tries)",
        _ => "tries = :tries",
    }
}

/// Adds to an update of an item that the item is parked.
pub(super) fn park_update(
    update: Update,
    job_id: &JobId,
    parked: &Parked,
) -> Result<Update, StoreError> {
    update
        .set("parked", parked)?
        .set(keys::DUE_PK, &job_id.key().parked_partition(job_id.mode()))?
        .set(keys::DUE_AT, &instant(parked.at))
        .map(|update| update.remove(keys::RELAY))
}
