//! The words of mails: a text and the same as HTML, in the language that was asked for.

use askama::Template;

use super::super::sign_in::LINK_VALID;
use crate::{
    error::{Code, Failure},
    store::{Letter, MailRecord},
    types::{Mode, OpaqueToken},
    words::{self, Language, Value},
};

#[derive(Template)]
#[template(path = "mail/sign_in.html")]
struct Html<'a> {
    mail: &'a SignIn<'a>,
}

#[derive(Template)]
#[template(path = "mail/sign_in.txt")]
struct Text<'a> {
    mail: &'a SignIn<'a>,
}

/// What both hold.
struct SignIn<'a> {
    language: Language,
    link: &'a str,
    says: Says,
}

/// The names of the messages in it.
struct Says {
    subject: &'static str,
    text: &'static str,
    button: &'static str,
    not_you: &'static str,
}

impl SignIn<'_> {
    fn t(&self, name: &str) -> String {
        words::text(self.language, name, &[])
    }

    fn limits(&self) -> String {
        let minutes = u32::try_from(LINK_VALID.as_mins()).unwrap_or_default();
        words::text(self.language, "mail-sign-in-limits", &[("minutes", Value::Count(minutes))])
    }

    fn subject(&self) -> String {
        self.t(self.says.subject)
    }
}

/// The mail with a link to sign in.
pub(super) fn sign_in(
    origin: &str,
    mail: &MailRecord,
    token: &OpaqueToken,
) -> Result<Letter, Failure> {
    let subject = match mail.mode {
        Mode::Live => "mail-sign-in-subject",
        Mode::Sandbox => "mail-sandbox-subject",
    };
    let link = format!("{}/sign-in/confirm?token={}", portal(origin, mail.mode), token.reveal());
    let says = Says {
        subject,
        text: "mail-sign-in-text",
        button: "mail-sign-in-button",
        not_you: "mail-sign-in-not-you",
    };
    let mail = &SignIn { language: mail.language, link: &link, says };
    written(mail.subject(), &Text { mail }, &Html { mail })
}

/// The mail with a link to go on with onboarding, which is Live's alone.
pub(super) fn onboarding(
    origin: &str,
    mail: &MailRecord,
    token: &OpaqueToken,
) -> Result<Letter, Failure> {
    let link = format!("{origin}/onboard/confirm?token={}", token.reveal());
    let says = Says {
        subject: "mail-onboard-subject",
        text: "mail-onboard-text",
        button: "mail-onboard-button",
        not_you: "mail-onboard-not-you",
    };
    let mail = &SignIn { language: mail.language, link: &link, says };
    written(mail.subject(), &Text { mail }, &Html { mail })
}

#[derive(Template)]
#[template(path = "mail/notice.html")]
struct NoticeHtml<'a> {
    mail: &'a Notice<'a>,
}

#[derive(Template)]
#[template(path = "mail/notice.txt")]
struct NoticeText<'a> {
    mail: &'a Notice<'a>,
}

/// What a mail holds that tells something and leads to a page, where one signs in.
struct Notice<'a> {
    language: Language,
    /// The name of the message with the subject.
    subject: &'static str,
    paragraphs: Vec<String>,
    /// Where it leads, and the name of the message with the link's text.
    link: &'a str,
    link_text: &'static str,
}

impl Notice<'_> {
    fn t(&self, name: &str) -> String {
        words::text(self.language, name, &[])
    }

    fn subject(&self) -> String {
        self.t(self.subject)
    }
}

/// The mail that tells a taxpayer that the tokens of an application were ended.
pub(super) fn access_ended(
    origin: &str,
    mail: &MailRecord,
    application: &str,
    business: &str,
) -> Result<Letter, Failure> {
    let (language, link) = (mail.language, format!("{}/account", portal(origin, mail.mode)));
    let names = [("application", Value::Text(application)), ("business", Value::Text(business))];
    let paragraphs = vec![
        words::text(language, "mail-access-ended-text", &names),
        words::text(language, "mail-access-ended-now", &[]),
        words::text(language, "mail-access-ended-look", &[]),
    ];
    notice(Notice {
        language,
        subject: "mail-access-ended-subject",
        paragraphs,
        link: &link,
        link_text: "account-title",
    })
}

/// The mail that invites somebody to be a member of an organization. It holds no secret: who reads the mailbox signs in
/// there as always.
pub(super) fn invited(
    origin: &str,
    mail: &MailRecord,
    organization: &str,
) -> Result<Letter, Failure> {
    let (language, link) = (mail.language, format!("{}/sign-in", portal(origin, mail.mode)));
    let paragraphs = vec![
        words::text(language, "mail-invited-text", &[("organization", Value::Text(organization))]),
        words::text(language, "mail-invited-how", &[]),
        words::text(language, "mail-invited-not-you", &[]),
    ];
    notice(Notice {
        language,
        subject: "mail-invited-subject",
        paragraphs,
        link: &link,
        link_text: "sign-in-title",
    })
}

fn notice(mail: Notice<'_>) -> Result<Letter, Failure> {
    written(mail.subject(), &NoticeText { mail: &mail }, &NoticeHtml { mail: &mail })
}

/// Where the pages of a mode are.
fn portal(origin: &str, mode: Mode) -> String {
    match mode {
        Mode::Live => origin.to_owned(),
        Mode::Sandbox => format!("{origin}/sandbox"),
    }
}

fn written(subject: String, text: &impl Template, html: &impl Template) -> Result<Letter, Failure> {
    let failed = |error: askama::Error| {
        Failure::new(Code::InternalError, "A mail could not be written.").because(error)
    };
    let (text, html) = (text.render().map_err(failed)?, html.render().map_err(failed)?);
    Ok(Letter { subject, text, html })
}
