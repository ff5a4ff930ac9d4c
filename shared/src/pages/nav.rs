//! The navigation of the portal, and the current place in it.

use url::form_urlencoded;

use super::{App, PageRequest, icons::Icon};
use crate::{
    access::{Permission, Role},
    types::Mode,
};

/// A place that the navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The name of the message with its label.
    pub name: &'static str,
    /// Its path, below that of the mode. Longer paths belong to the same place.
    pub path: &'static str,
    /// Paths beside it, whose pages belong to it, too.
    pub beside: &'static [&'static str],
    /// The icon before its label.
    pub icon: Icon,
    /// The permission that a member needs; `None` if every member may go there.
    pub needs: Option<Permission>,
    /// The name of the message with the label of its group.
    pub group: Option<&'static str>,
}

impl Place {
    const fn open(name: &'static str, path: &'static str, icon: Icon) -> Self {
        Place { name, path, beside: &[], icon, needs: None, group: None }
    }

    const fn needing(self, needs: Permission) -> Self {
        Place { needs: Some(needs), ..self }
    }

    const fn with(self, beside: &'static [&'static str]) -> Self {
        Place { beside, ..self }
    }

    /// A place for developers (specification 5.1, 5.4 and 6.1: "in the portal under Developer").
    const fn developer(name: &'static str, path: &'static str, icon: Icon) -> Self {
        Place { group: Some("nav-developer"), ..Place::open(name, path, icon) }
            .needing(Permission::Look)
    }

    /// A place about the organization itself.
    const fn organization(name: &'static str, path: &'static str, icon: Icon) -> Self {
        Place { group: Some("nav-organization"), ..Place::open(name, path, icon) }
    }

    /// How much of a path, without that of its mode, leads to this place; `None` if the path belongs elsewhere.
    fn holds(&self, path: &str) -> Option<usize> {
        let is_below = |own: &&str| {
            path.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        [self.path].iter().chain(self.beside).copied().filter(is_below).map(str::len).max()
    }
}

/// The places of a taxpayer.
const TAXPAYER: &[Place] = &[
    Place::open("nav-home", "/account", Icon::Home),
    Place::open("nav-documents", "/documents", Icon::Documents),
    Place::open("archives-title", "/account/archives", Icon::Archive),
    // Specification 3.1: "Taxpayer revokes under Connected apps".
    Place::open("connected-title", "/account#apps", Icon::Apps),
    Place::open("nav-business", "/account/business", Icon::Business),
    Place::open("nav-settings", "/account/settings", Icon::Settings),
];

/// The places of an organization.
const ORGANIZATION: &[Place] = &[
    Place::open("nav-home", "/organization", Icon::Home),
    Place::open("nav-documents", "/organization/documents", Icon::Documents)
        .with(&["/organization/write"])
        .needing(Permission::Look),
    Place::open("taxpayers-title", "/organization/taxpayers", Icon::Businesses)
        .with(&["/organization/logos", "/organization/grants", "/organization/imports"])
        .needing(Permission::Look),
    Place::developer("keys-title", "/organization/keys", Icon::Key),
    Place::developer("webhooks-title", "/organization/webhooks", Icon::Webhook),
    Place::developer("events-title", "/organization/events", Icon::Events),
    Place::developer("clients-title", "/organization/clients", Icon::Settings),
    Place::organization("members-title", "/organization/members", Icon::Members),
    Place::organization("notifications-title", "/organization/notifications", Icon::Notice),
    Place::organization("billing-title", "/organization/billing", Icon::Billing)
        .needing(Permission::Bill),
    Place::organization("audit-title", "/organization/audit", Icon::Audit)
        .needing(Permission::Audit),
];

/// The owner of the portal, which decides the places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nav {
    /// No navigation: a stand-alone page, such as sign-in.
    #[default]
    None,
    /// A taxpayer's.
    Taxpayer,
    /// An organization's, limited to the role of the member.
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

    /// The path of the person's own sessions, below that of the mode.
    pub(super) fn sessions(self) -> Option<&'static str> {
        match self {
            Nav::None => None,
            Nav::Taxpayer => Some("/account#sessions"),
            Nav::Member(_) => Some("/organization/sessions"),
        }
    }

    /// The role of a member.
    pub(super) fn role(self) -> Option<Role> {
        match self {
            Nav::Member(role) => Some(role),
            Nav::None | Nav::Taxpayer => None,
        }
    }

    /// The entries on a page.
    pub(super) fn entries(self, request: &PageRequest) -> Vec<Entry> {
        let here = request.path_below_mode();
        // A place may be below another: the page belongs to the longest matching path.
        let holding = self.places().filter_map(|place| Some((place.holds(here)?, place)));
        let nearest = holding.max_by_key(|(length, _)| *length).map(|(_, place)| place);
        let mut group = None;
        let entry = |place: &'static Place| Entry {
            begins: std::mem::replace(&mut group, place.group)
                .ne(&place.group)
                .then_some(place.group)
                .flatten(),
            name: place.name,
            icon: place.icon,
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

/// The name of the message for a role.
pub(super) fn role_name(role: &Role) -> &'static str {
    match role {
        Role::Owner => "role-owner",
        Role::Developer => "role-developer",
        Role::Billing => "role-billing",
        Role::Viewer => "role-viewer",
        Role::Unknown => "role-unknown",
    }
}

/// A place in the navigation of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name of the message with the group's label, on the first entry of a group.
    pub begins: Option<&'static str>,
    /// The name of the message with its label.
    pub name: &'static str,
    /// The icon before its label.
    pub icon: Icon,
    /// Its address.
    pub path: String,
    /// The value of `aria-current` (WAI-ARIA 1.2): `page` for the page itself, `true` for a page below it.
    pub current: Option<&'static str>,
}

/// The parameter and field with the path that continues after onboarding.
pub(super) const CONTINUE: &str = "continue";

/// The path at which a new business begins, if onboarding is possible here: in Live, with a national portal.
pub(super) fn onboard_path(app: &App, request: &PageRequest, then: &str) -> Option<String> {
    let is_open = request.mode == Mode::Live && app.national_portal.is_some();
    is_open.then(|| with_parameter("/onboard", CONTINUE, then))
}

/// A path with one parameter.
pub(super) fn with_parameter(path: &str, name: &str, value: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
    format!("{path}?{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_holds_what_is_below_it_and_no_namesake() {
        let place = Place::open("nav-home", "/account", Icon::Home).with(&["/card"]);
        for (path, held) in [
            ("/account", Some(8)),
            ("/account/x", Some(8)),
            ("/card/x", Some(5)),
            ("/accounts", None),
            ("/", None),
        ] {
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
