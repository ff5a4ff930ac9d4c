//! A place in the request body. It becomes an RFC 6901 pointer only when there is a finding.

use std::fmt::Write as _;

/// A step on the path from the body to a value. It lives on the stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    /// The whole body.
    pub(super) const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

    /// The whole body, as a reference.
    pub(super) const ROOT_REF: &'static Place<'static> = &Place::ROOT;

    /// A member of the object at this place.
    pub(super) fn field<'b>(&'b self, name: &'b str) -> Place<'b>
    where
        'a: 'b,
    {
        Place { parent: Some(self), step: Step::Field(name) }
    }

    /// An element of the list at this place.
    pub(super) fn index<'b>(&'b self, index: usize) -> Place<'b>
    where
        'a: 'b,
    {
        Place { parent: Some(self), step: Step::Index(index) }
    }

    /// Whether the place is the whole body.
    pub(super) fn is_root(&self) -> bool {
        matches!(self.step, Step::Root)
    }

    /// Whether the place is a member with this name.
    pub(super) fn is(&self, name: &str) -> bool {
        matches!(self.step, Step::Field(field) if field == name)
    }

    /// The RFC 6901 pointer.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = self.parent.map(Place::pointer).unwrap_or_default();
        match self.step {
            Step::Root => {}
            // RFC 6901 section 3: "~" becomes "~0" and "/" becomes "~1".
            Step::Field(name) => {
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Step::Index(index) => _ = write!(pointer, "/{index}"),
        }
        pointer
    }
}
