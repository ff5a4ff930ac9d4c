//! The methods of a path, in all functions.

use super::{
    BASES, ROUTES,
    route::{EVENTS_PATH, HttpMethod, REVOCATION_PATH, TOKEN_PATH},
};

/// The methods of a path, as the `Allow` header lists them (RFC 9110, section 10.2.1). Empty for an unknown path.
pub(super) fn of_path(path: &str) -> String {
    let below = BASES.iter().filter_map(|base| path.strip_prefix(base));
    // `/api/v1` is also below `/api`, where no operation begins with `/v1`.
    below.map(of_operations).find(|methods| !methods.is_empty()).unwrap_or_default()
}

fn of_operations(path: &str) -> String {
    let matching = ROUTES.iter().filter(|route| matches(route.path, path));
    // "/invoices/validate" is not a document.
    let plainest = matching.clone().map(|route| variables(route.path)).min();
    let own = matching.filter(|route| Some(variables(route.path)) == plainest);
    let mut found: Vec<&str> = own.map(|route| name(&route.method)).collect();
    if [TOKEN_PATH, REVOCATION_PATH, EVENTS_PATH].contains(&path) {
        found.push("POST");
    }
    found.join(",")
}

fn name(method: &HttpMethod) -> &'static str {
    match method {
        HttpMethod::Get => "GET,HEAD",
        HttpMethod::Post => "POST",
        HttpMethod::Put => "PUT",
        HttpMethod::Patch => "PATCH",
        HttpMethod::Delete => "DELETE",
    }
}

fn variables(template: &str) -> usize {
    template.matches('{').count()
}

fn matches(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given => {}
            (Some(wanted), Some(given)) if wanted.starts_with('{') && !given.is_empty() => {}
            _ => return false,
        }
    }
}
