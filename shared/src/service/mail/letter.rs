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
    mode: Mode,
    link: &'a str,
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
        self.t(match self.mode {
            Mode::Live => "mail-sign-in-subject",
            Mode::Sandbox => "mail-sandbox-subject",
        })
    }
}

/// The mail with a link to sign in.
pub(super) fn sign_in(
    origin: &str,
    mail: &MailRecord,
    token: &OpaqueToken,
) -> Result<Letter, Failure> {
    let sandbox = if mail.mode == Mode::Sandbox { "/sandbox" } else { "" };
    let link = format!("{origin}{sandbox}/sign-in/confirm?token={}", token.reveal());
    let mail = &SignIn { language: mail.language, mode: mail.mode, link: &link };
    let failed = |error: askama::Error| {
        Failure::new(Code::InternalError, "A mail could not be written.").because(error)
    };
    Ok(Letter {
        subject: mail.subject(),
        text: Text { mail }.render().map_err(failed)?,
        html: Html { mail }.render().map_err(failed)?,
    })
}
