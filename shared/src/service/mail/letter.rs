//! The texts of mails, as plain text and as HTML with the name and the colour of the service. A mail with a requested link has the language of the request. Other
//! notices are in both languages: for members in English first, for a taxpayer in its chosen language first.

use askama::Template;

use super::super::sign_in::LINK_VALID;
use crate::{
    error::{Code, Failure},
    i18n::{self, Language, Value},
    store::{DisabledReason, Letter, MailRecord},
    types::{Brand, Colour, Mode, OpaqueToken, readable},
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

/// From whom mails come, and where their links lead.
#[derive(Clone, Copy)]
pub(super) struct Sender<'a> {
    /// The origin of the pages.
    pub(super) origin: &'a str,
    /// The name and the look of the service.
    pub(super) brand: &'a Brand,
}

impl Sender<'_> {
    /// The address of a mode's pages.
    pub(super) fn portal(&self, mode: Mode) -> String {
        match mode {
            Mode::Live => self.origin.to_owned(),
            Mode::Sandbox => format!("{}/sandbox", self.origin),
        }
    }

    /// The name of the service for a reader of this language.
    pub(super) fn name(&self, language: Language) -> String {
        let general = || i18n::text(language, "service-name", &[]);
        self.brand.name.clone().unwrap_or_else(general)
    }

    /// The colour of the button, whose text is white.
    pub(super) fn colour(&self) -> Colour {
        readable(self.brand.accent, Colour([0x00; 3]), &[Colour([0xff; 3])])
    }
}

/// The data of both templates.
struct SignIn<'a> {
    sender: Sender<'a>,
    language: Language,
    link: &'a str,
    names: MessageNames,
}

/// The names of the messages in the mail.
struct MessageNames {
    subject: &'static str,
    text: &'static str,
    button: &'static str,
    not_you: &'static str,
}

impl SignIn<'_> {
    fn t(&self, name: &str) -> String {
        i18n::text(self.language, name, &[])
    }

    fn language(&self) -> Language {
        self.language
    }

    fn service(&self) -> String {
        self.sender.name(self.language)
    }

    fn limits(&self) -> String {
        let minutes = u32::try_from(LINK_VALID.as_mins()).unwrap_or_default();
        i18n::text(self.language, "mail-sign-in-limits", &[("minutes", Value::Count(minutes))])
    }

    fn subject(&self) -> String {
        self.t(self.names.subject)
    }
}

/// The mail with a link to sign in.
pub(super) fn sign_in(
    sender: Sender<'_>,
    mail: &MailRecord,
    token: &OpaqueToken,
) -> Result<Letter, Failure> {
    let subject = match mail.mode {
        Mode::Live => "mail-sign-in-subject",
        Mode::Sandbox => "mail-sandbox-subject",
    };
    let link = format!("{}/sign-in/confirm?token={}", sender.portal(mail.mode), token.reveal());
    let names = MessageNames {
        subject,
        text: "mail-sign-in-text",
        button: "mail-sign-in-button",
        not_you: "mail-sign-in-not-you",
    };
    let mail = &SignIn { sender, language: mail.language, link: &link, names };
    written(mail.subject(), &Text { mail }, &Html { mail })
}

/// The mail with a link that makes an organization. It does not show the organization's name, since anybody can enter
/// any name and any address.
pub(super) fn sign_up(
    sender: Sender<'_>,
    mail: &MailRecord,
    token: &OpaqueToken,
) -> Result<Letter, Failure> {
    let page = "organization/new/confirm";
    let link = format!("{}/{page}?token={}", sender.portal(mail.mode), token.reveal());
    let names = MessageNames {
        subject: "mail-sign-up-subject",
        text: "mail-sign-up-text",
        button: "mail-sign-up-button",
        not_you: "mail-sign-up-not-you",
    };
    let mail = &SignIn { sender, language: mail.language, link: &link, names };
    written(mail.subject(), &Text { mail }, &Html { mail })
}

/// The mail with a link that continues an onboarding. Onboarding exists only in Live.
pub(super) fn onboarding(
    sender: Sender<'_>,
    mail: &MailRecord,
    token: &OpaqueToken,
) -> Result<Letter, Failure> {
    let link = format!("{}/onboard/confirm?token={}", sender.origin, token.reveal());
    let names = MessageNames {
        subject: "mail-onboard-subject",
        text: "mail-onboard-text",
        button: "mail-onboard-button",
        not_you: "mail-onboard-not-you",
    };
    let mail = &SignIn { sender, language: mail.language, link: &link, names };
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

/// A mail that notifies about something and links to a page that needs a sign-in.
struct Notice<'a> {
    sender: Sender<'a>,
    /// One part for each language.
    parts: Vec<Part>,
    /// The link, and the name of the message with the link's text.
    link: &'a str,
    link_text: &'static str,
    /// The name of the message with the subject.
    subject: &'static str,
}

/// A notice in one language.
struct Part {
    language: Language,
    paragraphs: Vec<String>,
}

impl Part {
    fn t(&self, name: &str) -> String {
        i18n::text(self.language, name, &[])
    }
}

impl<'a> Notice<'a> {
    /// A notice of paragraphs in `first` and then in the other language. Each paragraph is a message with its values.
    fn new(
        sender: Sender<'a>,
        first: Language,
        subject: &'static str,
        paragraphs: &[(&str, &[(&str, Value<'_>)])],
        (link, link_text): (&'a str, &'static str),
    ) -> Self {
        let part = |language| Part {
            language,
            paragraphs: paragraphs
                .iter()
                .map(|(name, values)| i18n::text(language, name, values))
                .collect(),
        };
        Notice { sender, parts: [first, first.other()].map(part).into(), link, link_text, subject }
    }

    fn language(&self) -> Language {
        self.parts.first().map_or(Language::English, |part| part.language)
    }

    fn subject(&self) -> String {
        let subjects: Vec<_> = self.parts.iter().map(|part| part.t(self.subject)).collect();
        subjects.join(" | ")
    }

    fn written(&self) -> Result<Letter, Failure> {
        written(self.subject(), &NoticeText { mail: self }, &NoticeHtml { mail: self })
    }
}

/// The mail that informs a taxpayer that an application's tokens were ended.
pub(super) fn access_ended(
    sender: Sender<'_>,
    mail: &MailRecord,
    application: &str,
    business: &str,
) -> Result<Letter, Failure> {
    let link = format!("{}/account", sender.portal(mail.mode));
    let names = [("application", Value::Text(application)), ("business", Value::Text(business))];
    let paragraphs: [(&str, &[_]); 3] = [
        ("mail-access-ended-text", &names),
        ("mail-access-ended-now", &[]),
        ("mail-access-ended-look", &[]),
    ];
    let link = (link.as_str(), "account-title");
    Notice::new(sender, mail.language, "mail-access-ended-subject", &paragraphs, link).written()
}

/// The mail that informs a taxpayer that another party revoked the access of an application.
pub(super) fn access_revoked(
    sender: Sender<'_>,
    mail: &MailRecord,
    [application, organization, business]: [&str; 3],
) -> Result<Letter, Failure> {
    let link = format!("{}/account", sender.portal(mail.mode));
    let names = [
        ("application", Value::Text(application)),
        ("organization", Value::Text(organization)),
        ("business", Value::Text(business)),
    ];
    let paragraphs: [(&str, &[_]); 3] = [
        ("mail-access-revoked-text", &names),
        ("mail-access-revoked-now", &[]),
        ("mail-access-revoked-look", &[]),
    ];
    let link = (link.as_str(), "account-title");
    Notice::new(sender, mail.language, "mail-access-revoked-subject", &paragraphs, link).written()
}

/// The mail that informs a taxpayer that its notices go to another address.
pub(super) fn notices_moved(
    sender: Sender<'_>,
    mail: &MailRecord,
    business: &str,
) -> Result<Letter, Failure> {
    let link = format!("{}/account/settings", sender.portal(mail.mode));
    let name = [("business", Value::Text(business))];
    let paragraphs: [(&str, &[_]); 3] = [
        ("mail-notices-moved-text", &name),
        ("mail-notices-moved-still", &[]),
        ("mail-notices-moved-look", &[]),
    ];
    let link = (link.as_str(), "settings-title");
    Notice::new(sender, mail.language, "mail-notices-moved-subject", &paragraphs, link).written()
}

/// The mail that invites a person to an organization. It holds no secret: the owner of the mailbox signs in as always.
pub(super) fn invited(
    sender: Sender<'_>,
    mail: &MailRecord,
    organization: &str,
) -> Result<Letter, Failure> {
    let link = format!("{}/sign-in", sender.portal(mail.mode));
    let name = [("organization", Value::Text(organization))];
    let paragraphs: [(&str, &[_]); 3] =
        [("mail-invited-text", &name), ("mail-invited-how", &[]), ("mail-invited-not-you", &[])];
    let link = (link.as_str(), "sign-in-title");
    Notice::new(sender, Language::English, "mail-invited-subject", &paragraphs, link).written()
}

/// The mail that informs members that an endpoint of their organization was disabled.
pub(super) fn endpoint_disabled(
    sender: Sender<'_>,
    mail: &MailRecord,
    url: &str,
    reason: DisabledReason,
) -> Result<Letter, Failure> {
    let link = format!("{}/sign-in", sender.portal(mail.mode));
    let text = match reason {
        DisabledReason::Gone => "mail-endpoint-gone-text",
        DisabledReason::Failing | DisabledReason::Requested | DisabledReason::Unknown => {
            "mail-endpoint-failing-text"
        }
    };
    let url = [("url", Value::Text(url))];
    let choice = format!("{}/organization/notifications", sender.portal(mail.mode));
    let choice = [("link", Value::Text(&choice))];
    let paragraphs: [(&str, &[_]); 3] = [
        (text, &url),
        ("mail-endpoint-disabled-now", &[]),
        ("mail-endpoint-disabled-choose", &choice),
    ];
    let link = (link.as_str(), "sign-in-title");
    Notice::new(sender, mail.language, "mail-endpoint-disabled-subject", &paragraphs, link)
        .written()
}

pub(super) fn written(
    subject: String,
    text: &impl Template,
    html: &impl Template,
) -> Result<Letter, Failure> {
    let failed = |error: askama::Error| {
        Failure::new(Code::InternalError, "A mail could not be rendered.").because(error)
    };
    let (text, html) = (text.render().map_err(failed)?, html.render().map_err(failed)?);
    Ok(Letter { subject, text, html })
}
