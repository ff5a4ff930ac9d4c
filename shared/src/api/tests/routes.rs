//! The operations: each has one handler, and the template routes it to its function.

use std::collections::BTreeSet;

use super::{access, webhooks};
use crate::api::{
    BASES, FOR_ORGANIZATIONS, FOR_TAXPAYERS, ROUTES, documents,
    oauth::METADATA_PATHS,
    organization,
    route::{REVOCATION_PATH, TOKEN_PATH},
};

const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// The method and path of each event of a function in the template.
fn events(function: &str) -> Vec<(String, String)> {
    let resource = TEMPLATE.split_once(&format!("\n  {function}Function:\n")).unwrap().1;
    let resource = resource.split_once("Policy:\n").unwrap().0;
    let lines = resource.lines().filter(|line| line.contains("ApiId: !Ref HttpApi"));
    let value = |line: &str, name: &str| {
        let rest = line.split_once(&format!("{name}: ")).unwrap().1;
        rest.split([',', ' ']).next().unwrap().trim_matches('"').to_owned()
    };
    lines.map(|line| (value(line, "Method"), value(line, "Path"))).collect()
}

fn sorted(mut routes: Vec<(String, String)>) -> Vec<(String, String)> {
    routes.sort();
    routes
}

#[test]
fn every_operation_is_routed_to_its_function_under_every_base() {
    let expected = access().flat_map(|route| {
        let method = format!("{:?}", route.method).to_uppercase();
        BASES.map(|base| (method.clone(), format!("{base}{}", route.path)))
    });
    let endpoint = |path: &str| BASES.map(|base| ("POST".to_owned(), format!("{base}{path}")));
    let mut expected: Vec<_> = expected.collect();
    expected.extend([TOKEN_PATH, REVOCATION_PATH].map(endpoint).concat());
    let metadata = METADATA_PATHS.map(|(path, _)| ("GET".to_owned(), path.to_owned()));
    expected.extend(metadata);
    // Pages receive every method, and check it themselves.
    let (pages, mut found): (Vec<_>, Vec<_>) =
        events("OAuth").into_iter().partition(|(method, _)| method == "ANY");
    assert!(pages.iter().all(|(_, path)| !path.starts_with("/v1") && !path.starts_with("/api")));
    expected.sort();
    found.sort();
    let printed = BASES.map(|base| ("GET".to_owned(), format!("{base}{}", documents::PDF.path)));
    let of_api = |(_, path): &(String, String)| BASES.iter().any(|base| path.starts_with(base));
    let found_of_pdf = events("Pdf").into_iter().filter(of_api).collect();
    assert_eq!(sorted(found_of_pdf), sorted(printed.to_vec()));
    let roots: BTreeSet<&str> =
        webhooks().filter_map(|route| route.path.split('/').nth(1)).collect();
    let expected_of_hooks: Vec<_> = roots
        .iter()
        .flat_map(|root| BASES.map(|base| format!("{base}/{root}")))
        .flat_map(|path| [path.clone(), format!("{path}/{{proxy+}}")])
        .map(|path| ("ANY".to_owned(), path))
        .collect();
    let mut hooked = events("Hooks");
    hooked.sort();
    assert_eq!(hooked, sorted(expected_of_hooks));
    // Of several matching routes, API Gateway takes the most specific one.
    assert_eq!(found, expected);
    let rest = [("ANY", "/v1/{proxy+}"), ("ANY", "/api/{proxy+}")];
    assert_eq!(events("Api"), rest.map(|(method, path)| (method.to_owned(), path.to_owned())));
}

#[test]
fn every_operation_has_one_handler() {
    let of_api = FOR_TAXPAYERS.map(|(route, _)| route.id).into_iter();
    let of_api = of_api.chain(FOR_ORGANIZATIONS.map(|(route, _)| route.id));
    let others = access().chain(webhooks()).map(|route| route.id);
    let mut handled: Vec<_> =
        of_api.chain(others).chain([organization::ME.id, documents::PDF.id]).collect();
    let mut declared = ROUTES.map(|route| route.id);
    handled.sort_unstable();
    declared.sort_unstable();
    assert_eq!(handled, declared);
}
