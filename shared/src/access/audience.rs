use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Grant, GrantStatus, Scope};
use crate::types::OrganizationId;

/// The organizations that receive an event. It is stored with the event and evaluated twice: when deliveries are
/// created from the event, and again before each attempt, because grants may end in the meantime.
///
/// "Consent does not replay historical events" (specification 6.1, point 3), and only active grants cover an event
/// (point 4). A grant therefore counts under two conditions:
///
/// - it was created before the event or together with it;
/// - it is active when the event is delivered.
///
/// The time when the event is relayed makes no difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Audience {
    /// Every organization whose active grants on the taxpayer have one of the scopes (specification
    /// 6.1, point 4).
    Granted {
        /// One of these scopes is enough.
        any_of: BTreeSet<Scope>,
        /// The organization that sent the document. It receives the event as long as it has the scope
        /// `invoices:write`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issuer: Option<OrganizationId>,
    },
    /// This organization, as long as it holds an active grant on the taxpayer, with any scopes.
    Connected {
        /// The organization.
        organization_id: OrganizationId,
    },
    /// This organization, with or without a grant: for events about the end of its grant.
    Organization {
        /// The organization.
        organization_id: OrganizationId,
    },
    /// A kind from a newer version: no organization.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Audience {
    /// The organizations, from the grants on the taxpayer and the time of the event. Grants that are inactive or
    /// younger than the event do not count. The scopes that a younger grant adds to an older one do not count either.
    pub fn among(&self, grants: &[Grant], at: Timestamp) -> BTreeSet<OrganizationId> {
        let counts = |grant: &&Grant| grant.status == GrantStatus::Active && grant.created_at <= at;
        let mut scopes: BTreeMap<&OrganizationId, BTreeSet<Scope>> = BTreeMap::new();
        for grant in grants.iter().filter(counts) {
            scopes.entry(&grant.organization_id).or_default().extend(&grant.scopes);
        }
        match self {
            Audience::Granted { any_of, issuer } => {
                let covered = |organization: &OrganizationId, scopes: &BTreeSet<Scope>| {
                    any_of.intersection(scopes).any(|scope| *scope != Scope::Unknown)
                        || (issuer.as_ref() == Some(organization)
                            && scopes.contains(&Scope::InvoicesWrite))
                };
                let covered = scopes.into_iter().filter(|(id, scopes)| covered(id, scopes));
                covered.map(|(id, _)| id.clone()).collect()
            }
            Audience::Connected { organization_id } => {
                let connected = scopes.contains_key(organization_id);
                connected.then(|| organization_id.clone()).into_iter().collect()
            }
            Audience::Organization { organization_id } => BTreeSet::from([organization_id.clone()]),
            Audience::Unknown => BTreeSet::new(),
        }
    }
}
