//! The End User Statistics Report: how many businesses sent and received documents.

use std::collections::HashSet;

use super::{
    Country, Month,
    groups::{Groups, country, document_type, process},
    write::Report,
};
use crate::peppol::identifiers::{DocumentType, Process, SeatId};

/// Root, namespace and specification of the report (SCH-EUSR-01).
const REPORT: (&str, &str, &str) = (
    "EndUserStatisticsReport",
    "urn:fdc:peppol:end-user-statistics-report:1.1",
    "urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1",
);

/// The end users of a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndUsers {
    /// The month.
    pub month: Month,
    /// The reporting provider.
    pub reporter: SeatId,
    /// The end users; repetitions are allowed.
    pub users: Vec<EndUser>,
}

/// The fact that a business sent or received documents.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EndUser {
    /// A unique identifier of the business.
    pub id: String,
    /// Its country.
    pub country: Country,
    /// The type of the documents.
    pub document_type: DocumentType,
    /// Their process.
    pub process: Process,
    /// Whether it sent or received them.
    pub role: Role,
}

/// The role of an end user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It sent.
    Sending,
    /// It received.
    Receiving,
}

/// Distinct businesses.
#[derive(Default)]
struct Businesses<'a> {
    sending: HashSet<&'a str>,
    receiving: HashSet<&'a str>,
}

impl<'a> Businesses<'a> {
    fn add(&mut self, user: &'a EndUser) {
        match user.role {
            Role::Sending => self.sending.insert(&user.id),
            Role::Receiving => self.receiving.insert(&user.id),
        };
    }

    fn numbers(&self) -> [(&'static str, u128); 3] {
        // Lengths fit.
        let number = |length: usize| u128::try_from(length).unwrap_or(u128::MAX);
        [
            ("SendingEndUsers", number(self.sending.len())),
            ("ReceivingEndUsers", number(self.receiving.len())),
            ("SendingOrReceivingEndUsers", number(self.sending.union(&self.receiving).count())),
        ]
    }
}

impl EndUsers {
    /// Writes the report. The elements are in the order of the schema, subsets in the order of their keys; empty
    /// subsets are omitted.
    pub fn write(&self) -> Vec<u8> {
        let mut all = Businesses::default();
        let mut by_process = Groups::<Businesses<'_>>::new();
        let mut by_process_and_country = Groups::<Businesses<'_>>::new();
        let mut by_type_and_country = Groups::<Businesses<'_>>::new();
        let mut by_country = Groups::<Businesses<'_>>::new();
        for user in &self.users {
            let kind = || document_type(&user.document_type);
            let process = || process(&user.process);
            let country = || country("EndUserCountry", Some(&user.country));
            all.add(user);
            by_process.of(vec![kind(), process()]).add(user);
            by_process_and_country.of(vec![kind(), process(), country()]).add(user);
            by_type_and_country.of(vec![kind(), country()]).add(user);
            by_country.of(vec![country()]).add(user);
        }
        let mut out = Report::new(REPORT, self.month, &self.reporter);
        out.part(("FullSet", None), &[], &all.numbers());
        for (kind, groups) in [
            ("PerDT-PR", &by_process),
            ("PerDT-PR-EUC", &by_process_and_country),
            ("PerDT-EUC", &by_type_and_country),
            ("PerEUC", &by_country),
        ] {
            for (keys, businesses) in groups.iter() {
                out.part(("Subset", Some(kind)), keys, &businesses.numbers());
            }
        }
        out.finish()
    }
}
