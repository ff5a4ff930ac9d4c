//! The registered profile of a taxpayer.

use super::{
    findings::Findings,
    json::{FromJson, ToJson, Tree, read_field},
    model::Party,
    place::Place,
    read::ReadError,
};

/// The identity of a taxpayer. Onboarding establishes it; it never comes from a body.
///
/// In JSON it is a [`Party`] with the extra field `vat_identifiers`. That field lists further TRNs under which the
/// taxpayer invoices, such as the TRN of its VAT group, which does not contain the taxpayer's own TIN.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The supplier of the taxpayer's documents, and the customer of its self-billed documents.
    pub party: Party,
    /// IBT-031, IBT-048: further TRNs beside `vat_identifier` of the party.
    pub vat_identifiers: Vec<String>,
}

/// The extra field of a profile in JSON.
const VAT_IDENTIFIERS: &str = "vat_identifiers";

impl Profile {
    /// Reads a profile.
    pub fn from_json(json: &[u8]) -> Result<Profile, ReadError> {
        let mut tree = Tree::parse(json).map_err(ReadError::Malformed)?;
        let mut findings = Findings::default();
        let further = read_field(&tree, VAT_IDENTIFIERS, Place::ROOT, &mut findings);
        if let Tree::Object(members) = &mut tree {
            members.retain(|(name, _)| name != VAT_IDENTIFIERS);
        }
        let party = <Party as FromJson>::from_json(&tree, Place::ROOT, &mut findings);
        match (party, further) {
            (Some(party), Some(vat_identifiers)) if !findings.has_errors() => {
                Ok(Profile { party, vat_identifiers })
            }
            _ => Err(ReadError::Invalid(findings.into_vec())),
        }
    }

    /// Writes the profile as JSON that [`Profile::from_json`] reads.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = self.party.to_json();
        if let (Some(members), Some(further)) =
            (json.as_object_mut(), ToJson::to_json(&self.vat_identifiers))
        {
            members.insert(VAT_IDENTIFIERS.to_owned(), further);
        }
        json
    }

    /// Whether the taxpayer invoices under this TRN.
    pub(super) fn has_vat_identifier(&self, trn: &str) -> bool {
        let own = self.party.vat_identifier.iter().chain(&self.vat_identifiers);
        own.into_iter().any(|own| own == trn)
    }
}

impl From<Party> for Profile {
    fn from(party: Party) -> Self {
        Profile { party, vat_identifiers: Vec::new() }
    }
}
