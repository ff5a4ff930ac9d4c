//! `access-point member`: the people of organizations.

use super::{
    Error, block_on,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::{By, Member, Role},
    error::Failure,
    service::members::{self, Invitation},
    store::instant,
    types::{EmailAddress, MemberId, OrganizationId},
    words::Language,
};

pub(super) const USAGE: &str = "\
access-point member ACTION --org org_… [OPTION…]

The people of an organization, in Live and Sandbox alike. Needs the environment of the functions: TABLE_NAME, and access
to the table.

  invite --email ADDRESS --role ROLE  sends a mail that invites somebody; again, if nobody came
    --language en|ar                  the language of the mail (en)
  list                                shows all
  role mbr_… --role ROLE              gives another role, which counts from the next request on
  remove mbr_…                        takes somebody away, from the next request on

  ROLE                                owner, developer, billing or viewer
  --mode MODE                         live (the default) or sandbox: where the mail leads
  --json                              for programs
";

/// Invites, lists, changes and removes members.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["org", "email", "role", "language"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let org: OrganizationId = given.required("org")?;
    let (mode, by) = (given.mode, By::operator());
    match given.action.as_str() {
        "invite" => {
            let (email, role): (EmailAddress, Role) =
                (given.required("email")?, given.required("role")?);
            let language = match given.option::<String>("language")?.as_deref() {
                None => Language::English,
                Some(tag) => Language::of_tag(tag)
                    .ok_or_else(|| Error::Usage("--language is en or ar".to_owned(), USAGE))?,
            };
            let invitation = Invitation { mode, organization_id: &org, email, role, language };
            let member = members::invite(&context().await?, invitation, &by).await?;
            show(&given, &member.map_err(Failure::from)?)
        }
        "list" => {
            let found = members::list(&context().await?, mode, &org).await?;
            let lines: Vec<_> = found.iter().map(columns).collect();
            given.show(&found, &lines)
        }
        "role" => {
            let (id, role): (MemberId, Role) = (given.identifier()?, given.required("role")?);
            let context = context().await?;
            let member = members::set_role(&context, mode, &org, &id, role, &by).await?;
            show(&given, &member.map_err(Failure::from)?)
        }
        "remove" => {
            let id: MemberId = given.identifier()?;
            let removed = members::remove(&context().await?, mode, &org, &id, &by).await?;
            removed.map_err(Failure::from)?;
            given.show(&serde_json::json!({"member_id": id}), &[line([id.as_str(), "removed"])])
        }
        _ => Err(given.unknown_action()),
    }
}

fn show(given: &Given, member: &Member) -> Result<(), Error> {
    given.show(member, &[columns(member)])
}

fn columns(member: &Member) -> Vec<String> {
    let joined =
        member.joined_at.map_or("invited".to_owned(), |at| format!("since {}", instant(at)));
    line([member.member_id.as_str(), member.role.as_str(), &joined, member.email.as_str()])
}
