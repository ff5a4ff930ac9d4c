//! Members of an organization in both modes, and faults and concurrency of their changes.

use std::sync::Arc;

use crate::{
    access::{Action, AuditRecord, By, Member, Permission, Role},
    error::Code,
    i18n::Language,
    service::{
        members::{self, Invitation, MemberRefusal},
        sessions,
    },
    testing::{Faults, Tally, World, enumerate_at},
    types::{MemberId, Mode, OrganizationId},
};

fn invitation<'a>(organization_id: &'a OrganizationId, name: &str, role: Role) -> Invitation<'a> {
    let email = format!("{name}@integrator.example").parse().unwrap();
    Invitation { mode: Mode::Sandbox, organization_id, email, role, language: Language::English }
}

/// A world with an organization.
async fn scene() -> (World, OrganizationId) {
    let world = World::new().await;
    let id = world.organization("Integrator").await;
    (world, id)
}

async fn invited(world: &World, id: &OrganizationId, name: &str, role: Role) -> Member {
    let invitation = invitation(id, name, role);
    members::invite(&world.ctx, invitation, &By::operator()).await.unwrap().unwrap()
}

async fn roles(world: &World, mode: Mode, id: &OrganizationId) -> Vec<(MemberId, Role)> {
    let found = members::list(&world.ctx, mode, id).await.unwrap();
    found.into_iter().map(|member| (member.member_id, member.role)).collect()
}

#[tokio::test]
async fn who_is_invited_is_a_member_in_both_modes_and_is_notified_by_mail() {
    let (world, id) = scene().await;
    let ada = invited(&world, &id, "ada", Role::Owner).await;
    for mode in [Mode::Live, Mode::Sandbox] {
        assert_eq!(roles(&world, mode, &id).await, vec![(ada.member_id.clone(), Role::Owner)]);
        let found = world.ctx.store.list_memberships(mode, &ada.email).await.unwrap();
        assert_eq!(found, [Member { mode, ..ada.clone() }]);
    }
    // A member who has not signed in is invited again by another mail, and stays the same member.
    assert_eq!(invited(&world, &id, "ada", Role::Owner).await, ada);
    world.stream().await;
    let mailing = world.mailing("https://portal.example.com");
    world.run("mail", &mailing).await;
    let mails = world.cloud.mails();
    assert_eq!(mails.len(), 2);
    for part in ["Integrator", "https://portal.example.com/sandbox/sign-in"] {
        assert!(format!("{:?}", mails[0]).contains(part), "{part}");
    }
    // The language of an invited person is unknown: the mail is in both languages, English first.
    assert_eq!(mails[0].subject, "You are invited to an organization | دعوة للانضمام إلى مؤسسة");
    let (english, arabic) = mails[0].html.split_once("lang=\"ar\" dir=\"rtl\"").unwrap();
    assert!(
        english.contains("<html lang=\"en\"")
            && english.contains("You are invited to become a member")
    );
    assert!(arabic.contains("Integrator") && arabic.contains("مدعو"), "{arabic}");
    let again = invitation(&id, "ada", Role::Viewer);
    let refused = members::invite(&world.ctx, again, &By::operator()).await.unwrap();
    assert_eq!(refused, Err(MemberRefusal::Member(Role::Owner)));
    let entries: Vec<AuditRecord> = world.items("aud_").await;
    let invited = entries.iter().filter(|entry| entry.action == Action::MemberInvited);
    assert_eq!(invited.map(|entry| entry.mode).collect::<Vec<_>>().len(), 2);
}

#[tokio::test]
async fn there_is_always_an_owner() {
    let (world, id) = scene().await;
    let (ctx, by) = (&world.ctx, By::operator());
    let ada = invited(&world, &id, "ada", Role::Owner).await;
    let leave = async |member: &Member| {
        members::remove(ctx, Mode::Sandbox, &id, &member.member_id, &by).await.unwrap()
    };
    let become_viewer = async |member: &Member| {
        let changed =
            members::set_role(ctx, Mode::Live, &id, &member.member_id, Role::Viewer, &by).await;
        changed.unwrap().map(drop)
    };
    assert_eq!(leave(&ada).await, Err(MemberRefusal::LastOwner));
    assert_eq!(become_viewer(&ada).await, Err(MemberRefusal::LastOwner));
    let bob = invited(&world, &id, "bob", Role::Developer).await;
    assert_eq!(leave(&ada).await, Err(MemberRefusal::LastOwner), "a developer is none");
    let promoted = members::set_role(ctx, Mode::Sandbox, &id, &bob.member_id, Role::Owner, &by);
    assert_eq!(promoted.await.unwrap().unwrap().role, Role::Owner);
    // Two owners leave concurrently: one stays.
    let (first, second) = tokio::join!(leave(&ada), become_viewer(&bob));
    assert_eq!(usize::from(first.is_ok()) + usize::from(second.is_ok()), 1);
    for mode in [Mode::Live, Mode::Sandbox] {
        let owners = roles(&world, mode, &id).await;
        assert_eq!(owners.iter().filter(|(_, role)| *role == Role::Owner).count(), 1);
    }
    let nobody = "mbr_0".parse().unwrap();
    let failure = members::remove(ctx, Mode::Live, &id, &nobody, &by).await.unwrap_err();
    assert_eq!(failure.code, Code::NotFound);
}

#[tokio::test]
async fn who_is_taken_away_is_signed_out_everywhere_and_gets_no_mails() {
    let (world, id) = scene().await;
    let (ctx, by) = (&world.ctx, By::operator());
    invited(&world, &id, "ada", Role::Owner).await;
    let bob = invited(&world, &id, "bob", Role::Developer).await;
    let token = sessions::begin(ctx, Mode::Sandbox, &bob, Default::default()).await.unwrap();
    let current = async || {
        let current = sessions::current(ctx, Mode::Sandbox, &token).await.unwrap();
        current.and_then(sessions::CurrentSession::member).map(|it| it.member.role)
    };
    assert_eq!(current().await, Some(Role::Developer));
    let to_tell = async || {
        let notified =
            members::to_tell(ctx, Mode::Sandbox, &id, Permission::Develop).await.unwrap();
        notified.into_iter().map(|member| member.member_id).collect::<Vec<_>>()
    };
    assert_eq!(to_tell().await, [], "nobody has come yet");
    members::joined(ctx, &bob, &by).await.unwrap();
    assert_eq!(to_tell().await, std::slice::from_ref(&bob.member_id));
    let id_of_bob = &bob.member_id;
    let changed = members::set_role(ctx, Mode::Sandbox, &id, id_of_bob, Role::Viewer, &by).await;
    changed.unwrap().unwrap();
    assert_eq!((current().await, to_tell().await), (Some(Role::Viewer), vec![]));
    members::remove(ctx, Mode::Live, &id, id_of_bob, &by).await.unwrap().unwrap();
    assert_eq!(current().await, None);
    let found = ctx.store.list_memberships(Mode::Sandbox, &bob.email).await.unwrap();
    assert_eq!(found, []);
    // A person who is invited again is a new member: no earlier session becomes active again.
    invited(&world, &id, "bob", Role::Developer).await;
    assert_eq!(current().await, None);
}

/// Every change of members with a fault at each effect.
pub(super) async fn tallies() -> Vec<Tally> {
    let by = By::operator();
    let both = async |world: &World, id: &OrganizationId, role: Role| {
        let mut counts = Vec::new();
        for (mode, name) in [(Mode::Live, "members in Live"), (Mode::Sandbox, "in Sandbox")] {
            let found = members::list(&world.ctx, mode, id).await.unwrap();
            counts.push((name, found.iter().filter(|member| member.role == role).count()));
        }
        counts
    };
    let recorded = async |world: &World, action: Action| {
        let entries: Vec<AuditRecord> = world.items("aud_").await;
        let live = entries.iter().filter(|it| it.action == action && it.mode == Mode::Live);
        ("entries", live.count())
    };
    let invited_once = enumerate_at(
        "invitation of a member",
        scene,
        async |(world, id): &(World, OrganizationId), faults: &Arc<Faults>| {
            let ctx = world.failing(faults).sending.ctx;
            let _ = members::invite(&ctx, invitation(id, "ada", Role::Owner), &by).await;
        },
        async |(world, id): &(World, OrganizationId)| {
            // A caller without an answer repeats the request.
            invited(world, id, "ada", Role::Owner).await;
            let mut counts = both(world, id, Role::Owner).await;
            counts.push(recorded(world, Action::MemberInvited).await);
            world.stream().await;
            counts.push(("mails, at least", world.cloud.receive("mail").len().min(1)));
            counts
        },
    );
    let two = async || {
        let (world, id) = scene().await;
        invited(&world, &id, "ada", Role::Owner).await;
        let bob = invited(&world, &id, "bob", Role::Developer).await;
        (world, id, bob)
    };
    type Two = (World, OrganizationId, Member);
    let changed = enumerate_at(
        "role of a member",
        two,
        async |(world, id, bob): &Two, faults: &Arc<Faults>| {
            let ctx = world.failing(faults).sending.ctx;
            let (mode, role) = (Mode::Sandbox, Role::Viewer);
            let _ = members::set_role(&ctx, mode, id, &bob.member_id, role, &by).await;
        },
        async |(world, id, bob): &Two| {
            let (mode, role) = (Mode::Sandbox, Role::Viewer);
            let again = members::set_role(&world.ctx, mode, id, &bob.member_id, role, &by).await;
            again.unwrap().unwrap();
            let mut counts = both(world, id, role).await;
            counts.push(recorded(world, Action::MemberRoleChanged).await);
            counts
        },
    );
    let removed = enumerate_at(
        "removal of a member",
        two,
        async |(world, id, bob): &Two, faults: &Arc<Faults>| {
            let ctx = world.failing(faults).sending.ctx;
            let _ = members::remove(&ctx, Mode::Sandbox, id, &bob.member_id, &by).await;
        },
        async |(world, id, bob): &Two| {
            // A member who was removed before is not found any more.
            let _ = members::remove(&world.ctx, Mode::Sandbox, id, &bob.member_id, &by).await;
            let mut counts = both(world, id, Role::Owner).await;
            let left = both(world, id, Role::Developer).await;
            counts.extend(left.into_iter().map(|(_, count)| ("developers, and one", count + 1)));
            counts.push(recorded(world, Action::MemberRemoved).await);
            counts
        },
    );
    vec![invited_once.await, changed.await, removed.await]
}
