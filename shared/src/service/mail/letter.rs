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
    let (sandbox, subject) = match mail.mode {
        Mode::Live => ("", "mail-sign-in-subject"),
        Mode::Sandbox => ("/sandbox", "mail-sandbox-subject"),
    };
    let link = format!("{origin}{sandbox}/sign-in/confirm?token={}", token.reveal());
    let says = Says {
        subject,
        text: "mail-sign-in-text",
        button: "mail-sign-in-button",
        not_you: "mail-sign-in-not-you",
    };
    written(&SignIn { language: mail.language, link: &link, says })
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
    written(&SignIn { language: mail.language, link: &link, says })
}

fn written(mail: &SignIn<'_>) -> Result<Letter, Failure> {
    let failed = |error: askama::Error| {
        Failure::new(Code::InternalError, "A mail could not be written.").because(error)
    };
    Ok(Letter {
        subject: mail.subject(),
        text: Text { mail }.render().map_err(failed)?,
        html: Html { mail }.render().map_err(failed)?,
    })
}
