//! Tokens: issued for a code or a refresh token, and revoked.

use jiff::Timestamp;

use super::passing;
use crate::{
    access::{
        AccessTokenHash, AuditRecord, Grant, RefreshTokenHash,
        oauth::{
            AccessToken, AuthorizationCode, FamilyStatus, RefreshToken, RevocationReason,
            TokenFamily,
        },
    },
    store::{
        MailRecord, Recorded, Store, StoreError, audit,
        dynamo::{Expression, Update, Write, Written, absent},
        grants::tokens_ended,
        keys::Key,
        mails,
    },
    types::{FamilyId, Mode, TaxpayerId},
};

/// A new pair of tokens.
#[derive(Debug, Clone, Copy)]
pub struct Issue<'a> {
    /// The access token.
    pub access: &'a AccessToken,
    /// The refresh token.
    pub refresh: &'a RefreshToken,
}

/// The end of a token family because a used code or token was presented again, with its audit entries and mails.
#[derive(Debug, Clone, Copy)]
pub struct TokensEnded<'a> {
    /// The family, which was active.
    pub family: &'a TokenFamily,
    /// The reason.
    pub reason: RevocationReason,
    /// The audit entries.
    pub entries: &'a [AuditRecord],
    /// The mails to the taxpayer, and when the sweeper claims them.
    pub mails: (&'a [MailRecord], Timestamp),
    /// When.
    pub at: Timestamp,
}

impl Store {
    /// An access token, by its hash.
    pub async fn get_access_token(
        &self,
        mode: Mode,
        hash: &AccessTokenHash,
    ) -> Result<Option<AccessToken>, StoreError> {
        self.get(Key::access_token(mode, hash)).await
    }

    /// A refresh token, by its hash.
    pub async fn get_refresh_token(
        &self,
        mode: Mode,
        hash: &RefreshTokenHash,
    ) -> Result<Option<RefreshToken>, StoreError> {
        self.get(Key::refresh_token(mode, hash)).await
    }

    /// A token family.
    pub async fn get_token_family(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        id: &FamilyId,
    ) -> Result<Option<TokenFamily>, StoreError> {
        self.get(Key::token_family(mode, taxpayer_id, id)).await
    }

    /// Issues the first tokens of a family for a code, if the code is unused and no other code created the family. An
    /// unknown outcome is read back.
    pub async fn use_code(
        &self,
        code: &AuthorizationCode,
        family: &TokenFamily,
        issue: Issue<'_>,
    ) -> Result<Recorded, StoreError> {
        let key = Key::token_family(family.mode, &family.taxpayer_id, &family.family_id);
        let mut writes = vec![
            Write::Update {
                key: Key::code(code.mode, &code.hash),
                update: Update::new().set("used_for", &issue.access.hash)?.build(),
                condition: Expression::new(
                    "attribute_exists(pk) AND attribute_not_exists(used_for)",
                ),
            },
            Write::Put { item: passing(key, family, family.expires_at)?, condition: absent() },
        ];
        writes.extend(issue.writes()?);
        self.used(self.transact(writes).await, issue).await
    }

    /// Issues the tokens of the next generation, if the family is active and has the generation that was read.
    pub async fn rotate_tokens(
        &self,
        read: &TokenFamily,
        next: &TokenFamily,
        issue: Issue<'_>,
    ) -> Result<Recorded, StoreError> {
        let mut writes = vec![Write::Update {
            key: Key::token_family(read.mode, &read.taxpayer_id, &read.family_id),
            update: Update::new()
                .set("generation", &next.generation)?
                .set("rotated_at", &next.rotated_at)?
                .build(),
            condition: at_generation(read),
        }];
        writes.extend(issue.writes()?);
        self.used(self.transact(writes).await, issue).await
    }

    /// Issues further tokens of the current generation, if the family is active and has the generation that was read.
    pub async fn add_tokens(
        &self,
        read: &TokenFamily,
        issue: Issue<'_>,
    ) -> Result<Recorded, StoreError> {
        let mut writes = vec![Write::Check {
            key: Key::token_family(read.mode, &read.taxpayer_id, &read.family_id),
            condition: at_generation(read),
        }];
        writes.extend(issue.writes()?);
        self.used(self.transact(writes).await, issue).await
    }

    /// Revokes a family for its client. Returns `false` when there is no active family.
    pub async fn revoke_token_family(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        id: &FamilyId,
    ) -> Result<bool, StoreError> {
        let write = revocation(mode, taxpayer_id, id, RevocationReason::Client)?;
        Ok(matches!(self.transact(vec![write]).await?, Written::Done))
    }

    /// Ends a family's tokens, with the audit entries and the mails, and notes it in the grant, if one is given.
    /// Returns `false` when the family or the grant is not active.
    pub async fn end_tokens(
        &self,
        ended: TokensEnded<'_>,
        grant: Option<&Grant>,
    ) -> Result<bool, StoreError> {
        let TokensEnded { family, reason, entries, mails: (mails, sweep_at), at } = ended;
        let TokenFamily { mode, taxpayer_id, family_id, .. } = family;
        let mut writes = vec![revocation(*mode, taxpayer_id, family_id, reason)?];
        if let Some(grant) = grant {
            writes.extend(tokens_ended(grant, at)?);
        }
        for entry in entries {
            writes.push(audit::write(entry)?);
        }
        for mail in mails {
            writes.push(mails::write(mail, sweep_at)?);
        }
        Ok(matches!(self.transact(writes).await?, Written::Done))
    }

    /// Revokes one access token.
    pub async fn delete_access_token(&self, token: &AccessToken) -> Result<(), StoreError> {
        let key = Key::access_token(token.mode, &token.hash);
        self.write(Write::Delete { key, condition: Expression::default() }).await.map(drop)
    }

    async fn used(
        &self,
        written: Result<Written, StoreError>,
        issue: Issue<'_>,
    ) -> Result<Recorded, StoreError> {
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        // A repeated attempt meets its own write.
        let AccessToken { mode, hash, .. } = issue.access;
        match (written, self.get_access_token(*mode, hash).await) {
            (_, Ok(Some(_))) => Ok(Recorded::Done),
            (Ok(_), Ok(None)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }
}

impl Issue<'_> {
    fn writes(&self) -> Result<[Write; 2], StoreError> {
        let Issue { access, refresh } = self;
        let access_key = Key::access_token(access.mode, &access.hash);
        let refresh_key = Key::refresh_token(refresh.mode, &refresh.hash);
        Ok([
            Write::Put {
                item: passing(access_key, access, access.expires_at)?,
                condition: absent(),
            },
            Write::Put {
                item: passing(refresh_key, refresh, refresh.expires_at)?,
                condition: absent(),
            },
        ])
    }
}

/// The write that revokes an active family.
fn revocation(
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    id: &FamilyId,
    reason: RevocationReason,
) -> Result<Write, StoreError> {
    Ok(Write::Update {
        key: Key::token_family(mode, taxpayer_id, id),
        update: Update::new()
            .set("status", &FamilyStatus::Revoked)?
            .set("revoked_for", &reason)?
            .build(),
        condition: Expression::new("#status = :active")
            .name("#status", "status")
            .text(":active", "active"),
    })
}

fn at_generation(read: &TokenFamily) -> Expression {
    Expression::new("#status = :active AND generation = :read")
        .name("#status", "status")
        .text(":active", "active")
        .number(":read", read.generation)
}
