use std::fmt;

use serde::{Deserialize, Serialize};

use crate::peppol::identifiers::DocumentType;

/// Which of the two reports on a month.
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
    /// Both.
    pub const ALL: [Kind; 2] = [Kind::Transactions, Kind::EndUsers];

    /// What OpenPeppol calls it.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Transactions => "TSR",
            Kind::EndUsers => "EUSR",
        }
    }

    /// As which type of document it is sent.
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
