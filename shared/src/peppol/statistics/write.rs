//! The XML that both reports share.

use super::Month;
use crate::{peppol::identifiers::SeatId, xml::Writer};

/// The process of both reports (SCH-TSR-02, SCH-EUSR-02).
const PROFILE: &str = "urn:fdc:peppol.eu:edec:bis:reporting:1.0";

/// A key of a report's part.
pub(super) struct Key {
    pub(super) meta: &'static str,
    pub(super) scheme: String,
    pub(super) value: String,
}

impl Key {
    /// The text that the rules compare: for a country the code alone (SCH-TSR-14, SCH-EUSR-29).
    pub(super) fn compared(&self) -> String {
        match self.meta {
            "CC" => self.value.clone(),
            _ => format!("{}::{}", self.scheme, self.value),
        }
    }
}

/// A report under construction.
pub(super) struct Report {
    xml: Writer,
    root: &'static str,
}

impl Report {
    /// Writes the head of the report.
    pub(super) fn new(
        (root, namespace, customization): (&'static str, &str, &str),
        month: Month,
        reporter: &SeatId,
    ) -> Self {
        let mut xml = Writer::indented(0);
        xml.open(root, &[("xmlns", namespace)]);
        xml.text("CustomizationID", customization);
        xml.text("ProfileID", PROFILE);
        xml.group("Header", &[], |xml| {
            xml.group("ReportPeriod", &[], |xml| {
                xml.text("StartDate", &month.first().to_string());
                xml.text("EndDate", &month.last().to_string());
            });
            xml.leaf("ReporterID", [("schemeID", "CertSubjectCN")], reporter.as_str());
        });
        Report { xml, root }
    }

    /// Writes a part: its type if it has one, its keys and its numbers.
    pub(super) fn part(
        &mut self,
        (name, kind): (&str, Option<&str>),
        keys: &[Key],
        numbers: &[(&str, u128)],
    ) {
        let kind = kind.map(|kind| ("type", kind));
        self.xml.group(name, kind.as_slice(), |xml| {
            for Key { meta, scheme, value } in keys {
                let attributes = [("metaSchemeID", *meta), ("schemeID", scheme.as_str())];
                xml.leaf("Key", attributes, value);
            }
            for (number, value) in numbers {
                xml.text(number, &value.to_string());
            }
        });
    }

    /// Closes the report and returns it.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.xml.close(self.root);
        self.xml.finish().into_bytes()
    }
}
