//! `access-point member`: the people of organizations.

use super::{
    Error, block_on,
    common::{Common, context, line},
    one_of,
};
use crate::{
    access::{By, Member, Role},
    error::Failure,
    i18n::Language,
    service::members::{self, Invitation},
    store::instant,
    types::{EmailAddress, MemberId, OrganizationId},
};

/// Manage the members of an organization
///
/// Members belong to an organization in Live and Sandbox alike. Needs the environment of the functions: TABLE_NAME, and access
/// to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Invite a member by mail, or send the mail again
    ///
    /// The mail leads to Live or to Sandbox, by --mode.
    Invite {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
        /// Address of the member
        #[arg(long, value_name = "ADDRESS")]
        email: EmailAddress,
        #[command(flatten)]
        role: InRole,
        /// Language of the mail, en or ar
        #[arg(long, default_value = "en", value_parser = language)]
        language: Language,
    },
    /// List all members
    List {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
    /// Change the role of a member, from the next request on
    Role {
        /// Member, mbr_…
        id: MemberId,
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
        #[command(flatten)]
        role: InRole,
    },
    /// Remove a member, from the next request on
    Remove {
        /// Member, mbr_…
        id: MemberId,
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
}

#[derive(clap::Args)]
struct InRole {
    /// Role of the member
    #[arg(long, value_parser = one_of(Role::ALL, Role::as_str))]
    role: Role,
}

fn language(tag: &str) -> Result<Language, &'static str> {
    Language::of_tag(tag).ok_or("the language is en or ar")
}

/// Invites, lists, changes and removes members.
pub(super) fn run(Args { action, common }: Args) -> Result<(), Error> {
    block_on(act(action, &common))
}

async fn act(action: Action, common: &Common) -> Result<(), Error> {
    let (context, mode, by) = (context().await?, common.mode(), By::operator());
    match action {
        Action::Invite { org, email, role: InRole { role }, language } => {
            let invitation = Invitation { mode, organization_id: &org, email, role, language };
            let member = members::invite(&context, invitation, &by).await?;
            show(common, &member.map_err(Failure::from)?)
        }
        Action::List { org } => {
            let found = members::list(&context, mode, &org).await?;
            let lines: Vec<_> = found.iter().map(columns).collect();
            common.show(&found, &lines)
        }
        Action::Role { id, org, role: InRole { role } } => {
            let member = members::set_role(&context, mode, &org, &id, role, &by).await?;
            show(common, &member.map_err(Failure::from)?)
        }
        Action::Remove { id, org } => {
            let removed = members::remove(&context, mode, &org, &id, &by).await?;
            removed.map_err(Failure::from)?;
            common.show(&serde_json::json!({"member_id": id}), &[line([id.as_str(), "removed"])])
        }
    }
}

fn show(common: &Common, member: &Member) -> Result<(), Error> {
    common.show(member, &[columns(member)])
}

fn columns(member: &Member) -> Vec<String> {
    let joined =
        member.joined_at.map_or("invited".to_owned(), |at| format!("since {}", instant(at)));
    line([member.member_id.as_str(), member.role.as_str(), &joined, member.email.as_str()])
}
