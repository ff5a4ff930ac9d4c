//! Where one can go in the portal, and from which of these places a page is.

use super::PageRequest;
use crate::access::{Permission, Role};

/// A place that the navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The name of the message that it is called by.
    pub name: &'static str,
    /// Its path, below that of the mode. What is below it in turn belongs to it.
    pub path: &'static str,
    /// What a member of an organization must be allowed to go there; none where everybody may.
    pub needs: Option<Permission>,
    /// The name of the message that a group of places is called by, which this one is of.
    pub group: Option<&'static str>,
}

impl Place {
    const fn open(name: &'static str, path: &'static str) -> Self {
        Place { name, path, needs: None, group: None }
    }

    const fn needing(name: &'static str, path: &'static str, needs: Permission) -> Self {
        Place { name, path, needs: Some(needs), group: None }
    }

    /// A place for who writes software (specification 5.1, 5.4 and 6.1: "in the portal under Developer").
    const fn developer(name: &'static str, path: &'static str) -> Self {
        Place { name, path, needs: Some(Permission::Look), group: Some("nav-developer") }
    }

    /// Whether a path, without that of its mode, is the place's or below it.
    fn holds(&self, path: &str) -> bool {
        path.strip_prefix(self.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The places of a taxpayer.
const TAXPAYER: &[Place] = &[
    Place::open("nav-account", "/account"),
    // Specification 3.1: "Taxpayer revokes under Connected apps".
    Place::open("connected-title", "/account#apps"),
    Place::open("nav-documents", "/documents"),
    Place::open("archives-title", "/account/archives"),
    Place::open("nav-business", "/account/business"),
    Place::open("nav-settings", "/account/settings"),
];

/// The places of an organization.
const ORGANIZATION: &[Place] = &[
    Place::open("overview-title", "/organization"),
    Place::needing("taxpayers-title", "/organization/taxpayers", Permission::Look),
    Place::open("members-title", "/organization/members"),
    Place::open("member-sessions-title", "/organization/sessions"),
    Place::needing("billing-title", "/organization/billing", Permission::Bill),
    Place::needing("audit-title", "/organization/audit", Permission::Audit),
    Place::developer("keys-title", "/organization/keys"),
    Place::developer("webhooks-title", "/organization/webhooks"),
    Place::developer("events-title", "/organization/events"),
    Place::developer("clients-title", "/organization/clients"),
];

/// Whose portal it is: which places there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nav {
    /// Nobody's: a page that stands alone, such as that of signing in.
    #[default]
    None,
    /// A taxpayer's.
    Taxpayer,
    /// An organization's, with what a member of such a role may see of it.
    Member(Role),
}

impl Nav {
    fn places(self) -> impl Iterator<Item = &'static Place> {
        let (places, role) = match self {
            Nav::None => (&[][..], None),
            Nav::Taxpayer => (TAXPAYER, None),
            Nav::Member(role) => (ORGANIZATION, Some(role)),
        };
        let is_open = move |needs| role.is_some_and(|role| role.may(needs));
        places.iter().filter(move |place| place.needs.is_none_or(is_open))
    }

    /// The entries on a page.
    pub(super) fn entries(self, request: &PageRequest) -> Vec<Entry> {
        let here = request.path_below_mode();
        // A place may lie below another: the page belongs to the nearer one.
        let nearest = self.places().filter(|place| place.holds(here));
        let nearest = nearest.max_by_key(|place| place.path.len());
        let mut group = None;
        let entry = |place: &'static Place| Entry {
            begins: std::mem::replace(&mut group, place.group)
                .ne(&place.group)
                .then_some(place.group)
                .flatten(),
            name: place.name,
            path: request.path(place.path),
            current: match nearest {
                Some(nearest) if nearest == place && here == place.path => Some("page"),
                Some(nearest) if nearest == place => Some("true"),
                _ => None,
            },
        };
        self.places().map(entry).collect()
    }
}

/// A place in the navigation of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name of the message that a group is called by, of the first of its places.
    pub begins: Option<&'static str>,
    /// The name of the message that it is called by.
    pub name: &'static str,
    /// Where it is.
    pub path: String,
    /// What `aria-current` says of it (WAI-ARIA 1.2): `page` for the page itself, `true` for a page below it.
    pub current: Option<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_holds_what_is_below_it_and_no_namesake() {
        let place = Place::open("nav-account", "/account");
        for (path, held) in
            [("/account", true), ("/account/x", true), ("/accounts", false), ("/", false)]
        {
            assert_eq!(place.holds(path), held, "{path}");
        }
    }

    #[test]
    fn a_member_is_led_where_its_role_may_go() {
        for role in Role::ALL {
            for place in Nav::Member(role).places() {
                assert!(place.needs.is_none_or(|needs| role.may(needs)), "{role:?} {place:?}");
            }
        }
        assert_eq!(Nav::None.places().count(), 0);
    }
}
