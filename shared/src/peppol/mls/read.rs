use jiff::{Timestamp, civil::Date};

use super::{
    Acceptance, CUSTOMIZATION, Issue, Line, MlsError, PROFILE, Reason, Rejection, Status, Text,
    Verdict, Warning,
};
use crate::{
    peppol::identifiers::{Spid, quoted},
    xml::{
        Limits, Name, Node,
        names::{application_response, attr, cac, cbc},
        parse_with,
    },
};

/// Longest status in bytes. A hundred issues take about 40,000.
const MOST_BYTES: usize = 5_000_000;

/// Reads a status. It checks the official rules in the order of the document, and accepts everything that they allow.
pub fn read(document: &[u8]) -> Result<Status, MlsError> {
    let tree = parse_with(document, &Limits { bytes: MOST_BYTES, ..Limits::DEFAULT })?;
    let root = tree.root();
    if root.name() != application_response::APPLICATION_RESPONSE {
        return Err(MlsError::Root(quoted(root.qualified_name())));
    }
    constant(root, cbc::CUSTOMIZATION_ID, "SCH-MLS-01", "CustomizationID", CUSTOMIZATION)?;
    constant(root, cbc::PROFILE_ID, "SCH-MLS-02", "ProfileID", PROFILE)?;
    let id = text(root.child(cbc::ID), "SCH-MLS-03", "ID")?;
    let issued_at = issued_at(root)?;
    let sender = provider(root, &SENDER)?;
    let receiver = provider(root, &RECEIVER)?;

    let response = only(root, cac::DOCUMENT_RESPONSE, "SCH-MLS-17", "DocumentResponse")?;
    let reference = only(response, cac::DOCUMENT_REFERENCE, "SCH-MLS-22", "DocumentReference")?;
    let element = "DocumentReference/ID";
    let ref_to = text(reference.child(cbc::ID), "SCH-MLS-26", element)?;
    let ref_to = ref_to
        .as_str()
        .parse()
        .map_err(|_| broken("SCH-MLS-26", element, Some(ref_to.as_str())))?;
    let verdict = verdict(response)?;
    Ok(Status { id, issued_at, sender, receiver, ref_to, verdict })
}

fn broken(rule: &'static str, element: &'static str, found: Option<&str>) -> MlsError {
    match found {
        Some(found) => MlsError::Broken { rule, element, found: quoted(found) },
        None => MlsError::Missing { rule, element },
    }
}

fn said(node: Option<Node<'_>>) -> Option<String> {
    node.map(|node| node.normalized().into_owned())
}

fn constant(
    parent: Node<'_>,
    name: Name,
    rule: &'static str,
    element: &'static str,
    value: &str,
) -> Result<(), MlsError> {
    match said(parent.child(name)) {
        Some(found) if found == value => Ok(()),
        found => Err(broken(rule, element, found.as_deref())),
    }
}

fn text(
    node: Option<Node<'_>>,
    rule: &'static str,
    element: &'static str,
) -> Result<Text, MlsError> {
    let found = said(node);
    found.as_deref().and_then(Text::new).ok_or_else(|| broken(rule, element, found.as_deref()))
}

fn only<'d>(
    parent: Node<'d>,
    name: Name,
    rule: &'static str,
    element: &'static str,
) -> Result<Node<'d>, MlsError> {
    let mut nodes = parent.all(name);
    match (nodes.next(), nodes.count()) {
        (Some(node), 0) => Ok(node),
        (first, more) => {
            Err(MlsError::Count { rule, element, found: usize::from(first.is_some()) + more })
        }
    }
}

/// Combines IssueDate, which has no zone, and IssueTime, which has one.
fn issued_at(root: Node<'_>) -> Result<Timestamp, MlsError> {
    let date = said(root.child(cbc::ISSUE_DATE));
    let day: Date = date
        .as_deref()
        .filter(|date| date.len() == "2026-01-31".len())
        .and_then(|date| date.parse().ok())
        .ok_or_else(|| broken("SCH-MLS-04", "IssueDate", date.as_deref()))?;
    let time = said(root.child(cbc::ISSUE_TIME)).ok_or(broken("SCH-MLS-05", "IssueTime", None))?;
    format!("{day}T{time}").parse().map_err(|_| broken("SCH-MLS-06", "IssueTime", Some(&time)))
}

/// A party, with the rules about its EndpointID: present, not empty, of the form of SPIS, with the scheme of SPIS.
struct Endpoint {
    party: Name,
    element: &'static str,
    scheme: &'static str,
    missing: &'static str,
    empty: &'static str,
    form: &'static str,
    no_scheme: &'static str,
    wrong_scheme: &'static str,
}

const SENDER: Endpoint = Endpoint {
    party: cac::SENDER_PARTY,
    element: "SenderParty/EndpointID",
    scheme: "SenderParty/EndpointID/@schemeID",
    missing: "SCH-MLS-07",
    empty: "SCH-MLS-08",
    form: "SCH-MLS-09",
    no_scheme: "SCH-MLS-10",
    wrong_scheme: "SCH-MLS-11",
};

const RECEIVER: Endpoint = Endpoint {
    party: cac::RECEIVER_PARTY,
    element: "ReceiverParty/EndpointID",
    scheme: "ReceiverParty/EndpointID/@schemeID",
    missing: "SCH-MLS-12",
    empty: "SCH-MLS-13",
    form: "SCH-MLS-14",
    no_scheme: "SCH-MLS-15",
    wrong_scheme: "SCH-MLS-16",
};

fn provider(root: Node<'_>, rules: &Endpoint) -> Result<Spid, MlsError> {
    let endpoint = root.child(rules.party).and_then(|party| party.child(cbc::ENDPOINT_ID));
    let endpoint = endpoint.ok_or(broken(rules.missing, rules.element, None))?;
    let value = endpoint.normalized();
    if value.is_empty() {
        return Err(broken(rules.empty, rules.element, Some("")));
    }
    match endpoint.attribute(attr::SCHEME_ID) {
        Some(Spid::SCHEME) => {}
        Some(other) => return Err(broken(rules.wrong_scheme, rules.scheme, Some(other))),
        None => return Err(broken(rules.no_scheme, rules.scheme, None)),
    }
    Spid::new(&value).map_err(|_| broken(rules.form, rules.element, Some(&value)))
}

fn verdict(document_response: Node<'_>) -> Result<Verdict, MlsError> {
    let response = document_response.child(cac::RESPONSE);
    let code = said(response.and_then(|response| response.child(cbc::RESPONSE_CODE)))
        .ok_or(broken("SCH-MLS-18", "ResponseCode", None))?;
    let description = response.and_then(|response| response.child(cbc::DESCRIPTION));
    match code.as_str() {
        "AP" => Ok(Verdict::Accepted(acceptance(description, issues(document_response)?)?)),
        "AB" => {
            Ok(Verdict::AcceptedUnconfirmed(acceptance(description, issues(document_response)?)?))
        }
        "RE" => rejection(description, document_response).map(Verdict::Rejected),
        other => Err(broken("SCH-MLS-19", "ResponseCode", Some(other))),
    }
}

fn acceptance(description: Option<Node<'_>>, issues: Vec<Issue>) -> Result<Acceptance, MlsError> {
    if issues.iter().any(|issue| issue.reason.is_failure()) {
        return Err(MlsError::Failure);
    }
    let warning = |Issue { line, description, .. }| Warning { line, description };
    Ok(Acceptance {
        description: said(description).as_deref().and_then(Text::new),
        warnings: issues.into_iter().map(warning).collect(),
    })
}

fn rejection(
    description: Option<Node<'_>>,
    document_response: Node<'_>,
) -> Result<Rejection, MlsError> {
    let rule = if description.is_some() { "SCH-MLS-21" } else { "SCH-MLS-20" };
    let description = text(description, rule, "Response/Description")?;
    let issues = issues(document_response)?;
    let named = issues.len();
    Rejection::new(description, issues).map_err(|_| MlsError::NoFailure { issues: named })
}

/// The issues of all lines: one for each status of each response. A line may have several.
fn issues(document_response: Node<'_>) -> Result<Vec<Issue>, MlsError> {
    let mut issues = Vec::new();
    for line_response in document_response.all(cac::LINE_RESPONSE) {
        let reference = line_response.child(cac::LINE_REFERENCE);
        let line_id = reference.and_then(|reference| reference.child(cbc::LINE_ID));
        let line = Line::at(text(line_id, "SCH-MLS-27", "LineResponse/LineReference/LineID")?);
        for response in line_response.all(cac::RESPONSE) {
            issues_of(response, &line, &mut issues)?;
        }
    }
    Ok(issues)
}

fn issues_of(response: Node<'_>, line: &Line, issues: &mut Vec<Issue>) -> Result<(), MlsError> {
    let description = response.child(cbc::DESCRIPTION);
    let rule = if description.is_some() { "SCH-MLS-29" } else { "SCH-MLS-28" };
    let description = text(description, rule, "LineResponse/Response/Description")?;
    let mut statuses = response.all(cac::STATUS).peekable();
    if statuses.peek().is_none() {
        return Err(broken("SCH-MLS-30", "LineResponse/Response/Status", None));
    }
    for status in statuses {
        let code = said(status.child(cbc::STATUS_REASON_CODE));
        let reason = code
            .as_deref()
            .and_then(Reason::read)
            .ok_or_else(|| broken("SCH-MLS-31", "StatusReasonCode", code.as_deref()))?;
        issues.push(Issue { line: line.clone(), description: description.clone(), reason });
    }
    Ok(())
}
