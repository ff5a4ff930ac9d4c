use jiff::tz::Offset;
use quick_xml::escape::escape;

use super::{Acceptance, CUSTOMIZATION, Line, PROFILE, Reason, Status, Text, Verdict};
use crate::peppol::identifiers::Spid;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ApplicationResponse xmlns="urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
"#;

/// Writes a status. The elements are in the order of the schema, the time is in UTC with milliseconds.
pub fn write(status: &Status) -> Vec<u8> {
    let Status { id, issued_at, sender, receiver, ref_to, verdict } = status;
    let issued = Offset::UTC.to_datetime(*issued_at);
    let mut out = HEAD.to_owned();
    for (element, text) in [
        ("CustomizationID", CUSTOMIZATION),
        ("ProfileID", PROFILE),
        ("ID", id.as_str()),
        ("IssueDate", &issued.date().to_string()),
        ("IssueTime", &format!("{:.3}Z", issued.time())),
    ] {
        out.push_str(&format!("  <cbc:{element}>{}</cbc:{element}>\n", escape(text)));
    }
    party(&mut out, "SenderParty", sender);
    party(&mut out, "ReceiverParty", receiver);
    let description = match verdict {
        Verdict::Accepted(said) | Verdict::AcceptedUnconfirmed(said) => said.description.as_ref(),
        Verdict::Rejected(said) => Some(said.description()),
    };
    out.push_str(&format!(
        "  <cac:DocumentResponse>\n    <cac:Response>\n      <cbc:ResponseCode>{}</cbc:ResponseCode>\n",
        verdict.code(),
    ));
    if let Some(text) = description {
        out.push_str(&format!(
            "      <cbc:Description>{}</cbc:Description>\n",
            escape(text.as_str())
        ));
    }
    out.push_str(&format!(
        "    </cac:Response>\n    <cac:DocumentReference>\n      <cbc:ID>{}</cbc:ID>\n    </cac:DocumentReference>\n",
        escape(ref_to.as_str()),
    ));
    match verdict {
        Verdict::Accepted(Acceptance { warnings, .. })
        | Verdict::AcceptedUnconfirmed(Acceptance { warnings, .. }) => {
            for warning in warnings {
                line(&mut out, &warning.line, &warning.description, Reason::Warning);
            }
        }
        Verdict::Rejected(said) => {
            for issue in said.issues() {
                line(&mut out, &issue.line, &issue.description, issue.reason);
            }
        }
    }
    out.push_str("  </cac:DocumentResponse>\n</ApplicationResponse>\n");
    out.into_bytes()
}

fn party(out: &mut String, element: &str, provider: &Spid) {
    out.push_str(&format!(
        "  <cac:{element}>\n    <cbc:EndpointID schemeID=\"{}\">{}</cbc:EndpointID>\n  </cac:{element}>\n",
        Spid::SCHEME,
        escape(provider.value()),
    ));
}

fn line(out: &mut String, line: &Line, description: &Text, reason: Reason) {
    out.push_str(&format!(
        "    <cac:LineResponse>
      <cac:LineReference>
        <cbc:LineID>{}</cbc:LineID>
      </cac:LineReference>
      <cac:Response>
        <cbc:Description>{}</cbc:Description>
        <cac:Status>
          <cbc:StatusReasonCode>{}</cbc:StatusReasonCode>
        </cac:Status>
      </cac:Response>
    </cac:LineResponse>\n",
        escape(line.xpath().unwrap_or(Line::NA)),
        escape(description.as_str()),
        reason.code(),
    ));
}
