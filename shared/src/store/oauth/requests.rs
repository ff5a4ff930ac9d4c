//! Authorization requests and their codes.

use super::passing;
use crate::{
    access::{
        CodeHash, RequestHash,
        oauth::{AuthorizationCode, AuthorizationRequest, Decision},
    },
    store::{
        Store, StoreError,
        dynamo::{Expression, Update, Write, Written, corrupt},
        keys::Key,
    },
    types::Mode,
};

/// The write that notes the taxpayer's decision, unless there is a different one.
pub(in crate::store) fn decision_write(
    request: &AuthorizationRequest,
    decision: &Decision,
) -> Result<Write, StoreError> {
    let decided = serde_dynamo::to_attribute_value(decision).map_err(corrupt)?;
    Ok(Write::Update {
        key: Key::authorization_request(request.mode, &request.hash),
        update: Update::new().set("decision", decision)?.build(),
        condition: Expression::new(
            "attribute_exists(pk) AND (attribute_not_exists(decision) OR decision = :decided)",
        )
        .value(":decided", decided),
    })
}

impl Store {
    /// Stores an authorization request.
    pub async fn create_authorization_request(
        &self,
        record: &AuthorizationRequest,
    ) -> Result<(), StoreError> {
        let key = Key::authorization_request(record.mode, &record.hash);
        let item = passing(key, record, record.expires_at)?;
        // The hash comes from 256 random bits, so an existing item is this one.
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }

    /// An authorization request, by the hash of its handle.
    pub async fn get_authorization_request(
        &self,
        mode: Mode,
        hash: &RequestHash,
    ) -> Result<Option<AuthorizationRequest>, StoreError> {
        self.get(Key::authorization_request(mode, hash)).await
    }

    /// Notes the taxpayer's decision. The same decision can be noted again. Returns `false` when there is a different
    /// one.
    pub async fn decide_authorization_request(
        &self,
        request: &AuthorizationRequest,
        decision: &Decision,
    ) -> Result<bool, StoreError> {
        let written = self.write(decision_write(request, decision)?).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Stores a code, or extends the same one. Returns `false` when it was used.
    pub async fn put_code(&self, code: &AuthorizationCode) -> Result<bool, StoreError> {
        let item = passing(Key::code(code.mode, &code.hash), code, code.expires_at)?;
        let condition = Expression::new("attribute_not_exists(used_for)");
        let written = self.write(Write::Put { item, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// An authorization code, by its hash.
    pub async fn get_code(
        &self,
        mode: Mode,
        hash: &CodeHash,
    ) -> Result<Option<AuthorizationCode>, StoreError> {
        self.get(Key::code(mode, hash)).await
    }
}
