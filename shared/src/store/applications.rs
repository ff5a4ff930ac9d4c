//! Applications to onboard a business. Each step is one conditional write, so that only one of several browsers, tabs
//! or workers takes it.

use jiff::Timestamp;

use super::{
    ApplicationRecord, ApplicationStatus, ApplicationStep, DoneAt, Due, MailRecord, PortalCursor,
    Recorded, SessionRecord, Store, StoreError, audit,
    dynamo::{Expression, Update, Write, Written, absent, expiring, to_item, unknown},
    jobs::due_update,
    keys::{self, Key},
    leases::leased,
    mails,
    sessions::session_writes,
    text::instant,
};
use crate::{
    access::AuditRecord,
    types::{ApplicationId, Mode, TaxpayerId, TokenHash},
};

impl Store {
    /// Creates an application with the mail that verifies it. DynamoDB removes it when it expires.
    pub async fn create_application(
        &self,
        record: &ApplicationRecord,
        mail: &MailRecord,
        sweep_at: Timestamp,
    ) -> Result<(), StoreError> {
        let key = Key::application(record.mode, &record.application_id);
        let item = expiring(to_item(key, record)?, record.expires_at.as_second());
        let writes = vec![Write::Put { item, condition: absent() }, mails::write(mail, sweep_at)?];
        // A refusal means that a repeated attempt met its own write, because nobody else has these identifiers.
        self.transact(writes).await.map(drop)
    }

    /// An application.
    pub async fn get_application(
        &self,
        mode: Mode,
        id: &ApplicationId,
    ) -> Result<Option<ApplicationRecord>, StoreError> {
        self.get(Key::application(mode, id)).await
    }

    /// Notes that the national portal knows the business with this address. Returns `false` when this is no longer the
    /// next step.
    pub async fn match_application(&self, read: &ApplicationRecord) -> Result<bool, StoreError> {
        self.advance(read, ApplicationStep::Matched, Update::new()).await
    }

    /// Notes that the link was used. Returns `false` as above.
    pub async fn verify_application(
        &self,
        read: &ApplicationRecord,
        verified: &DoneAt,
    ) -> Result<bool, StoreError> {
        let update = Update::new().set("verified", verified)?;
        self.advance(read, ApplicationStep::Verified, update).await
    }

    /// Notes that the details were confirmed; the relay claims the application at once. Returns `false` as above.
    pub async fn confirm_application(
        &self,
        read: &ApplicationRecord,
        confirmed: &DoneAt,
        digest: &str,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let key = Key::application(read.mode, &read.application_id);
        let update = Update::new()
            .set("confirmed", confirmed)?
            .set("digest", &digest)?
            // An application that waits for a worker must not expire.
            .remove(keys::TTL);
        let update = due_update(update, read.mode, &key, Some(Due::relayed(sweep_at)))?;
        self.advance(read, ApplicationStep::Confirmed, update).await
    }

    /// Takes a step, if it is the next one and still is in the table.
    async fn advance(
        &self,
        read: &ApplicationRecord,
        step: ApplicationStep,
        update: Update,
    ) -> Result<bool, StoreError> {
        let Some(to) = read.status.after(step) else { return Ok(false) };
        let key = Key::application(read.mode, &read.application_id);
        let write = Write::Update {
            key: key.clone(),
            update: update.set("status", &to)?.build(),
            condition: has_status(read.status),
        };
        let written = self.write(write).await;
        if let Ok(Written::Done) = written {
            return Ok(true);
        }
        // A repeated attempt of the SDK meets its own write, and so does the same step in another tab.
        let current = self.get::<ApplicationRecord>(key).await?;
        match (current.is_some_and(|current| current.status == to), written) {
            (true, _) => Ok(true),
            (false, Ok(_)) => Ok(false),
            (false, Err(error)) => Err(error),
        }
    }

    /// Ends the work on an application by a step, if the lease is still its own. The application expires at `gone_at`;
    /// until then a person may continue it. An unknown outcome is read back.
    pub async fn end_application(
        &self,
        leased: &ApplicationRecord,
        step: ApplicationStep,
        taxpayer_id: Option<&TaxpayerId>,
        gone_at: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let Some(to) = leased.status.after(step) else { return Ok(Recorded::Lost) };
        let update = Update::new()
            .set("status", &to)?
            .set("expires_at", &instant(gone_at))?
            .set(keys::TTL, &gone_at.as_second())?
            .remove("cause");
        let update = match taxpayer_id {
            Some(id) => update.set("taxpayer_id", id)?,
            None => update,
        };
        let is_ended = |current: &ApplicationRecord| current.status == to;
        self.end_lease(leased.mode, leased, (update, None), Vec::new(), is_ended).await
    }

    /// Signs in the browser of an application, once: begins its session, and ends the browser's previous one.
    pub async fn finish_application(
        &self,
        read: &ApplicationRecord,
        (hash, session): (&TokenHash, &SessionRecord),
        before: Option<&TokenHash>,
        gone_at: Timestamp,
        entry: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let Some(to) = read.status.after(ApplicationStep::SignedIn) else { return Ok(false) };
        let mode = read.mode;
        let mut writes = vec![
            Write::Update {
                key: Key::application(mode, &read.application_id),
                update: Update::new().set("status", &to)?.build(),
                condition: has_status(read.status),
            },
            audit::write(entry)?,
        ];
        writes.extend(session_writes(mode, (hash, session), before, gone_at)?);
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(true);
        }
        // The session tells whose write it was, because the write was all or nothing.
        match (self.get_session(mode, hash).await?, written) {
            (Some(_), _) => Ok(true),
            (None, Ok(_)) => Ok(false),
            (None, Err(_)) => Err(unknown("the sign-in was not confirmed")),
        }
    }

    /// The position up to which the changes at the national portal were read.
    pub async fn get_portal_cursor(&self) -> Result<Option<PortalCursor>, StoreError> {
        self.get(Key::portal_cursor()).await
    }

    /// Moves the cursor, if it is where it was read. A worker that lost reads its changes again.
    pub async fn put_portal_cursor(
        &self,
        read: Option<&PortalCursor>,
        cursor: &PortalCursor,
    ) -> Result<(), StoreError> {
        let condition = match read {
            Some(read) => Expression::new("#cursor = :read")
                .name("#cursor", "cursor")
                .text(":read", read.cursor.as_str()),
            None => absent(),
        };
        let item = to_item(Key::portal_cursor(), cursor)?;
        self.write(Write::Put { item, condition }).await.map(drop)
    }
}

fn has_status(status: ApplicationStatus) -> Expression {
    Expression::new("#status = :was").name("#status", "status").text(":was", status.as_str())
}

leased!(ApplicationRecord, |it, _| Key::application(it.mode, &it.application_id));
