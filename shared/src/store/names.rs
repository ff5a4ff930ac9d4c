//! The names of what an organization's identifiers stand for, of several kinds in one list.

use std::collections::{BTreeSet, HashMap};

use super::{
    DeletedEndpoint, EndpointRecord, Store, StoreError, api_keys::KeyPointer, dynamo::from_item,
    keys::Key,
};
use crate::{
    access::{ApiKey, Member, oauth::OAuthClient},
    types::{ClientId, EndpointId, KeyId, MemberId, Mode, OrganizationId},
};

impl Store {
    /// The names of those of some identifiers that are members, API keys, OAuth clients or endpoints of an
    /// organization: the address, the label, the name, the URL. It takes two batch reads for each 50 identifiers.
    pub async fn get_names(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        ids: &BTreeSet<String>,
    ) -> Result<HashMap<String, String>, StoreError> {
        let member = |id: &String| {
            let id: MemberId = id.parse().ok()?;
            Some(Key::member(mode, organization_id, &id))
        };
        let client = |id: &String| Some(Key::client(mode, &id.parse::<ClientId>().ok()?));
        let pointer = |id: &String| {
            let id: KeyId = id.parse().ok()?;
            Some(Key::api_key_pointer(mode, organization_id, &id))
        };
        let endpoint = |id: &String| {
            let id: EndpointId = id.parse().ok()?;
            let deleted = Key::deleted_endpoint(mode, organization_id, &id);
            Some([Key::endpoint(mode, organization_id, &id), deleted])
        };
        let one = |id| [member(id), client(id), pointer(id)].into_iter().flatten();
        let endpoints = ids.iter().filter_map(endpoint).flatten();
        let mut found = self.get_many(ids.iter().flat_map(one).chain(endpoints)).await?;
        let (mut names, mut keys) = (HashMap::new(), HashMap::new());
        for id in ids {
            let mut take = |key: Option<Key>| key.and_then(|key| found.remove(&key));
            if let Some(item) = take(member(id)) {
                names.insert(id.clone(), from_item::<Member>(item)?.email.as_str().to_owned());
            }
            if let Some(item) = take(client(id)) {
                let client: OAuthClient = from_item(item)?;
                if client.organization_id == *organization_id {
                    names.insert(id.clone(), client.name);
                }
            }
            if let Some(item) = take(pointer(id)) {
                keys.insert(id, Key::api_key(mode, &from_item::<KeyPointer>(item)?.hash));
            }
            let [current, deleted] = endpoint(id).map_or([None, None], |keys| keys.map(Some));
            if let Some(item) = take(current) {
                names.insert(id.clone(), from_item::<EndpointRecord>(item)?.url);
            }
            if let Some(item) = take(deleted) {
                names.insert(id.clone(), from_item::<DeletedEndpoint>(item)?.url);
            }
        }
        let mut found = self.get_many(keys.values().cloned()).await?;
        for (id, key) in keys {
            let Some(item) = found.remove(&key) else { continue };
            names.insert(id.clone(), from_item::<ApiKey>(item)?.label);
        }
        Ok(names)
    }
}
