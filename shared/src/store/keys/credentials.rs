//! Keys of API keys and of what OAuth issues.

use super::{Key, organization, taxpayer};
use crate::{
    access::{AccessTokenHash, CodeHash, KeyHash, RefreshTokenHash, RequestHash},
    types::{ClientId, FamilyId, KeyId, Mode, OrganizationId, TaxpayerId},
};

/// Prefix of the sort keys of pointers to OAuth clients.
pub const CLIENT: &str = "CLIENT#";

/// Prefix of the sort keys of pointers to API keys.
pub const API_KEY: &str = "KEY#";

/// The partition of the pointers to an organization's OAuth clients.
pub fn clients(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#CLIENTS", organization(mode, id))
}

/// The partition of the pointers to an organization's API keys.
pub(in crate::store) fn api_keys(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#KEYS", organization(mode, id))
}

impl Key {
    /// An API key.
    pub fn api_key(mode: Mode, hash: &KeyHash) -> Self {
        Key::new(format!("{}#APIKEY#{}", mode.key(), hash.as_str()), "KEY")
    }

    /// The pointer to an API key of an organization.
    pub fn api_key_pointer(mode: Mode, organization_id: &OrganizationId, id: &KeyId) -> Self {
        Key::new(api_keys(mode, organization_id), format!("{API_KEY}{id}"))
    }

    /// An OAuth client.
    pub fn client(mode: Mode, id: &ClientId) -> Self {
        Key::new(format!("{}#CLIENT#{id}", mode.key()), "CLIENT")
    }

    /// The pointer to an OAuth client, in its organization's partition.
    pub fn client_pointer(mode: Mode, organization_id: &OrganizationId, id: &ClientId) -> Self {
        Key::new(clients(mode, organization_id), format!("{CLIENT}{id}"))
    }

    /// An authorization request.
    pub fn authorization_request(mode: Mode, hash: &RequestHash) -> Self {
        Key::new(format!("{}#AUTHORIZATION#{}", mode.key(), hash.as_str()), "REQUEST")
    }

    /// An authorization code.
    pub fn code(mode: Mode, hash: &CodeHash) -> Self {
        Key::new(format!("{}#CODE#{}", mode.key(), hash.as_str()), "CODE")
    }

    /// An access token.
    pub fn access_token(mode: Mode, hash: &AccessTokenHash) -> Self {
        Key::new(format!("{}#TOKEN#{}", mode.key(), hash.as_str()), "ACCESS")
    }

    /// A refresh token.
    pub fn refresh_token(mode: Mode, hash: &RefreshTokenHash) -> Self {
        Key::new(format!("{}#TOKEN#{}", mode.key(), hash.as_str()), "REFRESH")
    }

    /// A token family. It is not in the taxpayer's own partition: the function that refreshes tokens must not write
    /// profiles.
    pub fn token_family(mode: Mode, taxpayer_id: &TaxpayerId, id: &FamilyId) -> Self {
        Key::new(format!("{}#TOKENS#{id}", taxpayer(mode, taxpayer_id)), "FAMILY")
    }
}
