//! `access-point key`: the API keys of organizations.

use serde_json::{Value, json};

use super::{
    Error, block_on,
    common::{Common, context, line},
};
use crate::{
    access::{ApiKey, By, KeyStatus},
    service::organizations,
    store::instant,
    types::{KeyId, OrganizationId},
};

/// Manage the API keys of an organization
///
/// Needs the environment of the functions: TABLE_NAME, and access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Create a key and show it
    ///
    /// The key is shown only once. Only its hash and its first characters are stored.
    Create {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
        /// Name of the key
        #[arg(long, value_name = "TEXT")]
        label: String,
    },
    /// List all keys with their first characters, the oldest first
    List {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
    /// Revoke a key: the next request with it is refused
    Revoke {
        /// Key, key_…
        id: KeyId,
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
}

/// Creates, lists or revokes keys.
pub(super) fn run(Args { action, common }: Args) -> Result<(), Error> {
    block_on(act(action, &common))
}

async fn act(action: Action, common: &Common) -> Result<(), Error> {
    let (context, mode, by) = (context().await?, common.mode(), By::operator());
    match action {
        Action::Create { org, label } => {
            let made = organizations::create_key(&context, mode, &org, &label, &by).await?;
            let (key, record) = made;
            let mut shown = shown(&record);
            shown["key"] = json!(key.reveal());
            common.show(&shown, &[line([record.key_id.as_str(), key.reveal()])])
        }
        Action::List { org } => {
            organizations::get(&context, mode, &org).await?;
            let keys = organizations::list_keys(&context, mode, &org).await?;
            let lines: Vec<_> = keys.iter().map(columns).collect();
            common.show(&keys.iter().map(shown).collect::<Vec<_>>(), &lines)
        }
        Action::Revoke { id, org } => {
            let key = organizations::revoke_key(&context, mode, &org, &id, &by).await?;
            common.show(&shown(&key), &[columns(&key)])
        }
    }
}

fn status(key: &ApiKey) -> &'static str {
    match key.status {
        KeyStatus::Active => "active",
        KeyStatus::Revoked => "revoked",
        KeyStatus::Unknown => "unknown",
    }
}

/// A key without its hash; its first characters distinguish it from others of the same name.
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
