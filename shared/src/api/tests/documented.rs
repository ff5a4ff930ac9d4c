//! Compares requests and answers with what the operations declare.

use super::*;

/// The operation of a request.
pub(super) fn declared(method: &Method, path: &str) -> Option<&'static Route> {
    let path = path.split('?').next().unwrap();
    let mut bases = super::super::BASES.into_iter();
    let path = bases.find_map(|base| path.strip_prefix(base).filter(|p| !p.starts_with("/v1")))?;
    let segments: Vec<&str> = path.split('/').collect();
    let fits = |route: &&Route| {
        let declared: Vec<&str> = route.path.split('/').collect();
        let same = |(a, b): (&&str, &&str)| a == b || (a.starts_with('{') && !b.is_empty());
        declared.len() == segments.len() && declared.iter().zip(&segments).all(same)
    };
    let by_method = |route: &&Route| match route.method {
        HttpMethod::Get => method == Method::GET || method == Method::HEAD,
        HttpMethod::Post => method == Method::POST,
        HttpMethod::Put => method == Method::PUT,
        HttpMethod::Patch => method == Method::PATCH,
        HttpMethod::Delete => method == Method::DELETE,
    };
    let mut fitting: Vec<&Route> = ROUTES.into_iter().filter(fits).collect();
    // A literal path precedes one with a variable.
    fitting.sort_by_key(|route| route.variables().count());
    let first = fitting.first()?;
    fitting.iter().find(|route| route.path == first.path && by_method(route)).copied()
}

/// Asserts that the operation declares the response: status, code, type and headers.
pub(super) fn is_documented(route: &Route, method: &Method, answer: &Answer) {
    let status = answer.status.as_u16();
    let optional = ["Idempotent-Replayed"];
    if let Some(declared) = route.answers.iter().find(|declared| declared.status == status) {
        let shown = declared.headers.iter().map(|header| openapi::shown(*header).0);
        let shown: Vec<&str> = shown.collect();
        for name in ["Location", "ETag", "Repr-Digest", "Idempotent-Replayed"] {
            let is_there = answer.headers.contains_key(name);
            let may = shown.contains(&name);
            assert!(may || !is_there, "{}: {name} is not documented", route.id);
            assert!(is_there || !may || optional.contains(&name), "{}: no {name}", route.id);
        }
        let media_type = answer.headers.get("content-type").map(|v| v.to_str().unwrap());
        let documented = match declared.content {
            Content::Nothing => None,
            Content::Xml => Some("application/xml"),
            Content::Html => Some("text/html; charset=utf-8"),
            Content::Pdf => Some("application/pdf"),
            Content::Bytes => Some("application/octet-stream"),
            Content::Outcomes if media_type != Some("application/x-ndjson") => {
                Some("text/csv; charset=utf-8")
            }
            Content::Outcomes => Some("application/x-ndjson"),
            _ => Some("application/json"),
        };
        assert_eq!(media_type, documented, "{}", route.id);
        return;
    }
    if method == Method::HEAD {
        return;
    }
    let (_, code) = answer.error();
    let errors = route.errors();
    let declared = errors.iter().find(|declared| declared.to_string() == code);
    let declared = declared.unwrap_or_else(|| panic!("{}: {code} is not documented", route.id));
    assert_eq!(super::super::status(*declared).as_u16(), status, "{}: {code}", route.id);
    let waits = super::super::error::retry_after(*declared).is_some();
    assert_eq!(answer.headers.contains_key("retry-after"), waits, "{}: {code}", route.id);
}
