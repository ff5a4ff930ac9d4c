use jiff::tz::Offset;

use super::{Acceptance, CUSTOMIZATION, Line, PROFILE, Reason, Status, Text, Verdict};
use crate::{peppol::identifiers::Spid, xml::Writer};

const ROOT: &str = "ApplicationResponse";
const NAMESPACES: [(&str, &str); 3] = [
    ("xmlns", "urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2"),
    ("xmlns:cac", "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"),
    ("xmlns:cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"),
];

/// Writes a status. The elements are in the order of the schema, the time is in UTC with milliseconds.
pub fn write(status: &Status) -> Vec<u8> {
    let Status { id, issued_at, sender, receiver, ref_to, verdict } = status;
    let issued = Offset::UTC.to_datetime(*issued_at);
    let mut out = Writer::indented(0);
    out.open(ROOT, &NAMESPACES);
    out.text("cbc:CustomizationID", CUSTOMIZATION);
    out.text("cbc:ProfileID", PROFILE);
    out.text("cbc:ID", id.as_str());
    out.text("cbc:IssueDate", &issued.date().to_string());
    out.text("cbc:IssueTime", &format!("{:.3}Z", issued.time()));
    party(&mut out, "cac:SenderParty", sender);
    party(&mut out, "cac:ReceiverParty", receiver);
    let description = match verdict {
        Verdict::Accepted(said) | Verdict::AcceptedUnconfirmed(said) => said.description.as_ref(),
        Verdict::Rejected(said) => Some(said.description()),
    };
    out.group("cac:DocumentResponse", &[], |out| {
        out.group("cac:Response", &[], |out| {
            out.text("cbc:ResponseCode", verdict.code());
            out.optional("cbc:Description", description.map(Text::as_str));
        });
        out.group("cac:DocumentReference", &[], |out| out.text("cbc:ID", ref_to.as_str()));
        match verdict {
            Verdict::Accepted(Acceptance { warnings, .. })
            | Verdict::AcceptedUnconfirmed(Acceptance { warnings, .. }) => {
                for warning in warnings {
                    line(out, &warning.line, &warning.description, Reason::Warning);
                }
            }
            Verdict::Rejected(said) => {
                for issue in said.issues() {
                    line(out, &issue.line, &issue.description, issue.reason);
                }
            }
        }
    });
    out.close(ROOT);
    out.finish().into_bytes()
}

fn party(out: &mut Writer, element: &str, provider: &Spid) {
    out.group(element, &[], |out| {
        out.leaf("cbc:EndpointID", [("schemeID", Spid::SCHEME)], provider.value());
    });
}

fn line(out: &mut Writer, line: &Line, description: &Text, reason: Reason) {
    out.group("cac:LineResponse", &[], |out| {
        out.group("cac:LineReference", &[], |out| {
            out.text("cbc:LineID", line.xpath().unwrap_or(Line::NA));
        });
        out.group("cac:Response", &[], |out| {
            out.text("cbc:Description", description.as_str());
            out.group("cac:Status", &[], |out| out.text("cbc:StatusReasonCode", reason.code()));
        });
    });
}
