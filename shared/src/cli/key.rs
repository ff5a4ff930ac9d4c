//! `access-point key`: the API keys of organizations.

use serde_json::{Value, json};

use super::{
    Error, block_on,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::{ApiKey, By, KeyStatus},
    service::organizations,
    store::instant,
};

pub(super) const USAGE: &str = "\
access-point key ACTION --org org_… [OPTION…]

The API keys of an organization. Needs the environment of the functions: TABLE_NAME, and access to the table.

  create --label TEXT  makes one, and shows it: it is shown this once, and kept as a hash alone
  list                 shows all, the oldest first
  revoke key_…         has one work no more, from the next request on

  --mode MODE          live (the default) or sandbox
  --json               for programs
";

/// Makes, lists or revokes keys.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["org", "label"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let (org, mode, by) = (given.required("org")?, given.mode, By::operator());
    match given.action.as_str() {
        "create" => {
            let label: String = given.required("label")?;
            let context = context().await?;
            let made = organizations::create_key(&context, mode, &org, &label, &by).await?;
            let (key, record) = made;
            let mut shown = shown(&record);
            shown["key"] = json!(key.reveal());
            given.show(&shown, &[line([record.key_id.as_str(), key.reveal()])])
        }
        "list" => {
            let context = context().await?;
            organizations::get(&context, mode, &org).await?;
            let keys = organizations::list_keys(&context, mode, &org).await?;
            let lines: Vec<_> = keys.iter().map(columns).collect();
            given.show(&keys.iter().map(shown).collect::<Vec<_>>(), &lines)
        }
        "revoke" => {
            let id = given.identifier()?;
            let context = context().await?;
            let key = organizations::revoke_key(&context, mode, &org, &id, &by).await?;
            given.show(&shown(&key), &[columns(&key)])
        }
        _ => Err(given.unknown_action()),
    }
}

fn status(key: &ApiKey) -> &'static str {
    match key.status {
        KeyStatus::Active => "active",
        KeyStatus::Revoked => "revoked",
        KeyStatus::Unknown => "unknown",
    }
}

/// A key without its hash.
fn shown(key: &ApiKey) -> Value {
    json!({
        "key_id": key.key_id,
        "organization_id": key.organization_id,
        "mode": key.mode,
        "label": key.label,
        "status": status(key),
        "created_at": instant(key.created_at),
        "last_used_at": key.last_used_at.map(instant),
    })
}

fn columns(key: &ApiKey) -> Vec<String> {
    let used =
        key.last_used_at.map_or("never used".to_owned(), |at| format!("used {}", instant(at)));
    line([key.key_id.as_str(), status(key), &instant(key.created_at), &used, &key.label])
}
