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

  create --label TEXT  makes one, and shows it: it is shown this once; its hash is kept, and what it begins with
  list                 shows all and what each begins with, the oldest first
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

/// A key without its hash; what it begins with tells it from others of its name.
fn shown(key: &ApiKey) -> Value {
    json!({
        "key_id": key.key_id,
        "organization_id": key.organization_id,
        "mode": key.mode,
        "label": key.label,
        "beginning": key.beginning,
        "status": status(key),
        "created_at": instant(key.created_at),
        "last_used_at": key.last_used_at.map(instant),
    })
}

fn columns(key: &ApiKey) -> Vec<String> {
    let used =
        key.last_used_at.map_or("never used".to_owned(), |at| format!("used {}", instant(at)));
    let begins = key.beginning.as_ref().map_or("-".to_owned(), |text| format!("{text}…"));
    line([key.key_id.as_str(), &begins, status(key), &instant(key.created_at), &used, &key.label])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::World, types::Mode};

    #[tokio::test]
    async fn the_list_shows_what_a_key_begins_with_and_nothing_more_of_it() {
        let world = World::new().await;
        let org = world.organization("Integrator").await;
        let (ctx, by) = (&world.ctx, By::operator());
        let made = organizations::create_key(ctx, Mode::Sandbox, &org, "ERP", &by).await;
        let (key, record) = made.unwrap();
        assert_eq!(columns(&record)[1], format!("{}…", key.beginning()));
        assert_eq!(shown(&record)["beginning"], key.beginning());
        let more = &key.reveal()[..=key.beginning().len()];
        let text = format!("{} {:?}", shown(&record), columns(&record));
        assert!(!text.contains(more) && !text.contains(record.hash.as_str()), "{text}");
        let older = ApiKey { beginning: None, ..record };
        assert_eq!((columns(&older)[1].as_str(), &shown(&older)["beginning"]), ("-", &Value::Null));
    }
}
