//! Lists. A page is at most three calls, whatever is asked for and however much there is: a query of each shard of one list of
//! pointers, and one read of what is behind those that are shown. Documents are listed here; the others have lists of the
//! same kind.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{Timestamp, civil::Date};

use super::{
    Direction, DocumentRecord, Store, StoreError,
    dynamo::{Item, corrupt, from_item, key_of, unavailable},
    keys::{self, Index, Key},
    pointers::pointer_key,
};
use crate::{
    document::Operation,
    types::{DocumentId, Mode, TaxpayerId},
};

/// How many pointers of a shard are looked at where some may be dropped, and where the page before
/// found hardly any that was not. At 200 bytes each the larger read stays below the 1 MB of a query.
const FILTERED_READ: i32 = 400;
const SPARSE_READ: i32 = 4_000;

/// How many records are read for a page where they themselves tell whether they are on it: what one request gives.
pub(super) const READ_TOGETHER: usize = 100;

/// Which documents to list: a list, and what its pointers must say.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// The list to go through: the shortest that has them all.
    pub index: Index<'a>,
    /// Which way they went.
    pub direction: Option<Direction>,
    /// Which operation made them.
    pub operation: Option<Operation>,
    /// Issued on this day or later, on that day or earlier.
    pub issued: (Option<Date>, Option<Date>),
    /// Made at this instant or later, at that instant or earlier.
    pub created: (Option<Timestamp>, Option<Timestamp>),
}

/// Where a list goes on: behind the pointer that was looked at last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The pointer's sort key.
    pub sort: String,
    /// Whether the page was short for want of pointers that the filter keeps: the next one looks
    /// further.
    pub sparse: bool,
}

impl Position {
    /// The position as one text, for a cursor.
    pub fn to_text(&self) -> String {
        format!("{}{}", if self.sparse { '+' } else { '=' }, self.sort)
    }

    /// The position of a text that [`Position::to_text`] made.
    pub fn from_text(text: &str) -> Result<Self, StoreError> {
        let sparse = match text.as_bytes().first() {
            Some(b'+') => true,
            Some(b'=') => false,
            _ => return Err(StoreError::Corrupt("a cursor holds no position".into())),
        };
        Ok(Position { sort: text[1..].to_owned(), sparse })
    }
}

/// A page of what has a position in a list.
#[derive(Debug)]
pub struct PositionedPage<T> {
    /// What is on it, newest first, each with the position behind it.
    pub items: Vec<(T, Position)>,
    /// Where the list goes on; none at its end.
    pub next: Option<Position>,
}

impl<T> PositionedPage<T> {
    pub(super) fn empty() -> Self {
        PositionedPage { items: Vec::new(), next: None }
    }

    /// What was read, no more than there is room for.
    pub(super) fn of(mut read: Vec<(T, Position)>, next: Option<Position>, limit: usize) -> Self {
        let next = match read.get(limit.saturating_sub(1)) {
            Some((_, last)) if read.len() > limit => Some(last.clone()),
            _ => next,
        };
        read.truncate(limit);
        PositionedPage { items: read, next }
    }
}

/// What one query gave of one shard.
struct Shard {
    pointers: Vec<Key>,
    /// The last key that was looked at, when there may be more behind it.
    frontier: Option<String>,
}

impl Store {
    /// A page of at most `limit` (1 to 100) documents, newest first.
    pub async fn list_documents(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        selection: &Selection<'_>,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<PositionedPage<DocumentRecord>, StoreError> {
        let Some(range) = bounds(selection) else { return Ok(PositionedPage::empty()) };
        let list = |shard| keys::list(mode, taxpayer_id, selection.index, shard);
        let filter = Filter::new(selection);
        let (sorts, next) = self.list_pointers(list, range, &filter, from, limit).await?;
        let mut keys = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let id: DocumentId = document_of(&sort).parse().map_err(corrupt)?;
            // The times of an identifier lie in its pointer's key, but for the list by issue date.
            if is_created_in(&id, selection.created) {
                keys.push((sort, Key::document(mode, taxpayer_id, &id)));
            }
        }
        let mut found: HashMap<Key, Item> =
            self.get_many(keys.iter().map(|(_, key)| key.clone())).await?;
        let mut documents = Vec::with_capacity(keys.len());
        for (sort, key) in keys {
            let Some(item) = found.remove(&key) else { continue };
            let document: DocumentRecord = from_item(item)?;
            if has_left(&document, selection.index) {
                self.remove_pointer(pointer_key(mode, &document, selection.index)).await;
                continue;
            }
            documents.push((document, Position { sort, sparse: false }));
        }
        Ok(PositionedPage { items: documents, next })
    }

    /// The sort keys of the first `limit` pointers of a list that lie in a range behind a position, latest first, and where the
    /// list goes on; none at its end.
    pub(super) async fn list_pointers(
        &self,
        list: impl Fn(u8) -> String,
        (low, high): (String, String),
        filter: &Filter,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<(Vec<String>, Option<Position>), StoreError> {
        let high = from.map_or(high, |from| from.sort.clone());
        if low > high {
            return Ok((Vec::new(), None));
        }
        let read = read_size(limit, filter, from);
        let shard = |shard| self.query_shard(list(shard), &low, &high, filter, read);
        let shards: [Shard; keys::LIST_SHARDS as usize] =
            tokio::try_join!(shard(0), shard(1))?.into();
        Ok(merge(shards, from, limit))
    }

    async fn query_shard(
        &self,
        list: String,
        low: &str,
        high: &str,
        filter: &Filter,
        limit: i32,
    ) -> Result<Shard, StoreError> {
        let output = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .set_filter_expression(filter.text())
            .set_expression_attribute_names(filter.names())
            .set_expression_attribute_values(Some(filter.values.clone()))
            .expression_attribute_values(":pk", AttributeValue::S(list))
            .expression_attribute_values(":low", AttributeValue::S(low.to_owned()))
            .expression_attribute_values(":high", AttributeValue::S(high.to_owned()))
            .projection_expression("pk, sk")
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(limit)
            .send()
            .await
            .map_err(unavailable)?;
        let frontier = output.last_evaluated_key().map(key_of).transpose()?.map(|key| key.sk);
        let pointers = output.items().iter().map(key_of).collect::<Result<_, _>>()?;
        Ok(Shard { pointers, frontier })
    }
}

/// How many pointers of a shard are read for a page of so many.
fn read_size(limit: usize, filter: &Filter, from: Option<&Position>) -> i32 {
    // One more than asked for tells whether there is a next page; a further one stands for the pointer
    // at the position, which the range has in it.
    let all = i32::try_from(limit).unwrap_or(i32::MAX).saturating_add(2);
    match (filter.is_empty(), from) {
        (true, _) => all,
        (false, Some(Position { sparse: true, .. })) => SPARSE_READ,
        (false, _) => all.max(FILTERED_READ),
    }
}

/// What the pointers of a list must say for what they point to to be read.
#[derive(Default)]
pub(super) struct Filter {
    /// Attribute, what it must be, and what stands for that.
    conditions: Vec<(&'static str, String)>,
    values: HashMap<String, AttributeValue>,
}

impl Filter {
    fn new(selection: &Selection<'_>) -> Self {
        let mut filter = Filter::default();
        let Selection { index, direction, operation, issued, .. } = selection;
        if !matches!(index, Index::Direction(_)) {
            filter.equal("direction", direction.map(|direction| direction.as_str().to_owned()));
        }
        if !matches!(index, Index::Type(_)) {
            filter.equal("operation", operation.map(|operation| operation.as_str().to_owned()));
        }
        if *index != Index::Issued {
            let (from, to) = issued;
            filter.compared("issue_date", ">=", ":from", from.map(|day| day.to_string()));
            filter.compared("issue_date", "<=", ":to", to.map(|day| day.to_string()));
        }
        filter
    }

    fn compared(
        &mut self,
        attribute: &'static str,
        operator: &str,
        placeholder: &str,
        value: Option<String>,
    ) {
        if let Some(value) = value {
            self.conditions.push((attribute, format!("{operator} {placeholder}")));
            self.values.insert(placeholder.to_owned(), AttributeValue::S(value));
        }
    }

    /// The attribute has the value, if one is given.
    pub(super) fn equal(&mut self, attribute: &'static str, value: Option<String>) {
        self.compared(attribute, "=", &format!(":{attribute}"), value);
    }

    fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    fn text(&self) -> Option<String> {
        let each = self.conditions.iter().map(|(name, is)| format!("#{name} {is}"));
        (!self.is_empty()).then(|| each.collect::<Vec<_>>().join(" AND "))
    }

    fn names(&self) -> Option<HashMap<String, String>> {
        let names =
            self.conditions.iter().map(|(name, _)| (format!("#{name}"), (*name).to_owned()));
        (!self.is_empty()).then(|| names.collect())
    }
}

/// The first `limit` sort keys of several shards behind a position, latest first, and where the list goes
/// on; none at its end.
fn merge(
    shards: impl IntoIterator<Item = Shard>,
    from: Option<&Position>,
    limit: usize,
) -> (Vec<String>, Option<Position>) {
    let (mut sorts, frontier) = in_order(shards);
    sorts.retain(|sort| from.is_none_or(|from| *sort != from.sort));
    let more = sorts.len() > limit;
    sorts.truncate(limit);
    let next = match (more, sorts.last(), frontier) {
        (true, Some(last), _) => Some(Position { sort: last.clone(), sparse: false }),
        (_, _, Some(frontier)) => Some(Position { sort: frontier, sparse: true }),
        _ => None,
    };
    (sorts, next)
}

/// The sort keys of several shards in one order, latest first, as far as every shard was looked at;
/// and how far that is, when it is not to the end.
fn in_order(shards: impl IntoIterator<Item = Shard>) -> (Vec<String>, Option<String>) {
    let (mut sorts, mut frontier) = (Vec::new(), None);
    for shard in shards {
        sorts.extend(shard.pointers.into_iter().map(|key| key.sk));
        frontier = frontier.max(shard.frontier);
    }
    sorts.retain(|sort| frontier.as_ref().is_none_or(|frontier| sort >= frontier));
    sorts.sort_unstable_by(|a, b| b.cmp(a));
    (sorts, frontier)
}

/// Whether a document is in the list of a status that it does not have any more.
fn has_left(document: &DocumentRecord, index: Index<'_>) -> bool {
    matches!(index, Index::InFlight | Index::Failed)
        && Index::of_status(document.status) != Some(index)
}

/// The document's part of a pointer's sort key.
fn document_of(sort: &str) -> &str {
    sort.rsplit('#').next().unwrap_or(sort)
}

/// The identifiers with a prefix between which those of what was made in a range lie. They carry
/// milliseconds, so a first instant between two of them is moved to the later one.
pub(super) fn created_between(
    prefix: &str,
    floor: impl Fn(Timestamp) -> String,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Option<(String, String)> {
    let low = match from {
        None => prefix.to_owned(),
        Some(from) => {
            let millis = from.as_millisecond();
            let whole = Timestamp::from_millisecond(millis).ok()? == from;
            let from = Timestamp::from_millisecond(millis + i64::from(!whole)).ok()?;
            floor(from)
        }
    };
    // '~' comes after every character of an identifier.
    let high = match to {
        None => format!("{prefix}~"),
        Some(to) => format!("{}~", floor(to)),
    };
    (low <= high).then_some((low, high))
}

fn documents_between(created: (Option<Timestamp>, Option<Timestamp>)) -> Option<(String, String)> {
    created_between(DocumentId::PREFIX, |at| DocumentId::floor(at).to_string(), created)
}

fn is_created_in(id: &DocumentId, created: (Option<Timestamp>, Option<Timestamp>)) -> bool {
    documents_between(created)
        .is_some_and(|(low, high)| low.as_str() <= id.as_str() && id.as_str() <= high.as_str())
}

/// The sort keys between which the pointers of a selection lie; `None` when there can be none.
fn bounds(selection: &Selection<'_>) -> Option<(String, String)> {
    let created = documents_between(selection.created)?;
    if selection.index != Index::Issued {
        return Some(created);
    }
    let (from, to) = selection.issued;
    let low = from.map(|day| day.to_string()).unwrap_or_default();
    let high = to.map_or_else(|| "~".to_owned(), |day| format!("{day}#~"));
    // An empty text is no sort key.
    let low = if low.is_empty() { "-".to_owned() } else { low };
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_both_of_its_ends() {
        let random = crate::types::SeededRandom::new(1);
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let id = DocumentId::new(at("2026-01-02T00:00:00.005Z"), &random);
        for (from, to, inside) in [
            ("2026-01-02T00:00:00.005Z", "2026-01-02T00:00:00.005Z", true),
            ("2026-01-02T00:00:00.0041Z", "2026-01-02T00:00:00.0059Z", true),
            ("2026-01-02T00:00:00.0051Z", "2026-01-02T00:00:01Z", false),
            ("2026-01-02T00:00:00Z", "2026-01-02T00:00:00.0049Z", false),
        ] {
            assert_eq!(is_created_in(&id, (Some(at(from)), Some(at(to)))), inside, "{from} {to}");
        }
        let (later, earlier) = (at("2026-01-03T00:00:00Z"), at("2026-01-02T00:00:00Z"));
        assert_eq!(documents_between((Some(later), Some(earlier))), None);
    }

    #[test]
    fn shards_are_merged_as_far_as_each_was_looked_at() {
        let shard = |sorts: &[&str], frontier: Option<&str>| Shard {
            pointers: sorts.iter().map(|sk| Key { pk: "p".into(), sk: (*sk).into() }).collect(),
            frontier: frontier.map(str::to_owned),
        };
        for (shards, sorts, frontier) in [
            (
                [shard(&["9", "5"], Some("5")), shard(&["8", "7"], Some("7"))],
                &["9", "8", "7"][..],
                Some("7"),
            ),
            ([shard(&["9", "5"], None), shard(&["8"], Some("6"))], &["9", "8"], Some("6")),
            ([shard(&[], Some("4")), shard(&["3"], None)], &[], Some("4")),
            ([shard(&["1"], None), shard(&["2"], None)], &["2", "1"], None),
        ] {
            let merged = in_order(shards);
            assert_eq!(
                (merged.0.iter().map(String::as_str).collect::<Vec<_>>(), merged.1.as_deref()),
                (sorts.to_vec(), frontier)
            );
        }
    }
}
