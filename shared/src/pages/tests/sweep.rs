//! Sends every form of the pages in every forbidden way: each is refused, and nothing changes.

use std::{collections::BTreeSet, fs, path::Path};

use jiff::SignedDuration;
use serde_json::Value;

use super::{sign_in::Scene, *};
use crate::{access::Scope, service::sessions::IDLE};

const TEMPLATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");

/// Each form, below the path of its mode, and whether it needs a session.
const FORMS: [(&str, bool); 49] = [
    ("/account/archives", true),
    ("/account/end-session", true),
    ("/account/business/card", true),
    ("/account/business/logo", true),
    ("/account/business/logo/remove", true),
    ("/account/directory", true),
    ("/account/settings", true),
    ("/account/revoke", true),
    ("/oauth/consent", true),
    ("/organization/clients/change", true),
    ("/organization/clients/create", true),
    ("/organization/clients/delete", true),
    ("/organization/clients/rotate", true),
    ("/organization/documents/views", true),
    ("/organization/events/retry", true),
    ("/organization/grants/disconnect", true),
    ("/organization/grants/test-business", true),
    ("/organization/imports/columns", true),
    ("/organization/imports/create", true),
    ("/organization/imports/read", true),
    ("/organization/keys/create", true),
    ("/organization/keys/revoke", true),
    ("/organization/logos/remove", true),
    ("/organization/logos/replace", true),
    ("/organization/members/invite", true),
    ("/organization/members/remove", true),
    ("/organization/members/role", true),
    ("/organization/notifications", true),
    ("/organization/sessions/end", true),
    ("/organization/switch", true),
    ("/organization/new", false),
    ("/organization/new/confirm", false),
    ("/organization/webhooks/change", true),
    ("/organization/webhooks/create", true),
    ("/organization/webhooks/delete", true),
    ("/organization/webhooks/retry-failed", true),
    ("/organization/webhooks/rotate", true),
    ("/organization/webhooks/test", true),
    ("/organization/write/drafts/delete", true),
    ("/organization/write/send", true),
    ("/onboard", false),
    ("/onboard/confirm", false),
    ("/onboard/details", false),
    ("/onboard/progress", false),
    ("/onboarding", false),
    ("/sign-in", false),
    ("/sign-in/confirm", false),
    ("/sign-out", false),
    ("/sign-out-everywhere", false),
];

/// The forms of the templates.
fn forms(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            forms(&path, found);
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        for form in text.split("<form method=\"post\"").skip(1) {
            let action = form.split_once("action=\"{{ frame.path(\"").unwrap().1;
            found.insert(action.split('"').next().unwrap().to_owned());
        }
    }
}

/// All stored and queued data, except counters of requests and times of sessions.
async fn everything(world: &World) -> String {
    let mut items = world.raw_items("").await;
    items.retain(|item| item["sk"].as_s().is_ok_and(|sk| sk != "RATE"));
    let mut items: Vec<String> = items
        .into_iter()
        .map(|item| {
            let mut item: Value = crate::store::from_item(item).unwrap();
            item.as_object_mut().unwrap().remove("last_seen_at");
            item.to_string()
        })
        .collect();
    items.sort();
    format!("{items:?} {:?}", world.cloud.messages())
}

fn token_of(page: &Given) -> String {
    let hidden = page.hidden("/sandbox/sign-in");
    hidden.into_iter().find(|(name, _)| name == "form_token").unwrap().1
}

#[tokio::test]
#[expect(clippy::print_stdout, reason = "a figure of tests/README.md")]
async fn every_form_is_refused_to_who_may_not_send_it_and_changes_nothing() {
    let mut declared = BTreeSet::new();
    forms(Path::new(TEMPLATES), &mut declared);
    assert_eq!(declared, FORMS.map(|(action, _)| action.to_owned()).into());

    let mut scene = Scene::new().await;
    let before_sign_in = token_of(&scene.browser.get("/sandbox/sign-in").await);
    let link = scene.link().await;
    scene.press(&link).await;
    assert!(scene.is_signed_in().await);
    let falcon = scene.falcon().clone();
    let organization_id = scene.world.organization("Integrator").await;
    let grant = scene.world.grant(&organization_id, &falcon, &[Scope::InvoicesRead]).await;
    let account = scene.browser.get("/sandbox/account").await;
    let genuine = account.hidden("/sandbox/sign-out").swap_remove(0).1;
    let mut stranger = scene.stranger();
    let strangers = token_of(&stranger.get("/sandbox/sign-in").await);
    // Valid values for an authorized sender.
    let rest = [
        ("grant", grant.to_string()),
        ("decision", "approve".to_owned()),
        ("email", "accounts@falcon.example".to_owned()),
        ("name", "Falcon".to_owned()),
        ("token", link.split_once("token=").unwrap().1.to_owned()),
    ];
    let fields = |token: Option<&str>| {
        let token = token.map(|token| ("form_token", token.to_owned()));
        token.into_iter().chain(rest.clone()).collect::<Vec<_>>()
    };
    let mut foreign = scene.browser.clone();
    foreign.headers.push(("sec-fetch-site", "cross-site"));
    let mut elsewhere = scene.browser.clone();
    elsewhere.headers.push(("origin", "https://evil.example"));
    let mut nobody = scene.stranger();
    nobody.cookies.clear();
    let forged: [(&str, &Browser, Option<&str>); 7] = [
        ("no cookie and no token", &nobody, None),
        ("a token without its cookie", &nobody, Some(&strangers)),
        ("no token", &scene.browser, None),
        ("the token of another browser", &scene.browser, Some(&strangers)),
        ("the token before the sign-in", &scene.browser, Some(&before_sign_in)),
        ("from another site", &foreign, Some(&genuine)),
        ("from another origin", &elsewhere, Some(&genuine)),
    ];
    let before = everything(&scene.world).await;
    let mut looked_at = 0;
    for (action, _) in FORMS {
        for path in [action.to_owned(), format!("/sandbox{action}")] {
            for (what, browser, token) in &forged {
                // In Live nobody is signed in here, so this is the browser's own token.
                if *token == Some(&before_sign_in) && !path.starts_with("/sandbox/") {
                    continue;
                }
                let sent = fields(*token);
                let sent: Vec<_> = sent.iter().map(|(name, text)| (*name, text.as_str())).collect();
                let given = (*browser).clone().post(&path, &sent).await;
                // Not every form exists in both modes.
                let is_refused = [StatusCode::FORBIDDEN, StatusCode::NOT_FOUND];
                assert!(is_refused.contains(&given.status), "{path}, {what}: {}", given.status);
                looked_at += usize::from(given.status == StatusCode::FORBIDDEN);
            }
        }
    }
    assert!(everything(&scene.world).await == before, "something was done");

    // A person without a valid session has a valid form token of the browser, but no access to business data.
    let idle = IDLE + SignedDuration::from_secs(1);
    scene.world.clock.advance(idle);
    let before = everything(&scene.world).await;
    for (action, _) in FORMS.into_iter().filter(|(_, needs_session)| *needs_session) {
        for (browser, token) in [(&stranger, &strangers), (&scene.browser, &genuine)] {
            let sent = fields(Some(token));
            let sent: Vec<_> = sent.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let given = browser.clone().post(&format!("/sandbox{action}"), &sent).await;
            let refused = [StatusCode::FORBIDDEN, StatusCode::GONE, StatusCode::SEE_OTHER];
            assert!(refused.contains(&given.status), "{action}: {}", given.status);
            looked_at += 1;
        }
    }
    assert!(everything(&scene.world).await == before, "something was done");
    println!("{looked_at} ways of not being allowed to send a form, of {} forms", FORMS.len());
}
