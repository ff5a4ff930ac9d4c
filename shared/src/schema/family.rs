//! Selects the schema for a document, and the declarations that the schema includes.

use super::tables::{self, Type};
use crate::xml::{Name, Node, names};

/// The schema for a root element.
#[derive(Debug, Clone, Copy)]
pub(super) enum Family {
    /// UBL with its imports and the namespace of this root element.
    Business(Name),
    /// The SBDH and the content of the Peppol envelope.
    Header,
    /// An OpenPeppol report, which has only its own namespace.
    Report(Name),
}

/// The documents of UBL. Each has its own namespace, and all share the other namespaces.
const BUSINESS: [Name; 4] = [
    names::invoice::INVOICE,
    names::credit_note::CREDIT_NOTE,
    names::application_response::APPLICATION_RESPONSE,
    names::tdd::TAX_DATA,
];
const HEADER: [Name; 2] =
    [names::sbdh::STANDARD_BUSINESS_DOCUMENT, names::sbdh::STANDARD_BUSINESS_DOCUMENT_HEADER];
const REPORTS: [Name; 2] =
    [names::tsr::TRANSACTION_STATISTICS_REPORT, names::eusr::END_USER_STATISTICS_REPORT];

impl Family {
    /// Returns the schema for a root element; `None` if no schema is known for it.
    pub(super) fn of(root: Node<'_>) -> Option<Family> {
        let name = root.name();
        if BUSINESS.contains(&name) {
            return Some(Family::Business(name));
        }
        if REPORTS.contains(&name) {
            return Some(Family::Report(name));
        }
        HEADER.contains(&name).then_some(Family::Header)
    }

    /// Whether the schema includes the declarations of a namespace.
    pub(super) fn includes(self, namespace: &str) -> bool {
        let envelope = names::envelope::BINARY_CONTENT;
        let mut header = HEADER.iter().chain([&envelope]);
        let is_header = header.any(|name| name.namespace() == namespace);
        match self {
            Family::Header => is_header,
            Family::Business(own) => {
                let is_root = BUSINESS.iter().any(|name| name.namespace() == namespace);
                let is_report = REPORTS.iter().any(|name| name.namespace() == namespace);
                own.namespace() == namespace || !(is_root || is_header || is_report)
            }
            Family::Report(own) => own.namespace() == namespace,
        }
    }

    /// The type of a global element in this schema.
    pub(super) fn declared(self, name: Name) -> Option<&'static Type> {
        tables::declared(name).filter(|_| self.includes(name.namespace()))
    }
}
