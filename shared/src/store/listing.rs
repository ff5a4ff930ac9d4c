//! Lists. A page takes one query for each shard of one list of pointers, and one read of the items on the page, for every
//! filter and every size of list. Documents are listed here. Other lists work in the same way. The first document with a
//! number has no pointer in the list of that number: its claim tells where it is (`first_uses.rs`).

use std::{cmp::Ordering, collections::HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::try_join_all;
use jiff::{Timestamp, civil::Date};

use super::{
    Direction, DocumentRecord, Store, StoreError,
    dynamo::{Item, corrupt, from_item, key_of, unavailable},
    keys::{Index, Key},
    list_partitions::{self, ListPartition, Pointers},
    pointers::pointer_key,
};
use crate::{
    document::Operation,
    types::{DocumentId, Mode, TaxpayerId},
};

/// How many pointers of a shard are read when a filter may drop some. The second value applies when the filter dropped
/// nearly all pointers of the previous page. At 200 bytes each, the larger read stays below the 1 MB limit of a query.
const FILTERED_READ: i32 = 400;
const SPARSE_READ: i32 = 4_000;

/// How many records are read for a page when only the records tell whether they match: the limit of one request.
pub(super) const READ_TOGETHER: usize = 100;

/// Which documents to list: a list, and the conditions on its pointers.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// The list to read: the shortest one that contains all matches. `None`: the lists of both directions.
    pub index: Option<Index<'a>>,
    /// The direction of the documents.
    pub direction: Option<Direction>,
    /// The operation that created the documents.
    pub operation: Option<Operation>,
    /// The first and the last issue date.
    pub issued: (Option<Date>, Option<Date>),
    /// The first and the last instant of creation.
    pub created: (Option<Timestamp>, Option<Timestamp>),
    /// Which end of the list comes first.
    pub first: First,
}

/// Which end of a list comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum First {
    /// The latest.
    #[default]
    Latest,
    /// The earliest.
    Earliest,
}

impl First {
    /// How two sort keys follow one another.
    pub fn order(self, a: &str, b: &str) -> Ordering {
        match self {
            First::Latest => b.cmp(a),
            First::Earliest => a.cmp(b),
        }
    }
}

/// A part of a list: its lowest and highest sort key, and which end comes first.
pub(super) struct Range {
    low: String,
    high: String,
    first: First,
}

impl From<(String, String)> for Range {
    fn from((low, high): (String, String)) -> Self {
        Range { low, high, first: First::Latest }
    }
}

impl Range {
    /// The rest of the range from a position on.
    fn from(self, position: Option<&Position>) -> Self {
        let Some(Position { sort, .. }) = position else { return self };
        match self.first {
            First::Latest => Range { high: sort.clone(), ..self },
            First::Earliest => Range { low: sort.clone(), ..self },
        }
    }
}

/// Where a list continues: after the last pointer that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The pointer's sort key.
    pub sort: String,
    /// Whether the page was short because the filter dropped most pointers. The next page then reads more of them.
    pub sparse: bool,
}

impl Position {
    /// The position as a text, for a cursor.
    pub fn to_text(&self) -> String {
        format!("{}{}", if self.sparse { '+' } else { '=' }, self.sort)
    }

    /// The position from a text of [`Position::to_text`].
    pub fn from_text(text: &str) -> Result<Self, StoreError> {
        let sparse = match text.as_bytes().first() {
            Some(b'+') => true,
            Some(b'=') => false,
            _ => return Err(StoreError::Corrupt("a cursor holds no position".into())),
        };
        Ok(Position { sort: text[1..].to_owned(), sparse })
    }
}

/// A page of a list with positions.
#[derive(Debug)]
pub struct PositionedPage<T> {
    /// The items, newest first, each with the position after it.
    pub items: Vec<(T, Position)>,
    /// Where the list continues; `None` at its end.
    pub next: Option<Position>,
}

impl<T> PositionedPage<T> {
    pub(super) fn empty() -> Self {
        PositionedPage { items: Vec::new(), next: None }
    }

    /// A page of the items that were read, cut to `limit`.
    pub(super) fn of(mut read: Vec<(T, Position)>, next: Option<Position>, limit: usize) -> Self {
        let next = match read.get(limit.saturating_sub(1)) {
            Some((_, last)) if read.len() > limit => Some(last.clone()),
            _ => next,
        };
        read.truncate(limit);
        PositionedPage { items: read, next }
    }
}

/// The result of one query of one shard.
struct Shard {
    /// The sort keys of the pointers in the list.
    sorts: Vec<String>,
    /// That of the last one that was read, if there may be more after it.
    frontier: Option<String>,
}

impl Store {
    /// A page of at most `limit` (1 to 100) documents.
    pub async fn list_documents(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        selection: &Selection<'_>,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<PositionedPage<DocumentRecord>, StoreError> {
        let Some((low, high)) = bounds(selection) else { return Ok(PositionedPage::empty()) };
        let range = Range { low: low.clone(), high: high.clone(), first: selection.first };
        let partitions = list_partitions::of_documents(mode, taxpayer_id, selection.index);
        let filter = Filter::new(selection);
        let (mut sorts, next) = self.list_pointers(partitions, range, &filter, from, limit).await?;
        if let Some(Index::Number(number)) = selection.index {
            let first = self.first_with_number(mode, taxpayer_id, number).await?;
            let order = |a: &str, b: &str| selection.first.order(a, b);
            let first = first.into_iter().map(|id| id.to_string()).filter(|id| {
                (&low..=&high).contains(&id)
                    && from.is_none_or(|from| order(&from.sort, id).is_lt())
                    && next.as_ref().is_none_or(|next| order(id, &next.sort).is_le())
            });
            sorts.extend(first);
            sorts.sort_by(|a, b| order(a, b));
            sorts.dedup();
        }
        let mut keys = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let id: DocumentId = document_of(&sort).parse().map_err(corrupt)?;
            // Except in the list by issue date, the range of sort keys already selects the instants of creation.
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
            if let Some(left) = selection.index.filter(|index| has_left(&document, *index)) {
                self.remove_pointer(pointer_key(mode, &document, left)).await;
                continue;
            }
            if is_selected(selection, &document) {
                documents.push((document, Position { sort, sparse: false }));
            }
        }
        Ok(PositionedPage::of(documents, next, limit))
    }

    /// The sort keys of the first `limit` pointers of a list in these partitions, in a range after a position, and where
    /// the list continues; `None` at its end.
    pub(super) async fn list_pointers(
        &self,
        partitions: impl IntoIterator<Item = impl Into<ListPartition>>,
        range: impl Into<Range>,
        filter: &Filter,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<(Vec<String>, Option<Position>), StoreError> {
        let range = range.into().from(from);
        if range.low > range.high {
            return Ok((Vec::new(), None));
        }
        let unfiltered = &Filter::default();
        let shards = partitions.into_iter().map(|partition| {
            let partition = partition.into();
            // Which documents have reports is no fact of their pointers.
            let filter = match partition.pointers {
                Pointers::FirstReports => unfiltered,
                Pointers::Own | Pointers::IssuedWhenMade => filter,
            };
            let read = read_size(limit, filter, partition.pointers, from);
            self.query_shard(partition, &range, filter, read)
        });
        Ok(merge(try_join_all(shards).await?, &range, from, limit))
    }

    async fn query_shard(
        &self,
        ListPartition { name, pointers }: ListPartition,
        Range { low, high, first }: &Range,
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
            .expression_attribute_values(":pk", AttributeValue::S(name))
            .expression_attribute_values(":low", AttributeValue::S(pointers.key_at(low)))
            .expression_attribute_values(":high", AttributeValue::S(pointers.key_at(high)))
            .projection_expression("pk, sk, issue_date")
            .scan_index_forward(*first == First::Earliest)
            .consistent_read(true)
            .limit(limit)
            .send()
            .await
            .map_err(unavailable)?;
        let frontier = output.last_evaluated_key().map(key_of).transpose()?;
        let frontier = frontier.map(|key| pointers.sort_at(&key.sk)).transpose()?;
        let sorts = output.items().iter().map(|it| pointers.sort_of(it));
        let sorts = sorts.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        Ok(Shard { sorts, frontier })
    }
}

/// How many pointers of a shard are read for a page.
fn read_size(limit: usize, filter: &Filter, pointers: Pointers, from: Option<&Position>) -> i32 {
    // One more than the limit tells whether there is a next page. Another one makes up for the pointer at the position
    // itself, which the range includes.
    let all = i32::try_from(limit).unwrap_or(i32::MAX).saturating_add(2);
    let drops_some = !filter.is_empty() || pointers == Pointers::IssuedWhenMade;
    match from {
        Some(Position { sparse: true, .. }) if drops_some => SPARSE_READ,
        _ if !filter.is_empty() => all.max(FILTERED_READ),
        _ => all,
    }
}

/// The conditions on the pointers of a list.
#[derive(Default)]
pub(super) struct Filter {
    /// The attribute, and its condition as an expression.
    conditions: Vec<(&'static str, String)>,
    values: HashMap<String, AttributeValue>,
}

impl Filter {
    fn new(selection: &Selection<'_>) -> Self {
        let mut filter = Filter::default();
        let Selection { index, direction, operation, issued, .. } = selection;
        if !matches!(index, Some(Index::Direction(_))) {
            filter.equal("direction", direction.map(|direction| direction.as_str().to_owned()));
        }
        if !matches!(index, Some(Index::Type(_))) {
            filter.equal("operation", operation.map(|operation| operation.as_str().to_owned()));
        }
        if *index != Some(Index::Issued) {
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

    /// Requires that the attribute has the value, if one is given.
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

/// The first `limit` sort keys of several shards after a position, and where the list continues; `None` at its end.
fn merge(
    shards: impl IntoIterator<Item = Shard>,
    Range { low, high, first }: &Range,
    from: Option<&Position>,
    limit: usize,
) -> (Vec<String>, Option<Position>) {
    let (mut sorts, frontier) = in_order(shards, *first);
    // Pointers of another list are read in a range that may be wider.
    sorts.retain(|sort| (low..=high).contains(&sort) && from.is_none_or(|from| *sort != from.sort));
    let more = sorts.len() > limit;
    sorts.truncate(limit);
    let next = match (more, sorts.last(), frontier) {
        (true, Some(last), _) => Some(Position { sort: last.clone(), sparse: false }),
        (_, _, Some(frontier)) => Some(Position { sort: frontier, sparse: true }),
        _ => None,
    };
    (sorts, next)
}

/// The sort keys of several shards in one order, as far as every shard was read. The second value is that limit; `None`
/// at the end.
fn in_order(
    shards: impl IntoIterator<Item = Shard>,
    first: First,
) -> (Vec<String>, Option<String>) {
    let (mut sorts, mut frontiers) = (Vec::new(), Vec::new());
    for shard in shards {
        sorts.extend(shard.sorts);
        frontiers.extend(shard.frontier);
    }
    let frontier = frontiers.into_iter().min_by(|a, b| first.order(a, b));
    let is_read = |sort: &String| {
        frontier.as_ref().is_none_or(|frontier| first.order(sort, frontier).is_le())
    };
    sorts.retain(is_read);
    sorts.sort_unstable_by(|a, b| first.order(a, b));
    // Earlier releases wrote a pointer for each list.
    sorts.dedup();
    (sorts, frontier)
}

/// Whether a document is in the list of a status that it no longer has.
fn has_left(document: &DocumentRecord, index: Index<'_>) -> bool {
    matches!(index, Index::InFlight | Index::Failed)
        && Index::of_status(document.status) != Some(index)
}

/// Whether a document found by the claim of its number is one of a selection. Pointers have been filtered before.
fn is_selected(selection: &Selection<'_>, document: &DocumentRecord) -> bool {
    let Selection { index: Some(Index::Number(number)), direction, operation, issued, .. } =
        selection
    else {
        return true;
    };
    document.number == **number
        && direction.is_none_or(|direction| direction == document.direction)
        && operation.is_none_or(|operation| operation == document.operation)
        && issued.0.is_none_or(|from| from <= document.issue_date)
        && issued.1.is_none_or(|to| document.issue_date <= to)
}

/// The document's part of a pointer's sort key.
fn document_of(sort: &str) -> &str {
    sort.rsplit('#').next().unwrap_or(sort)
}

/// The lowest and highest identifier with a prefix that were created in a range. Identifiers have milliseconds, so a
/// first instant between two milliseconds is rounded up.
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
    // '~' sorts after every character of an identifier.
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

/// The lowest and highest sort key of a selection's pointers; `None` when there can be none.
fn bounds(selection: &Selection<'_>) -> Option<(String, String)> {
    let created = documents_between(selection.created)?;
    if selection.index != Some(Index::Issued) {
        return Some(created);
    }
    let (from, to) = selection.issued;
    let low = from.map(|day| day.to_string()).unwrap_or_default();
    let high = to.map_or_else(|| "~".to_owned(), |day| format!("{day}#~"));
    // DynamoDB refuses an empty sort key.
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
    fn shards_are_merged_as_far_as_each_was_read() {
        let shard = |sorts: &[&str], frontier: Option<&str>| Shard {
            sorts: sorts.iter().map(|&sort| sort.to_owned()).collect(),
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
            let merged = in_order(shards, First::Latest);
            assert_eq!(
                (merged.0.iter().map(String::as_str).collect::<Vec<_>>(), merged.1.as_deref()),
                (sorts.to_vec(), frontier)
            );
        }
        let rising = [shard(&["1", "5"], Some("5")), shard(&["2", "3"], Some("3"))];
        let (sorts, frontier) = in_order(rising, First::Earliest);
        assert_eq!((sorts.join(" "), frontier.as_deref()), ("1 2 3".to_owned(), Some("3")));
    }
}
