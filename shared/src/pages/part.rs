//! Lists that are read whole and shown page by page, so that a page has 50 kB at most.

use super::{PageError, PageRequest};

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
        request: &PageRequest,
        path: &str,
        items: Vec<T>,
        most: usize,
        id: impl Fn(&T) -> String,
    ) -> Result<Self, PageError> {
        Part::by(request, (path, FROM), items, most, id)
    }

    /// The same by another parameter, of a second list on a page.
    pub(super) fn by(
        request: &PageRequest,
        (path, parameter): (&str, &str),
        mut items: Vec<T>,
        most: usize,
        id: impl Fn(&T) -> String,
    ) -> Result<Self, PageError> {
        let from = request.parameter(parameter)?;
        let at = items.iter().position(|item| Some(id(item)) == from).unwrap_or_default();
        let mut items = items.split_off(at);
        let next = items.get(most).map(|item| request.further(parameter, &id(item)));
        items.truncate(most);
        Ok(Part { items, first: (at > 0).then(|| request.path(path)), next })
    }
}
