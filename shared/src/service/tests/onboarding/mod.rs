//! Onboarding of businesses in Live. The national portal and the SML are real servers on loopback. The mailboxes keep
//! the mails that they get.

mod applying;
mod crashes;
mod notices;
mod operator;
mod portal;
mod roles;

use std::sync::Arc;

use jiff::SignedDuration;

use crate::{
    access::{Origin, Taxpayer, TaxpayerStatus},
    error::Failure,
    i18n::Language,
    service::{
        Context, Mailing, Registering, job,
        onboarding::Admission,
        onboarding::Registration,
        onboarding::{self, Ask, Asked, Link, Shown},
        sweep,
    },
    store::{ApplicationRecord, ApplicationStatus as Status},
    testing::{Mail, Message, Registers, TaxPortal, TestNetwork, World, business, sealing_key},
    types::{ApplicationId, EmailAddress, Mode, OpaqueToken},
};

pub(super) use crashes::tallies;

const TIN: &str = "1001234509";
const EMAIL: &str = "accounts@falcon.example";
const PORTAL_URL: &str = "https://portal.example.com";

/// A deployment with a national portal that has valid data of Falcon.
pub(super) struct Scene {
    pub(super) world: World,
    network: TestNetwork,
    registers: Registers,
    pub(super) portal: TaxPortal,
    browser: OpaqueToken,
}

fn origin() -> Origin {
    Origin::new(Some("192.0.2.1".to_owned()), Some("Firefox"), Some("r-1".to_owned()))
}

impl Scene {
    pub(super) async fn new() -> Scene {
        let (world, network) = World::live().await;
        let registers = Registers::start(&network).await;
        let portal = TaxPortal::start().await;
        portal.has(TIN, business("Falcon Trading LLC", TIN, EMAIL));
        let browser = OpaqueToken::generate(&*world.ctx.random);
        Scene { world, network, registers, portal, browser }
    }

    fn ctx(&self) -> &Context {
        &self.world.ctx
    }

    pub(super) fn registering(&self) -> Registering {
        Registering {
            ctx: self.world.ctx.clone(),
            registries: Some(Arc::new(self.registers.registries())),
            national_portal: Some(self.portal.way()),
            sealing_keys: sealing_key().into(),
            lease: self.world.sending.settings.lease,
        }
    }

    pub(super) fn mailing(&self) -> Mailing {
        Mailing { national_portal: Some(self.portal.way()), ..self.world.mailing(PORTAL_URL) }
    }

    async fn ask_in(&self, ctx: &Context, browser: &OpaqueToken) -> Result<Asked, Failure> {
        onboarding::ask(ctx, wish(browser, TIN, EMAIL)).await
    }

    /// Begins an application. The answer does not depend on the TIN and the address.
    async fn ask(&self, tin: &str, email: &str) -> ApplicationId {
        let asked = onboarding::ask(self.ctx(), wish(&self.browser, tin, email)).await.unwrap();
        let Asked::Noted(id) = asked else { panic!("{asked:?}") };
        id
    }

    /// Runs relay, mails and registers until nothing is left to do.
    pub(super) async fn work(&self) {
        for _ in 0..10 {
            self.world.stream().await;
            let mut worked = false;
            for message in self.world.cloud.receive("mail") {
                job::run(&self.mailing(), &message.read()).await.unwrap();
                worked = true;
            }
            for message in self.world.cloud.receive("register") {
                handle(&self.registering(), &message).await.unwrap();
                worked = true;
            }
            if !worked {
                return;
            }
        }
        panic!("it does not come to rest");
    }

    /// Advances the clock and runs everything that is due.
    async fn pass(&self, time: SignedDuration) {
        self.world.clock.advance(time);
        sweep::sweep(&self.world.relaying).await;
        self.work().await;
    }

    /// The mails that were sent since the last call.
    async fn mails(&self) -> Vec<Mail> {
        self.work().await;
        self.world.cloud.mails()
    }

    async fn application(&self, id: &ApplicationId) -> ApplicationRecord {
        self.ctx().store.get_application(Mode::Live, id).await.unwrap().unwrap()
    }

    async fn status(&self, id: &ApplicationId) -> Status {
        self.application(id).await.status
    }

    /// Uses the link of the mail that arrives.
    async fn verify(&self, browser: &OpaqueToken) -> ApplicationRecord {
        let [mail] = self.mails().await.try_into().unwrap();
        let verified = onboarding::verify(self.ctx(), &token(&mail), browser, origin()).await;
        let Link::Good(application) = verified.unwrap() else { panic!("it does not work") };
        assert_eq!(application.status, Status::Details);
        *application
    }

    /// Reads the details and confirms them.
    async fn confirm(&self, application: &ApplicationRecord) {
        let portal = self.portal.way();
        let shown = onboarding::details(self.ctx(), &*portal, application).await.unwrap();
        let Shown::Details { business, defects, .. } = shown else { panic!("{shown:?}") };
        assert!(defects.is_empty(), "{defects:?}");
        let digest = business.digest();
        onboarding::confirm(self.ctx(), application, &digest, origin()).await.unwrap();
    }

    /// An application with confirmed details.
    async fn confirmed(&self) -> ApplicationId {
        let id = self.ask(TIN, EMAIL).await;
        let application = self.verify(&self.browser).await;
        self.confirm(&application).await;
        id
    }

    /// Falcon after its onboarding.
    pub(super) async fn onboarded(&self) -> Taxpayer {
        self.confirmed().await;
        self.work().await;
        let taxpayer = self.falcon().await.unwrap();
        assert_eq!(taxpayer.status, TaxpayerStatus::Active);
        taxpayer
    }

    /// Falcon, if it is a taxpayer.
    async fn falcon(&self) -> Option<Taxpayer> {
        let participant = format!("0235:{TIN}").parse().unwrap();
        let store = &self.ctx().store;
        let found = store.find_participant(Mode::Live, &participant).await.unwrap()?;
        let taxpayer = store.get_taxpayer(Mode::Live, &found.taxpayer_id).await.unwrap().unwrap();
        assert_eq!(found.status, taxpayer.status, "the pointer says the same");
        Some(taxpayer)
    }

    fn smp(&self) -> Option<String> {
        self.network.smp_of(&format!("0235:{TIN}").parse().unwrap())
    }
}

/// Handles a message of the queue `register`.
async fn handle(registering: &Registering, message: &Message) -> Result<(), Failure> {
    match message.body.get("application_id") {
        Some(_) => job::run(&Admission(registering.clone()), &message.read()).await,
        None => job::run(&Registration(registering.clone()), &message.read()).await,
    }
}

fn wish<'a>(browser: &'a OpaqueToken, tin: &str, email: &str) -> Ask<'a> {
    Ask {
        tin: tin.parse().unwrap(),
        email: address(email),
        browser,
        place: "192.0.2.1",
        language: Language::English,
        then: "/account".to_owned(),
        origin: origin(),
    }
}

fn address(text: &str) -> EmailAddress {
    text.parse().unwrap()
}

/// The token of the link in a mail.
fn token(mail: &Mail) -> OpaqueToken {
    let begin = format!("{PORTAL_URL}/onboard/confirm?token=");
    let link = mail.text.lines().find_map(|line| line.strip_prefix(begin.as_str()));
    link.unwrap().parse().unwrap()
}
