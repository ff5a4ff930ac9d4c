//! Lists of filings. A page is a query of each shard of one list, all at the same time, and one read of the filings
//! that are shown.

use std::collections::HashMap;

use jiff::Timestamp;

use super::{
    FilingKind, FilingRecord, FilingRole, FilingStatus, Position, Store, StoreError,
    TransmissionRecord,
    dynamo::{Item, corrupt, from_item},
    keys::{self, FilingList, Key},
    listing::{Filter, Shard, created_between, merge, read_size},
};
use crate::types::{ReportId, TaxpayerId};

/// Which filings to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct FilingSelection<'a> {
    /// Those with one of these statuses; empty for all.
    pub statuses: &'a [FilingStatus],
    /// Those that say this of their document.
    pub kind: Option<FilingKind>,
    /// Those of documents on whose side the taxpayer is.
    pub role: Option<FilingRole>,
    /// Made at this instant or later, at that instant or earlier.
    pub created: (Option<Timestamp>, Option<Timestamp>),
}

/// A page of a list.
#[derive(Debug)]
pub struct FilingPage {
    /// The filings, newest first, each with the position behind it.
    pub filings: Vec<(FilingRecord, Position)>,
    /// Where the list goes on; none at its end.
    pub next: Option<Position>,
}

impl FilingSelection<'_> {
    /// The shortest list that has them all.
    fn list(&self) -> FilingList {
        match self.statuses {
            [FilingStatus::NotCompliant] => FilingList::NotCompliant,
            [FilingStatus::Failed] => FilingList::Failed,
            _ => FilingList::All,
        }
    }

    fn filter(&self) -> Filter {
        let mut filter = Filter::default();
        filter.equal("kind", self.kind.map(|kind| kind.as_str().to_owned()));
        filter.equal("role", self.role.map(|role| role.as_str().to_owned()));
        if self.list() == FilingList::All {
            filter.one_of("status", self.statuses.iter().map(|status| status.as_str().to_owned()));
        }
        filter
    }
}

impl Store {
    /// A page of at most `limit` (1 to 100) filings of a taxpayer, newest first.
    pub async fn list_filings(
        &self,
        taxpayer_id: &TaxpayerId,
        selection: &FilingSelection<'_>,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<FilingPage, StoreError> {
        let floor = |at| ReportId::floor(at).to_string();
        let range = created_between(ReportId::PREFIX, floor, selection.created);
        let Some((low, high)) = range else {
            return Ok(FilingPage { filings: Vec::new(), next: None });
        };
        let high = from.map_or(high, |from| from.sort.clone());
        let (list, filter) = (selection.list(), selection.filter());
        let read = read_size(limit, &filter, from);
        let shard = |shard| {
            let list = keys::filings(taxpayer_id, list, shard);
            self.query_shard(list, &low, &high, &filter, read)
        };
        let shards: [Shard; keys::FILING_SHARDS as usize] =
            tokio::try_join!(shard(0), shard(1), shard(2), shard(3), shard(4), shard(5))?.into();
        let (sorts, next) = merge(shards, from, limit);
        let mut keys = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let id: ReportId = sort.parse().map_err(corrupt)?;
            keys.push((sort, Key::filing(taxpayer_id, &id)));
        }
        let mut found: HashMap<Key, Item> =
            self.get_many(keys.iter().map(|(_, key)| key.clone())).await?;
        let mut filings = Vec::with_capacity(keys.len());
        for (sort, key) in keys {
            let Some(item) = found.remove(&key) else { continue };
            filings.push((from_item(item)?, Position { sort, sparse: false }));
        }
        Ok(FilingPage { filings, next })
    }

    /// What is known of the ways of filings, in one read, in their order.
    pub async fn get_filing_ways(
        &self,
        filings: &[FilingRecord],
    ) -> Result<Vec<Option<TransmissionRecord>>, StoreError> {
        let key = |it: &FilingRecord| Key::filing_transmission(&it.taxpayer_id, &it.report_id);
        let keys: Vec<_> = filings.iter().map(key).collect();
        let mut found = self.get_many(keys.clone()).await?;
        keys.iter().map(|key| found.remove(key).map(from_item).transpose()).collect()
    }
}
