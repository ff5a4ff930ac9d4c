//! The registered profile of a taxpayer.

use super::{
    findings::Findings,
    json::{FromJson, ToJson, Tree, read_field},
    model::Party,
    place::Place,
    read::ReadError,
};

/// Who a taxpayer is: established when it was onboarded, and never taken from a body.
///
/// As JSON it is a [`Party`] with one more field, `vat_identifiers`: the TRNs that the taxpayer
/// also invoices under, such as that of its VAT group, which is not made of its own TIN.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The supplier of its documents, and the customer of its self-billed ones.
    pub party: Party,
    /// IBT-031, IBT-048 TRNs beside `vat_identifier` of the party.
    pub vat_identifiers: Vec<String>,
}

/// The field that a profile has and a party has not.
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

    /// The profile as JSON that [`Profile::from_json`] reads.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = self.party.to_json();
        if let (Some(members), Some(further)) =
            (json.as_object_mut(), ToJson::to_json(&self.vat_identifiers))
        {
            members.insert(VAT_IDENTIFIERS.to_owned(), further);
        }
        json
    }

    /// Whether the taxpayer invoices under a TRN.
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
