//! What a list of documents shows: its search box, its views, its filters and its order, from the query of the page.

use crate::{
    pages::{PageError, PageRequest, conditions::Conditions},
    service::documents::{Filter, Needle, Order, Purpose, Search},
    store::{Direction, Status},
};

use super::said::{self, OPERATIONS};

/// The longest search text: that of a number (IBT-001).
const MAX_TEXT: usize = 200;

/// The conditions of the form. Filters have the names of the API.
const CONDITIONS: [&str; 12] = [
    "q",
    "view",
    "sort",
    "direction",
    "type",
    "status",
    "number",
    "source_id",
    "issued_from",
    "issued_to",
    "created_from",
    "created_to",
];
/// The conditions that are not filters.
pub(super) const NO_FILTERS: [&str; 3] = ["q", "view", "sort"];

/// The views: the value of the parameter, and the name of the message.
pub(super) const VIEWS: [(&str, &str); 5] = [
    ("", "documents-view-all"),
    ("fix", "documents-view-fix"),
    ("sent", "documents-view-sent"),
    ("received", "documents-view-received"),
    ("waiting", "documents-view-waiting"),
];

/// The orders.
pub(super) const ORDERS: [(&str, &str); 3] = [
    ("", "documents-sort-created"),
    ("oldest", "documents-sort-oldest"),
    ("issued", "documents-sort-issued"),
];

/// A choice of the form: its value, the name of its message, and whether it is selected.
pub(super) type Choice = (&'static str, &'static str, bool);

/// The choices of directions, kinds and statuses.
pub(super) fn choices(wanted: &Conditions) -> [Vec<Choice>; 3] {
    let directions = [Direction::Outbound, Direction::Inbound];
    [
        directions
            .map(|it| (it.as_str(), said::direction(it), it.as_str() == wanted.get("direction")))
            .into(),
        OPERATIONS.map(|(name, it)| (name, said::operation(it), name == wanted.get("type"))).into(),
        Status::ALL
            .map(|it| (it.as_str(), said::status(it).1, it.as_str() == wanted.get("status")))
            .into(),
    ]
}

/// A search, and the conditions that it is from; or the invalid condition.
pub(super) fn asked(
    request: &PageRequest,
    list: String,
) -> Result<(Conditions, Result<Search, &'static str>), PageError> {
    let wanted = Conditions::of(request, list, &CONDITIONS)?;
    let search = search(&wanted);
    Ok((wanted, search))
}

/// The conditions of a saved view of a list.
pub(in crate::pages) fn conditions(query: &str, list: String) -> Conditions {
    Conditions::of_query(query, list, &CONDITIONS)
}

/// The search, or the name of the invalid condition.
fn search(wanted: &Conditions) -> Result<Search, &'static str> {
    let day = |text: &str| text.parse().ok();
    let direction = wanted.read("direction", |text| {
        [Direction::Outbound, Direction::Inbound].into_iter().find(|it| it.as_str() == text)
    })?;
    let (purpose, of_view) = wanted.read("view", view)?.unwrap_or_default();
    let filter = Filter {
        // A view with another direction than the filter has nothing.
        direction: of_view.or(direction),
        document_type: wanted.read("type", |text| {
            OPERATIONS.into_iter().find(|(name, _)| *name == text).map(|(_, it)| it)
        })?,
        status: wanted
            .read("status", |text| Status::ALL.into_iter().find(|it| it.as_str() == text))?,
        source_id: wanted.read("source_id", short)?,
        number: wanted.read("number", short)?,
        issued_from: wanted.read("issued_from", day)?,
        issued_to: wanted.read("issued_to", day)?,
        created_from: wanted.day_begins("created_from")?,
        created_to: wanted.day_ends("created_to")?,
    };
    let order = wanted.read("sort", |text| match text {
        "issued" => Some(Order::Issued),
        "oldest" => Some(Order::Oldest),
        _ => None,
    })?;
    let needle = wanted.read("q", short)?.as_deref().and_then(Needle::of);
    Ok(Search { filter, purpose, needle, order: order.unwrap_or_default() })
}

fn view(name: &str) -> Option<(Purpose, Option<Direction>)> {
    match name {
        "fix" => Some((Purpose::Fix, Some(Direction::Outbound))),
        "sent" => Some((Purpose::Any, Some(Direction::Outbound))),
        "received" => Some((Purpose::Any, Some(Direction::Inbound))),
        "waiting" => Some((Purpose::Waiting, None)),
        _ => None,
    }
}

fn short(text: &str) -> Option<String> {
    (text.chars().count() <= MAX_TEXT).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_that_says_nothing_is_named() {
        let long = "9".repeat(MAX_TEXT + 1);
        for (name, value) in [
            ("q", &*long),
            ("view", "mine"),
            ("sort", "size"),
            ("direction", "sideways"),
            ("type", "letter"),
            ("status", "lost"),
            ("number", &long),
            ("source_id", &long),
            ("issued_from", "2026-02-30"),
            ("issued_to", "yesterday"),
            ("created_from", "2026-02-30"),
            ("created_to", "yesterday"),
        ] {
            assert_eq!(search(&Conditions::these(&[(name, value)])), Err(name));
        }
    }

    #[test]
    fn a_view_is_a_purpose_or_a_direction() {
        for (name, purpose, direction) in [
            ("fix", Purpose::Fix, Some(Direction::Outbound)),
            ("received", Purpose::Any, Some(Direction::Inbound)),
            ("waiting", Purpose::Waiting, None),
        ] {
            let found = search(&Conditions::these(&[("view", name)])).unwrap();
            assert_eq!((found.purpose, found.filter.direction), (purpose, direction), "{name}");
        }
        let named: Vec<_> = VIEWS.iter().filter(|(name, _)| view(name).is_some()).collect();
        assert_eq!(named.len(), VIEWS.len() - 1, "every tab but the one of all documents");
    }
}
