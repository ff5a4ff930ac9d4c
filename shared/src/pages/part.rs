//! Lists that are read completely and shown page by page, so that a page has at most 50 kB.

use super::{PageError, PageRequest};

/// The parameter with the id of the first shown item.
const FROM: &str = "from";

/// The items of a list on a page.
pub(super) struct Part<T> {
    pub(super) items: Vec<T>,
    /// The addresses of the first page, if this is another one, and of the next page.
    pub(super) first: Option<String>,
    pub(super) next: Option<String>,
}

impl<T> Part<T> {
    /// At most this many items, from the item that the parameter [`FROM`] names by its id. If this item no longer
    /// exists, the list starts at its beginning.
    pub(super) fn of(
        request: &PageRequest,
        path: &str,
        items: Vec<T>,
        most: usize,
        id: impl Fn(&T) -> String,
    ) -> Result<Self, PageError> {
        Part::by(request, (path, FROM), items, most, id)
    }

    /// Like [`Part::of`], with another parameter for a second list on a page.
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
