//! The partitions that a list is read from. What the pointers of one list tell is not written for a second list: the second
//! one is read from the partitions of the first one, too. Earlier releases wrote both pointers.

use jiff::{Timestamp, civil::Date};

use super::{
    Direction, StoreError,
    dynamo::{Item, key_of},
    keys::{self, Index, LIST_SHARDS, TaxReportList},
};
use crate::types::{DocumentId, Mode, ReportId, TaxpayerId, UAE_OFFSET, uae_date};

/// A partition with pointers of a list.
#[derive(Debug, Clone)]
pub(super) struct ListPartition {
    pub(super) name: String,
    pub(super) pointers: Pointers,
}

/// What the pointers of a partition are for the list that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointers {
    /// Those of the list itself.
    Own,
    /// Those of sent documents, for the first reports about them.
    FirstReports,
    /// Those of a direction's documents, for the list by issue date: of the documents that were issued on the day on which
    /// they were made (UAE), as most are.
    IssuedWhenMade,
}

impl From<String> for ListPartition {
    fn from(name: String) -> Self {
        ListPartition { name, pointers: Pointers::Own }
    }
}

/// The partitions of a list of documents; those of both directions, if no list is given.
pub(super) fn of_documents(
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    index: Option<Index<'_>>,
) -> Vec<ListPartition> {
    let list = |index| (0..LIST_SHARDS).map(move |it| keys::list(mode, taxpayer_id, index, it));
    let directions = || Direction::ALL.map(Index::Direction).into_iter().flat_map(list);
    match index {
        None => directions().map(ListPartition::from).collect(),
        Some(Index::Issued) => {
            let pointers = Pointers::IssuedWhenMade;
            let of_directions = directions().map(|name| ListPartition { name, pointers });
            list(Index::Issued).map(ListPartition::from).chain(of_directions).collect()
        }
        Some(index) => list(index).map(ListPartition::from).collect(),
    }
}

/// The partitions of a list of tax reports, with or without the first reports about sent documents in the list of all.
pub(super) fn of_tax_reports(
    taxpayer_id: &TaxpayerId,
    list: TaxReportList,
    with_first: bool,
) -> Vec<ListPartition> {
    let names = (0..LIST_SHARDS).map(|shard| keys::tax_reports(taxpayer_id, list, shard));
    let mut partitions: Vec<_> = names.map(ListPartition::from).collect();
    if with_first && list == TaxReportList::All {
        let sent = Some(Index::Direction(Direction::Outbound));
        let sent = of_documents(Mode::Live, taxpayer_id, sent).into_iter();
        partitions.extend(sent.map(|it| ListPartition { pointers: Pointers::FirstReports, ..it }));
    }
    partitions
}

/// Whether a document was issued on the day on which it was made.
pub(super) fn is_issued_when_made(id: &DocumentId, issue_date: Date) -> bool {
    id.made_at().map(uae_date) == Some(issue_date)
}

impl Pointers {
    /// The sort key of the partition at a sort key of the list.
    pub(super) fn key_at(self, sort: &str) -> String {
        match self {
            Pointers::Own => sort.to_owned(),
            Pointers::FirstReports => renamed(sort, ReportId::PREFIX, DocumentId::PREFIX),
            Pointers::IssuedWhenMade => made_at(sort),
        }
    }

    /// The sort key of the list at a sort key of the partition.
    pub(super) fn sort_at(self, key: &str) -> Result<String, StoreError> {
        match self {
            Pointers::Own => Ok(key.to_owned()),
            Pointers::FirstReports => Ok(renamed(key, DocumentId::PREFIX, ReportId::PREFIX)),
            Pointers::IssuedWhenMade => {
                let unknown = || StoreError::Corrupt("an identifier does not tell its day".into());
                let made_at = key.parse().ok().and_then(|id: DocumentId| id.made_at());
                Ok(format!("{}#{key}", uae_date(made_at.ok_or_else(unknown)?)))
            }
        }
    }

    /// The sort key of a pointer in the list; `None` if the list has one of its own.
    pub(super) fn sort_of(self, pointer: &Item) -> Result<Option<String>, StoreError> {
        let key = key_of(pointer)?.sk;
        if self != Pointers::IssuedWhenMade {
            return self.sort_at(&key).map(Some);
        }
        let issued = pointer.get("issue_date").and_then(|it| it.as_s().ok()?.parse().ok());
        let is_here = issued.zip(key.parse().ok());
        match is_here.is_some_and(|(issued, id)| is_issued_when_made(&id, issued)) {
            true => self.sort_at(&key).map(Some),
            false => Ok(None),
        }
    }
}

fn renamed(text: &str, from: &str, to: &str) -> String {
    format!("{to}{}", text.strip_prefix(from).unwrap_or(text))
}

/// Where the list by issue date, at a sort key, is among the documents that were issued when they were made: those of
/// earlier days are before it, and of those of the day the earlier ones.
fn made_at(sort: &str) -> String {
    let (day, id) = sort.split_once('#').unwrap_or((sort, ""));
    let floor = |day: Date| {
        let begin = UAE_OFFSET.to_timestamp(day.at(0, 0, 0, 0));
        DocumentId::floor(begin.unwrap_or(Timestamp::UNIX_EPOCH)).to_string()
    };
    match day.parse::<Date>() {
        Ok(day) => {
            let next = day.tomorrow().unwrap_or(Date::MAX);
            id.to_owned().clamp(floor(day), floor(next))
        }
        // The ends of the list.
        Err(_) if day == "~" => format!("{}~", DocumentId::PREFIX),
        Err(_) => DocumentId::PREFIX.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{store::dynamo::attribute, types::SeededRandom};

    fn made(at: &str) -> DocumentId {
        DocumentId::new(at.parse().unwrap(), &SeededRandom::new(1))
    }

    #[test]
    fn a_document_issued_on_another_day_has_a_pointer_of_its_own() {
        // The day begins at 20:00 UTC of the day before.
        for (at, issued, is_here) in [
            ("2026-11-19T20:00:00Z", "2026-11-20", true),
            ("2026-11-20T19:59:59.999Z", "2026-11-20", true),
            ("2026-11-20T20:00:00Z", "2026-11-20", false),
            ("2026-11-19T19:59:59.999Z", "2026-11-20", false),
        ] {
            let id = made(at);
            let pointer = [("pk", "a"), ("sk", id.as_str()), ("issue_date", issued)];
            let pointer = pointer.map(|(name, text)| (name.to_owned(), attribute(text.into())));
            let sort = Pointers::IssuedWhenMade.sort_of(&pointer.into()).unwrap();
            assert_eq!(sort, is_here.then(|| format!("{issued}#{id}")), "{at}");
        }
    }

    #[test]
    fn a_position_in_the_list_by_issue_date_parts_the_documents_of_its_day() {
        let at = |sort: String| Pointers::IssuedWhenMade.key_at(&sort);
        let day = ["2026-11-19T20:00:00Z", "2026-11-20T08:00:00Z", "2026-11-20T19:59:59.999Z"];
        let [first, noon, last] = day.map(|at| made(at).to_string());
        let next = made("2026-11-20T20:00:00Z").to_string();
        assert_eq!(at(format!("2026-11-20#{noon}")), noon);
        // A document that was made on another day, but issued on this one.
        let before = at(format!("2026-11-20#{}", made("2026-10-01T00:00:00Z")));
        assert!(before < first && before > made("2026-11-19T19:59:59.999Z").to_string());
        let after = at(format!("2026-11-20#{}", made("2026-12-01T00:00:00Z")));
        assert!(after > last && after < next);
        assert_eq!((at("2026-11-20".to_owned()), at("2026-11-20#~".to_owned())), (before, after));
        assert_eq!(
            (at("-".to_owned()), at("~".to_owned())),
            ("doc_".to_owned(), "doc_~".to_owned())
        );
    }

    #[test]
    fn the_first_report_about_a_document_has_the_place_of_the_document() {
        let (sort, key) = ("rep_01~", "doc_01~");
        assert_eq!(Pointers::FirstReports.key_at(sort), key);
        assert_eq!(Pointers::FirstReports.sort_at(key).unwrap(), sort);
    }
}
