//! Lists with conditions: the filters of a form, as parameters of the query.

use jiff::{
    Timestamp,
    civil::{Date, Time},
};
use url::form_urlencoded;

use super::{PageError, PageRequest};
use crate::types::UAE_OFFSET;

/// The parameter with the cursor of the next page.
pub(super) const CURSOR: &str = "cursor";

/// The conditions of a list as they were sent. The form shows them again, also invalid ones.
#[derive(Debug)]
pub(super) struct Conditions {
    /// The path of the list, and of its form.
    pub(super) list: String,
    given: Vec<(&'static str, String)>,
}

impl Conditions {
    /// The conditions with these names in the query.
    pub(super) fn of(
        request: &PageRequest,
        list: String,
        names: &[&'static str],
    ) -> Result<Self, PageError> {
        let mut given = Vec::with_capacity(names.len());
        for name in names {
            let value = request.parameter(name)?.unwrap_or_default();
            given.push((*name, value.trim().to_owned()));
        }
        Ok(Conditions { list, given })
    }

    /// Conditions as if the query had these.
    #[cfg(test)]
    pub(super) fn these(given: &[(&'static str, &str)]) -> Self {
        let given = given.iter().map(|(name, value)| (*name, (*value).to_owned()));
        Conditions { list: "/list".to_owned(), given: given.collect() }
    }

    /// The value of a condition; empty if it is not set.
    pub(super) fn get(&self, name: &str) -> &str {
        self.given.iter().find(|(found, _)| *found == name).map_or("", |(_, value)| value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.given.iter().all(|(_, value)| value.is_empty())
    }

    /// Whether a condition beside these is set.
    pub(super) fn has_other_than(&self, names: &[&str]) -> bool {
        self.given.iter().any(|(name, value)| !value.is_empty() && !names.contains(name))
    }

    /// The path of a page of the list with the same conditions; without a cursor, the first page.
    pub(super) fn page(&self, cursor: Option<&str>) -> String {
        let query = self.query(cursor);
        if query.is_empty() { self.list.clone() } else { format!("{}?{query}", self.list) }
    }

    /// The conditions and a cursor as a query. Conditions that are not set are left out.
    pub(super) fn query(&self, cursor: Option<&str>) -> String {
        let given = self.given.iter().map(|(name, value)| (*name, value.as_str()));
        let given = given.filter(|(_, value)| !value.is_empty());
        let given = given.chain(cursor.map(|cursor| (CURSOR, cursor)));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish()
    }

    /// The conditions with these names in a query.
    pub(super) fn of_query(query: &str, list: String, names: &[&'static str]) -> Self {
        let value = |name: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            let found = pairs.find(|(found, _)| found == name);
            found.map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        let given = names.iter().map(|name| (*name, value(name))).collect();
        Conditions { list, given }
    }

    /// The path of the list with one condition changed.
    pub(super) fn with(&self, name: &'static str, value: &str) -> String {
        let others = self.given.iter().filter(|(found, _)| *found != name);
        let given = others.cloned().chain([(name, value.to_owned())]).collect();
        Conditions { list: self.list.clone(), given }.page(None)
    }

    /// The address of another page for the same conditions.
    pub(super) fn at(&self, page: &str) -> String {
        Conditions { list: format!("{}/{page}", self.list), given: self.given.clone() }.page(None)
    }

    /// The parsed value of a condition; `None` if it is empty, its name if it is invalid.
    pub(super) fn read<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, &'static str> {
        match self.get(name) {
            "" => Ok(None),
            text => read(text).map(Some).ok_or(name),
        }
    }

    /// The first instant of a day in the UAE.
    pub(super) fn day_begins(&self, name: &'static str) -> Result<Option<Timestamp>, &'static str> {
        self.read(name, |text| instant(text, Time::MIN))
    }

    /// The last instant of a day in the UAE.
    pub(super) fn day_ends(&self, name: &'static str) -> Result<Option<Timestamp>, &'static str> {
        self.read(name, |text| instant(text, Time::MAX))
    }
}

fn instant(day: &str, time: Time) -> Option<Timestamp> {
    let day: Date = day.parse().ok()?;
    UAE_OFFSET.to_timestamp(day.to_datetime(time)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_page_says_what_was_asked_for() {
        let wanted = Conditions::these(&[("number", "A&1"), ("status", "")]);
        assert_eq!(wanted.page(Some("c")), "/list?number=A%261&cursor=c");
        assert_eq!(wanted.page(None), "/list?number=A%261");
        assert!(!wanted.is_empty());
        let none = Conditions::these(&[("number", "")]);
        assert_eq!((none.page(None).as_str(), none.is_empty()), ("/list", true));
    }

    #[test]
    fn a_day_is_one_of_the_uae_and_whole() {
        let wanted = Conditions::these(&[("from", "2026-11-20"), ("to", "2026-11-20")]);
        let found =
            [wanted.day_begins("from"), wanted.day_ends("to")].map(|it| it.unwrap().unwrap());
        let text = found.map(|instant| instant.to_string());
        assert_eq!(text, ["2026-11-19T20:00:00Z", "2026-11-20T19:59:59.999999999Z"]);
        assert_eq!(wanted.day_begins("other"), Ok(None));
        for wrong in ["2026-02-30", "yesterday", "9999-12-31x"] {
            assert_eq!(
                Conditions::these(&[("from", wrong)]).day_begins("from"),
                Err("from"),
                "{wrong}"
            );
        }
    }
}
