//! Lists that are read whole and shown page by page, so that a page has 50 kB at most.

use super::{PageError, Visit};

/// The parameter with the first item of a list that is shown.
const FROM: &str = "from";

/// What a page shows of a list.
pub(super) struct Part<T> {
    pub(super) items: Vec<T>,
    /// Where the list begins, if this is not its beginning, and where it goes on.
    pub(super) first: Option<String>,
    pub(super) next: Option<String>,
}

impl<T> Part<T> {
    /// At most so many items, from the one on that the parameter [`FROM`] names by its identifier. From one that is gone the
    /// list begins anew.
    pub(super) fn of(
        visit: &Visit,
        path: &str,
        items: Vec<T>,
        most: usize,
        id: impl Fn(&T) -> String,
    ) -> Result<Self, PageError> {
        Part::by(visit, (path, FROM), items, most, id)
    }

    /// The same by another parameter, of a second list on a page.
    pub(super) fn by(
        visit: &Visit,
        (path, parameter): (&str, &str),
        mut items: Vec<T>,
        most: usize,
        id: impl Fn(&T) -> String,
    ) -> Result<Self, PageError> {
        let from = visit.parameter(parameter)?;
        let at = items.iter().position(|item| Some(id(item)) == from).unwrap_or_default();
        let mut items = items.split_off(at);
        let next = items.get(most).map(|item| visit.further(parameter, &id(item)));
        items.truncate(most);
        Ok(Part { items, first: (at > 0).then(|| visit.path(path)), next })
    }
}
