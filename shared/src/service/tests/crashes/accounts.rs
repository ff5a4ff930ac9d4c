//! Organizations, their permissions and their sessions. A caller without an answer checks the result, and repeats the
//! request where nothing was done or where a repetition has no effect.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::{
    access::{Action, By, KeyStatus, Member, Origin},
    i18n::Language,
    service::{
        Context, Mailing, job, organizations, quotas,
        sessions::{self, SessionToken},
        sign_in::{self, Ask, Confirmed, Looked, Press, Then},
        sign_up, subscriptions, sweep,
    },
    store::keys,
    testing::{Faults, Mail, Tally, World, enumerate_at},
    types::{EmailAddress, KeyId, Mode, OpaqueToken, OrganizationId, TaxpayerId},
};

const MODE: Mode = Mode::Sandbox;
const PORTAL: &str = "https://portal.example.com";

fn failing(world: &World, faults: &Arc<Faults>) -> Context {
    world.failing(faults).sending.ctx
}

pub(super) async fn tallies() -> Vec<Tally> {
    let mut tallies = Box::pin(organizations_and_keys()).await;
    tallies.extend(Box::pin(allowances()).await);
    tallies.extend(Box::pin(endings()).await);
    tallies.extend(Box::pin(links()).await);
    tallies
}

async fn organizations_and_keys() -> Vec<Tally> {
    let by = By::operator();
    let created = enumerate_at(
        "making of an organization",
        World::new,
        async |world: &World, faults: &Arc<Faults>| {
            let ctx = failing(world, faults);
            let _ = organizations::create(&ctx, MODE, "Integrator", &by).await;
        },
        async |world: &World| {
            if world.raw_items(keys::PROFILE).await.is_empty() {
                organizations::create(&world.ctx, MODE, "Integrator", &by).await.unwrap();
            }
            vec![
                ("organizations", world.raw_items(keys::PROFILE).await.len()),
                ("entries", world.entries_of(Action::OrganizationCreated).await),
            ]
        },
    );
    let keyed = enumerate_at(
        "making of an API key",
        async || {
            let world = World::new().await;
            let id = world.organization("Integrator").await;
            (world, id)
        },
        async |(world, id): &(World, OrganizationId), faults: &Arc<Faults>| {
            let ctx = failing(world, faults);
            let _ = organizations::create_key(&ctx, MODE, id, "ERP", &by).await;
        },
        async |(world, id): &(World, OrganizationId)| {
            let listed = async || organizations::list_keys(&world.ctx, MODE, id).await.unwrap();
            if listed().await.is_empty() {
                organizations::create_key(&world.ctx, MODE, id, "ERP", &by).await.unwrap();
            }
            vec![
                ("keys that are listed", listed().await.len()),
                ("keys beside their pointers", world.raw_items("KEY").await.len() - 1),
                ("entries", world.entries_of(Action::KeyCreated).await),
            ]
        },
    );
    type Keyed = (World, OrganizationId, KeyId);
    let revoked = enumerate_at(
        "revocation of an API key",
        async || {
            let world = World::new().await;
            let id = world.organization("Integrator").await;
            let key = organizations::create_key(&world.ctx, MODE, &id, "ERP", &by).await;
            (world, id, key.unwrap().1.key_id)
        },
        async |(world, id, key): &Keyed, faults: &Arc<Faults>| {
            let _ = organizations::revoke_key(&failing(world, faults), MODE, id, key, &by).await;
        },
        async |(world, id, key): &Keyed| {
            organizations::revoke_key(&world.ctx, MODE, id, key, &by).await.unwrap();
            let listed = organizations::list_keys(&world.ctx, MODE, id).await.unwrap();
            let revoked = listed.iter().filter(|key| key.status == KeyStatus::Revoked);
            vec![
                ("revoked keys", revoked.count()),
                ("entries", world.entries_of(Action::KeyRevoked).await),
            ]
        },
    );
    vec![Box::pin(created).await, Box::pin(keyed).await, Box::pin(revoked).await]
}

async fn allowances() -> Vec<Tally> {
    let by = By::operator();
    let organization = async || {
        let world = World::unconnected().await;
        let id = world.organization("Integrator").await;
        (world, id)
    };
    let recorded = async |world: &World, id: &OrganizationId| {
        let found = world.ctx.store.get_subscription(id).await.unwrap();
        let changes = found.as_ref().map_or(0, |it| usize::try_from(it.version).unwrap());
        let entries = world.entries_of(Action::SubscriptionSet).await
            + world.entries_of(Action::SubscriptionEnded).await;
        (found, ("changes with an entry each", usize::from(changes == entries)))
    };
    let set = enumerate_at(
        "setting of a subscription",
        organization,
        async |(world, id): &(World, OrganizationId), faults: &Arc<Faults>| {
            let _ = subscriptions::set(&failing(world, faults), id, Some(3), &by).await;
        },
        async |(world, id): &(World, OrganizationId)| {
            let (_, before) = recorded(world, id).await;
            subscriptions::set(&world.ctx, id, Some(3), &by).await.unwrap();
            let (found, after) = recorded(world, id).await;
            let is_recorded = found.is_some_and(|it| it.active && it.seats == Some(3));
            vec![before, after, ("subscriptions", usize::from(is_recorded))]
        },
    );
    let ended = enumerate_at(
        "end of a subscription",
        async || {
            let (world, id) = organization().await;
            world.subscribe(&id).await;
            (world, id)
        },
        async |(world, id): &(World, OrganizationId), faults: &Arc<Faults>| {
            let _ = subscriptions::end(&failing(world, faults), id, &by).await;
        },
        async |(world, id): &(World, OrganizationId)| {
            let (_, before) = recorded(world, id).await;
            subscriptions::end(&world.ctx, id, &by).await.unwrap();
            let (found, after) = recorded(world, id).await;
            vec![before, after, ("ends", usize::from(found.is_some_and(|it| !it.active)))]
        },
    );
    let quota = enumerate_at(
        "setting of a quota",
        async || {
            let world = World::new().await;
            let id = world.organization("Integrator").await;
            (world, id)
        },
        async |(world, id): &(World, OrganizationId), faults: &Arc<Faults>| {
            let _ = quotas::set(&failing(world, faults), id, Some(2), &by).await;
        },
        async |(world, id): &(World, OrganizationId)| {
            let most = async || quotas::show(&world.ctx, id).await.unwrap().most;
            let was_set = usize::from(most().await.is_some());
            let is_recorded = world.entries_of(Action::QuotaSet).await == was_set;
            quotas::set(&world.ctx, id, Some(2), &by).await.unwrap();
            vec![
                ("quotas", usize::from(most().await == Some(2))),
                ("changes with an entry each", usize::from(is_recorded)),
            ]
        },
    );
    vec![Box::pin(set).await, Box::pin(ended).await, Box::pin(quota).await]
}

/// A taxpayer with two sessions.
struct SignedIn {
    world: World,
    id: TaxpayerId,
    token: SessionToken,
}

impl SignedIn {
    async fn new() -> Self {
        let world = World::new().await;
        let id = world.onboarded("Falcon", "1001234501").await.taxpayer_id;
        let begin = async || sessions::begin(&world.ctx, MODE, &id, Origin::default()).await;
        let (token, _) = (begin().await.unwrap(), begin().await.unwrap());
        SignedIn { world, id, token }
    }

    async fn open(&self) -> usize {
        sessions::list(&self.world.ctx, MODE, &self.id).await.unwrap().len()
    }

    async fn ended(&self) -> usize {
        self.world.entries_of(Action::SessionEnded).await
    }
}

async fn endings() -> Vec<Tally> {
    let end = async |ctx: &Context, of: &SignedIn| {
        sessions::end(ctx, MODE, &of.token, Origin::default()).await
    };
    let end_one = async |ctx: &Context, of: &SignedIn| {
        sessions::end_one(ctx, MODE, &of.id, &of.token.hash(), Origin::default()).await
    };
    let other = async |of: &SignedIn| {
        vec![("other sessions", of.open().await), ("entries", of.ended().await)]
    };
    let ended = enumerate_at(
        "end of a session",
        SignedIn::new,
        async |of: &SignedIn, faults: &Arc<Faults>| {
            let _ = end(&failing(&of.world, faults), of).await;
        },
        async |of: &SignedIn| {
            end(&of.world.ctx, of).await.unwrap();
            other(of).await
        },
    );
    let one = enumerate_at(
        "end of one of the sessions",
        SignedIn::new,
        async |of: &SignedIn, faults: &Arc<Faults>| {
            let _ = end_one(&failing(&of.world, faults), of).await;
        },
        async |of: &SignedIn| {
            end_one(&of.world.ctx, of).await.unwrap();
            other(of).await
        },
    );
    let by = By::operator();
    let all = enumerate_at(
        "end of all sessions",
        SignedIn::new,
        async |of: &SignedIn, faults: &Arc<Faults>| {
            let _ = sessions::end_all(&failing(&of.world, faults), MODE, &of.id, &by).await;
        },
        async |of: &SignedIn| {
            let were_ended = usize::from(of.open().await == 0);
            let is_recorded = of.ended().await == were_ended;
            sessions::end_all(&of.world.ctx, MODE, &of.id, &by).await.unwrap();
            vec![
                ("sessions, and one", 1 + of.open().await),
                ("ends with an entry each", usize::from(is_recorded)),
            ]
        },
    );
    vec![Box::pin(ended).await, Box::pin(one).await, Box::pin(all).await]
}

/// A taxpayer that signs in by a link.
struct Coming {
    world: World,
    browser: OpaqueToken,
}

impl Coming {
    async fn new() -> Self {
        let world = World::new().await;
        world.registered("Falcon", "1001234501", &Self::address()).await;
        let browser = OpaqueToken::generate(&*world.ctx.random);
        Coming { world, browser }
    }

    /// A taxpayer that has requested a link, with the mail in the queue.
    async fn asked() -> Self {
        let coming = Self::new().await;
        coming.ask(&coming.world.ctx).await.unwrap();
        coming.world.stream().await;
        coming
    }

    fn address() -> EmailAddress {
        "accounts@falcon.example".parse().unwrap()
    }

    fn request(&self) -> Ask<'_> {
        Ask {
            mode: MODE,
            address: Self::address(),
            browser: &self.browser,
            place: "192.0.2.1",
            language: Language::English,
            then: Then::account(MODE),
        }
    }

    async fn ask(&self, ctx: &Context) -> Result<(), crate::error::Failure> {
        sign_in::ask(ctx, self.request()).await.map(drop)
    }

    /// Sends the mails in the queue. Unsent mails come again.
    async fn mail(&self, ctx: &Context) {
        let mailing = Mailing { ctx: ctx.clone(), ..self.world.mailing(PORTAL) };
        for message in self.world.cloud.messages() {
            if job::run(&mailing, &message.read()).await.is_ok() {
                self.world.cloud.acknowledge(&message);
            }
        }
    }

    /// Runs the waiting jobs until none is left.
    async fn mails(&self) -> Vec<Mail> {
        for _ in 0..3 {
            self.world.stream().await;
            self.mail(&self.world.ctx).await;
            self.world.clock.advance(SignedDuration::from_mins(3));
            sweep::sweep(&self.world.relaying).await;
        }
        self.world.cloud.mails()
    }

    async fn press(&self, ctx: &Context, token: &OpaqueToken) -> Option<Confirmed> {
        let (browser, origin) = (&self.browser, Origin::default());
        let press = Press { token, browser, chosen: None, before: None, origin };
        sign_in::confirm(ctx, MODE, press).await.ok()
    }

    /// Requests an organization for the address.
    async fn sign_up(&self) {
        sign_up::ask(&self.world.ctx, self.request(), "Books").await.unwrap();
    }

    /// Presses the button that makes the organization.
    async fn found(
        &self,
        ctx: &Context,
        token: &OpaqueToken,
    ) -> Option<sign_up::Link<SessionToken>> {
        let (browser, origin) = (&self.browser, Origin::default());
        let press = Press { token, browser, chosen: None, before: None, origin };
        sign_up::confirm(ctx, MODE, press).await.ok()
    }

    async fn waits(&self) -> (&'static str, usize) {
        ("things that wait, and one", 1 + self.world.marks("due_pk").await.len())
    }
}

fn token(mail: &Mail) -> OpaqueToken {
    let link = mail.text.lines().find(|line| line.starts_with(PORTAL)).unwrap();
    link.split_once("token=").unwrap().1.parse().unwrap()
}

async fn links() -> Vec<Tally> {
    let asked = enumerate_at(
        "wish to sign in",
        Coming::new,
        async |of: &Coming, faults: &Arc<Faults>| {
            let _ = of.ask(&failing(&of.world, faults)).await;
        },
        async |of: &Coming| {
            // Another mail may be sent.
            of.ask(&of.world.ctx).await.unwrap();
            vec![("mails, at least", of.mails().await.len().min(1)), of.waits().await]
        },
    );
    let mailed = enumerate_at(
        "mail with a link to sign in",
        Coming::asked,
        async |of: &Coming, faults: &Arc<Faults>| of.mail(&failing(&of.world, faults)).await,
        async |of: &Coming| {
            let mails = of.mails().await;
            let mut good = 0;
            for mail in &mails {
                let looked = sign_in::look(&of.world.ctx, MODE, &token(mail), &of.browser).await;
                good += usize::from(looked.unwrap() == Looked::Good);
            }
            vec![
                ("mails, at least", mails.len().min(1)),
                ("bad links, and one", 1 + mails.len() - good),
                of.waits().await,
            ]
        },
    );
    let confirmed = enumerate_at(
        "sign-in by a link",
        async || {
            let coming = Coming::asked().await;
            let [mail] = coming.mails().await.try_into().unwrap();
            (coming, token(&mail))
        },
        async |(of, token): &(Coming, OpaqueToken), faults: &Arc<Faults>| {
            let _ = of.press(&failing(&of.world, faults), token).await;
        },
        async |(of, token): &(Coming, OpaqueToken)| {
            // The button is pressed again. The link was used before, or is used now.
            let again = of.press(&of.world.ctx, token).await.unwrap();
            assert!(matches!(again, Confirmed::SignedIn { .. } | Confirmed::Gone), "{again:?}");
            let sessions = of.world.raw_items("SESSION").await;
            let sessions = sessions.iter().filter(|item| item["sk"].as_s().unwrap() == "SESSION");
            vec![
                ("sessions", sessions.count()),
                ("entries", of.world.entries_of(Action::SignInSucceeded).await),
            ]
        },
    );
    let founded = enumerate_at(
        "sign-up by a link",
        async || {
            let coming = Coming::new().await;
            coming.sign_up().await;
            coming.world.stream().await;
            let [mail] = coming.mails().await.try_into().unwrap();
            (coming, token(&mail))
        },
        async |(of, token): &(Coming, OpaqueToken), faults: &Arc<Faults>| {
            let _ = of.found(&failing(&of.world, faults), token).await;
        },
        async |(of, token): &(Coming, OpaqueToken)| {
            let again = of.found(&of.world.ctx, token).await.unwrap();
            assert!(matches!(again, sign_up::Link::Good(_) | sign_up::Link::Gone), "{again:?}");
            let members: Vec<Member> = of.world.items("MEMBER#").await;
            let sessions = of.world.raw_items("SESSION").await;
            let sessions = sessions.iter().filter(|item| item["sk"].as_s().unwrap() == "SESSION");
            vec![
                ("organizations", of.world.entries_of(Action::OrganizationCreated).await),
                ("owners", members.iter().filter(|member| member.mode == MODE).count()),
                ("sessions", sessions.count()),
            ]
        },
    );
    vec![
        Box::pin(asked).await,
        Box::pin(mailed).await,
        Box::pin(confirmed).await,
        Box::pin(founded).await,
    ]
}
