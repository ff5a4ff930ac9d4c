//! Tokens: given for a code, given again for a refresh token, taken back.

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
        connections::tokens_ended,
        dynamo::{Expression, Update, Write, Written, absent},
        keys::Key,
        mails,
    },
    types::{FamilyId, Mode, TaxpayerId},
};

/// A pair of tokens that is to be given.
#[derive(Debug, Clone, Copy)]
pub struct Issue<'a> {
    /// The access token.
    pub access: &'a AccessToken,
    /// The refresh token beside it.
    pub refresh: &'a RefreshToken,
}

/// The end of a family of which something came that had been used, and what tells of it.
#[derive(Debug, Clone, Copy)]
pub struct TokensEnded<'a> {
    /// The family, which was good.
    pub family: &'a TokenFamily,
    /// Why.
    pub reason: RevocationReason,
    /// What the trails say of it.
    pub entries: &'a [AuditRecord],
    /// The mails to the taxpayer, and when the sweeper takes them up.
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

    /// A family of tokens.
    pub async fn get_token_family(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        id: &FamilyId,
    ) -> Result<Option<TokenFamily>, StoreError> {
        self.get(Key::token_family(mode, taxpayer_id, id)).await
    }

    /// Gives the first tokens of a family for a code, if the code is unused and no other code gave them. An unknown outcome is
    /// read back.
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

    /// Gives the tokens of the next generation, if the family is good and still at the generation that was read.
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

    /// Gives further tokens of the generation that the family is at, if it is good and still at that.
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

    /// Revokes a family for its client. `false` when there is none that is good: it was revoked before, or never made.
    pub async fn revoke_token_family(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        id: &FamilyId,
    ) -> Result<bool, StoreError> {
        let write = revocation(mode, taxpayer_id, id, RevocationReason::Client)?;
        Ok(matches!(self.transact(vec![write]).await?, Written::Done))
    }

    /// Ends a family's tokens, with the entries and the mails that tell of it, and notes it in the grant, if that stands. `false`
    /// when there is no family that is good, or the grant does not stand any more.
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

    /// Takes back one access token.
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

/// The end of a family that is good.
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
