use std::fmt;

use serde::{Deserialize, Serialize};

use crate::peppol::identifiers::DocumentType;

/// The kind of an OpenPeppol report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Transaction Statistics Report.
    #[serde(rename = "TSR")]
    Transactions,
    /// End User Statistics Report.
    #[serde(rename = "EUSR")]
    EndUsers,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Kind; 2] = [Kind::Transactions, Kind::EndUsers];

    /// The abbreviation that OpenPeppol uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Transactions => "TSR",
            Kind::EndUsers => "EUSR",
        }
    }

    /// The document type of the report.
    pub fn document_type(self) -> DocumentType {
        match self {
            Kind::Transactions => DocumentType::TRANSACTION_STATISTICS,
            Kind::EndUsers => DocumentType::END_USER_STATISTICS,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
