//! The XML that both reports share.

use quick_xml::escape::escape;

use super::Month;
use crate::peppol::identifiers::SeatId;

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
pub(super) struct Out {
    text: String,
    root: &'static str,
}

impl Out {
    /// Writes the head of the report.
    pub(super) fn report(
        (root, namespace, customization): (&'static str, &str, &str),
        month: Month,
        reporter: &SeatId,
    ) -> Self {
        let (first, last, reporter) = (month.first(), month.last(), reporter.as_str());
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<{root} xmlns=\"{namespace}\">
  <CustomizationID>{customization}</CustomizationID>
  <ProfileID>{PROFILE}</ProfileID>
  <Header>
    <ReportPeriod>
      <StartDate>{first}</StartDate>
      <EndDate>{last}</EndDate>
    </ReportPeriod>
    <ReporterID schemeID=\"CertSubjectCN\">{reporter}</ReporterID>
  </Header>
"
        );
        Out { text, root }
    }

    /// Writes a part: its type if it has one, its keys and its numbers.
    pub(super) fn part(
        &mut self,
        (name, kind): (&str, Option<&str>),
        keys: &[Key],
        numbers: &[(&str, u128)],
    ) {
        let kind = kind.map_or(String::new(), |kind| format!(" type=\"{kind}\""));
        self.text += &format!("  <{name}{kind}>\n");
        for Key { meta, scheme, value } in keys {
            let (scheme, value) = (escape(scheme), escape(value));
            self.text +=
                &format!("    <Key metaSchemeID=\"{meta}\" schemeID=\"{scheme}\">{value}</Key>\n");
        }
        for (number, value) in numbers {
            self.text += &format!("    <{number}>{value}</{number}>\n");
        }
        self.text += &format!("  </{name}>\n");
    }

    /// Closes the report and returns it.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.text += &format!("</{}>\n", self.root);
        self.text.into_bytes()
    }
}
