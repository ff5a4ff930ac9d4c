//! Authorization requests, and the codes that answer them.

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

/// The write that notes what the taxpayer decided, unless it decided something else.
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
    /// Keeps an authorization request.
    pub async fn create_authorization_request(
        &self,
        record: &AuthorizationRequest,
    ) -> Result<(), StoreError> {
        let key = Key::authorization_request(record.mode, &record.hash);
        let item = passing(key, record, record.expires_at)?;
        // Its name is made of 256 random bits: what stands there is this.
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

    /// Notes what the taxpayer decided; the same decision can be noted again. `false` when another was.
    pub async fn decide_authorization_request(
        &self,
        request: &AuthorizationRequest,
        decision: &Decision,
    ) -> Result<bool, StoreError> {
        let written = self.write(decision_write(request, decision)?).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Keeps a code, or keeps the same one until its new end. `false` when it was used.
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
