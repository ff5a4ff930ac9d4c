//! The queue `register`, for applications. It makes the taxpayer whose details were confirmed, registers it with the
//! tax authority, and begins its registration in the network. Each part has no effect when it was done before.
//!
//! No page makes a taxpayer. This background work compares the confirmed details with the portal's current ones.

use tokio::time::Instant;

use super::{
    apply::APPLICATION_VALID,
    confirm::profile,
    national_portal::{Business, Known, NationalPortal, Standing},
};
use crate::{
    access::{
        Action, Actor, AuditRecord, By, Confirmed, Deed, Origin, Taxpayer, TaxpayerStatus, Trail,
    },
    document::Profile,
    error::{Code, Failure},
    service::{
        Context, Registering, audit,
        job::{self, Job},
        later, register, taxpayers,
    },
    store::{
        ApplicationMessage, ApplicationRecord, ApplicationStatus, ApplicationStep, DoneAt,
        Recorded, StoreError, keys::JobId,
    },
    types::{Mode, ParticipantId, TaxpayerId},
};

/// The registration of a business whose application is confirmed.
#[derive(Clone)]
pub struct Admission(pub Registering);

impl Job for Admission {
    type Message = ApplicationMessage;
    type Record = ApplicationRecord;
    const OPERATION: &'static str = "admit";

    fn ctx(&self) -> &Context {
        &self.0.ctx
    }

    fn id(message: &ApplicationMessage) -> JobId {
        JobId::Application(message.mode, message.application_id.clone())
    }

    async fn lease(
        &self,
        ApplicationMessage { mode, application_id }: &ApplicationMessage,
    ) -> Result<Option<ApplicationRecord>, StoreError> {
        let record = self.ctx().store.get_application(*mode, application_id).await?;
        let confirmed = record.filter(|it| it.status == ApplicationStatus::Registration);
        job::lease(self.ctx(), *mode, confirmed, self.0.lease).await
    }

    async fn work(
        &self,
        message: &ApplicationMessage,
        leased: &mut ApplicationRecord,
        _: Instant,
    ) -> Result<Recorded, Failure> {
        let ctx = self.ctx();
        match work(&self.0, leased).await {
            Ok((step, taxpayer_id)) => {
                let gone_at = later(ctx.now(), APPLICATION_VALID);
                let ended = ctx.store.end_application(leased, step, taxpayer_id.as_ref(), gone_at);
                Ok(ended.await?)
            }
            Err(failure) => job::failed(ctx, message.mode, leased, failure).await,
        }
    }
}

/// Confirmed details that the portal still has.
struct Admitted<'a> {
    application: &'a ApplicationRecord,
    business: Business,
    profile: Profile,
    confirmed: &'a DoneAt,
}

/// The next step of the application, and its taxpayer.
async fn work(
    registering: &Registering,
    application: &ApplicationRecord,
) -> Result<(ApplicationStep, Option<TaxpayerId>), Failure> {
    let ctx = &registering.ctx;
    let portal = registering.national_portal.as_deref().ok_or_else(no_portal)?;
    let Some(admitted) = admitted(portal, application).await? else {
        tracing::info!("the details at the portal have changed since the confirmation");
        return Ok((ApplicationStep::Changed, None));
    };
    let taxpayer = taxpayer(ctx, &admitted).await?;
    if taxpayer.status == TaxpayerStatus::Onboarding {
        portal.register(&application.tin, &taxpayer.taxpayer_id).await?;
        register::begin_onboarding(ctx, &taxpayer).await?;
    }
    Ok((ApplicationStep::Registered, Some(taxpayer.taxpayer_id)))
}

fn no_portal() -> Failure {
    let why = "NATIONAL_PORTAL_URL is not set: the operator of this deployment onboards taxpayers";
    Failure::new(Code::ServiceUnavailable, why).because(why)
}

/// The confirmed details, if the portal still has exactly these, and if the business appointed us and is active.
async fn admitted<'a>(
    portal: &dyn NationalPortal,
    application: &'a ApplicationRecord,
) -> Result<Option<Admitted<'a>>, Failure> {
    let Known::Appointed(business) = portal.business(&application.tin).await? else {
        return Ok(None);
    };
    let is_as_confirmed = business.standing == Standing::Active
        && business.email.as_ref() == Some(&application.email)
        && application.digest.as_ref() == Some(&business.digest());
    let (profile, defects) = profile(&business, &application.tin);
    let (true, Some(profile), Some(confirmed)) =
        (is_as_confirmed && defects.is_empty(), profile, &application.confirmed)
    else {
        return Ok(None);
    };
    Ok(Some(Admitted { application, business: *business, profile, confirmed }))
}

impl Admitted<'_> {
    fn name(&self) -> String {
        self.profile.party.name.clone().unwrap_or_default()
    }

    fn confirmed(&self) -> Confirmed {
        Confirmed { digest: self.business.digest(), at: self.confirmed.at, outdated: false }
    }

    /// An existing taxpayer after a confirmation. A taxpayer in reverification becomes active. So does one that the
    /// portal had suspended and has reinstated.
    fn applied(&self, to: &Taxpayer) -> Taxpayer {
        use TaxpayerStatus::{
            Active, Deregistered, Onboarding, Reverification, Suspended, Unknown,
        };
        let status = match (to.status, &to.suspended_by) {
            (Reverification, _) | (Suspended, Some(Actor::NationalPortal)) => Active,
            (Suspended | Deregistered | Unknown, _) => return to.clone(),
            (Onboarding | Active, _) => to.status,
        };
        Taxpayer {
            status,
            suspended_by: None,
            name: self.name(),
            profile: self.profile.to_json().to_string(),
            email: self.business.email.clone(),
            confirmed: Some(self.confirmed()),
            ..to.clone()
        }
    }
}

/// Makes the taxpayer of the business, or updates the existing one. There is one for each TIN.
async fn taxpayer(ctx: &Context, admitted: &Admitted<'_>) -> Result<Taxpayer, Failure> {
    let participant_id = ParticipantId::from(&admitted.application.tin);
    if let Some(found) = ctx.store.find_participant(Mode::Live, &participant_id).await? {
        let id = &found.taxpayer_id;
        let by = By { actor: Actor::Taxpayer(id.clone()), origin: admitted.confirmed.origin() };
        let entries = entries(ctx, admitted.application, id);
        let applied = |read: &Taxpayer| admitted.applied(read);
        return taxpayers::alter(ctx, Mode::Live, id, &by, &entries, applied).await;
    }
    let now = ctx.now();
    let record = Taxpayer {
        taxpayer_id: TaxpayerId::new(now, &*ctx.random),
        mode: Mode::Live,
        participant_id,
        name: admitted.name(),
        status: TaxpayerStatus::Onboarding,
        suspended_by: None,
        profile: admitted.profile.to_json().to_string(),
        email: admitted.business.email.clone(),
        confirmed: Some(admitted.confirmed()),
        created_at: now,
    };
    let entries = entries(ctx, admitted.application, &record.taxpayer_id);
    if ctx.store.create_taxpayer_with(&record, &entries).await? {
        return Ok(record);
    }
    // Another application was faster. The next attempt finds its taxpayer.
    let why = "another application created the taxpayer in the meantime";
    Err(Failure::new(Code::ServiceUnavailable, why).because(why))
}

/// The actions of the person, for the taxpayer's audit trail.
fn entries(ctx: &Context, application: &ApplicationRecord, id: &TaxpayerId) -> Vec<AuditRecord> {
    let steps = [
        (Action::OnboardingRequested, Some(&application.asked)),
        (Action::OnboardingVerified, application.verified.as_ref()),
        (Action::OnboardingConfirmed, application.confirmed.as_ref()),
    ];
    let entry = |(action, done): (Action, &DoneAt)| {
        let origin: Origin = done.origin();
        let by = By { actor: Actor::Taxpayer(id.clone()), origin };
        let subject = application.application_id.as_str();
        let deed = Deed { mode: Mode::Live, by: &by, action, subject, at: done.at };
        audit::entry(ctx, &deed, Trail::Taxpayer(id.clone()))
    };
    steps.into_iter().filter_map(|(action, done)| Some((action, done?))).map(entry).collect()
}
