//! The mail of a notification, in the language of the member. It names what happened, links to the page on which the
//! member can act, and links to the choice of notifications.

use askama::Template;

use super::letter::{Sender, written};
use crate::{
    access::Notification,
    error::{Code, Failure},
    i18n::{self, Language, Value, figures},
    store::{DayInBrief, Letter, MailRecord, Notified, NotifiedDocument, Reached},
    types::{Mode, UAE_OFFSET},
};

#[derive(Template)]
#[template(path = "mail/notification.html")]
struct Html<'a> {
    mail: &'a Mail<'a>,
}

#[derive(Template)]
#[template(path = "mail/notification.txt")]
struct Text<'a> {
    mail: &'a Mail<'a>,
}

/// The data of both templates.
struct Mail<'a> {
    sender: Sender<'a>,
    language: Language,
    mode: Mode,
    organization: &'a str,
    subject: String,
    paragraphs: Vec<String>,
    rows: Vec<Row>,
    /// The path of the page on which the member can act, and the name of the message with the link's text.
    page: (String, &'static str),
}

/// A row of the list in the mail.
struct Row {
    title: String,
    detail: String,
    state: String,
    path: Option<String>,
}

impl Mail<'_> {
    fn t(&self, name: &str) -> String {
        i18n::text(self.language, name, &[])
    }

    fn language(&self) -> Language {
        self.language
    }

    fn subject(&self) -> String {
        self.subject.clone()
    }

    fn service(&self) -> String {
        self.sender.name(self.language)
    }

    /// The organization, and the mode if that is Sandbox.
    fn place(&self) -> String {
        let name = [("organization", Value::Text(self.organization))];
        let message = match self.mode {
            Mode::Live => "mail-notify-place",
            Mode::Sandbox => "mail-notify-place-sandbox",
        };
        i18n::text(self.language, message, &name)
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.sender.portal(self.mode))
    }

    fn link(&self) -> String {
        self.url(&self.page.0)
    }

    fn choice(&self) -> String {
        self.url("/organization/notifications")
    }
}

/// The mail of a notification.
pub(super) fn notification(
    sender: Sender<'_>,
    mail: &MailRecord,
    organization: &str,
    notified: &Notified,
) -> Result<Letter, Failure> {
    let language = mail.language;
    let Content { subject, paragraphs, rows, page } = content(language, notified)?;
    let mode = mail.mode;
    let page = (page.0.to_owned(), page.1);
    let mail = Mail { sender, language, mode, organization, subject, paragraphs, rows, page };
    written(mail.subject(), &Text { mail: &mail }, &Html { mail: &mail })
}

/// What one kind of notification says.
struct Content {
    subject: String,
    paragraphs: Vec<String>,
    rows: Vec<Row>,
    page: (&'static str, &'static str),
}

fn content(language: Language, notified: &Notified) -> Result<Content, Failure> {
    let t = |name: &str, values: &[(&str, Value<'_>)]| i18n::text(language, name, values);
    Ok(match notified {
        Notified::Documents { outcome, count, is_more, documents } => {
            let (subject, text) = match outcome {
                Notification::Rejected => {
                    ("mail-notify-rejected-subject", "mail-notify-rejected-text")
                }
                _ => ("mail-notify-failed-subject", "mail-notify-failed-text"),
            };
            let mut paragraphs = vec![t(text, &[])];
            let named = u32::try_from(documents.len()).unwrap_or(u32::MAX);
            let rest = count.saturating_sub(named);
            if *is_more {
                paragraphs.push(t("mail-notify-many", &[("count", Value::Count(*count))]));
            } else if rest > 0 {
                paragraphs.push(t("mail-notify-rest", &[("count", Value::Count(rest))]));
            }
            Content {
                subject: t(subject, &[("count", Value::Count(*count))]),
                paragraphs,
                rows: documents.iter().map(|document| row(language, document)).collect(),
                page: ("/organization/documents?view=fix", "mail-notify-documents"),
            }
        }
        Notified::Endpoints { urls } => Content {
            subject: t("mail-notify-endpoint-subject", &[]),
            paragraphs: vec![
                t("mail-notify-endpoint-text", &[]),
                t("mail-notify-endpoint-now", &[]),
            ],
            rows: urls.iter().map(|url| plain(url.clone(), String::new())).collect(),
            page: ("/organization/webhooks", "webhooks-title"),
        },
        Notified::Seats { in_use, seats } => {
            let values = [("used", Value::Count(*in_use)), ("seats", Value::Count(*seats))];
            let text =
                if in_use >= seats { "mail-notify-seats-full" } else { "mail-notify-seats-text" };
            Content {
                subject: t("mail-notify-seats-subject", &values),
                paragraphs: vec![t(text, &values)],
                rows: Vec::new(),
                page: ("/organization/billing", "billing-title"),
            }
        }
        Notified::Quota { sent, most } => {
            let values = [("sent", Value::Count(*sent)), ("most", Value::Count(*most))];
            let text =
                if sent >= most { "mail-notify-quota-full" } else { "mail-notify-quota-text" };
            Content {
                subject: t("mail-notify-quota-subject", &values),
                paragraphs: vec![t(text, &values)],
                rows: Vec::new(),
                page: ("/organization", "nav-home"),
            }
        }
        Notified::Certificate { day } => {
            let day = figures::date(language, *day);
            let day = [("day", Value::Text(&day))];
            Content {
                subject: t("mail-notify-certificate-subject", &day),
                paragraphs: vec![t("mail-notify-certificate-text", &day)],
                rows: Vec::new(),
                page: ("/organization", "nav-home"),
            }
        }
        Notified::SignIn { browser, at } => {
            let time = figures::second(language, UAE_OFFSET.to_datetime(*at));
            let unknown = || t("sessions-some-browser", &[]);
            Content {
                subject: t("mail-notify-sign-in-subject", &[]),
                paragraphs: vec![
                    t("mail-notify-sign-in-text", &[("time", Value::Text(&time))]),
                    t("mail-notify-sign-in-now", &[]),
                ],
                rows: vec![plain(browser.clone().unwrap_or_else(unknown), String::new())],
                page: ("/organization/sessions", "member-sessions-title"),
            }
        }
        Notified::Digest(brief) => digest(language, brief),
        Notified::Unknown => {
            let message = "The notification is of a newer version.";
            return Err(Failure::new(Code::ServiceUnavailable, message));
        }
    })
}

fn digest(language: Language, brief: &DayInBrief) -> Content {
    let day = figures::date(language, brief.day);
    let t = |name: &str| i18n::text(language, name, &[("day", Value::Text(&day))]);
    let figure = |name, count: u32| plain(t(name), count.to_string());
    let mut paragraphs = vec![t("mail-digest-text")];
    let needs_attention = brief.open > 0 || brief.overdue > 0;
    let advice = if needs_attention { "mail-digest-attention" } else { "mail-digest-well" };
    paragraphs.push(t(advice));
    Content {
        subject: t("mail-digest-subject"),
        paragraphs,
        rows: vec![
            figure("mail-digest-sent", brief.sent),
            figure("mail-digest-received", brief.received),
            figure("mail-digest-rejected", brief.rejected),
            figure("mail-digest-failed", brief.failed),
            figure("mail-digest-waiting", brief.waiting),
            figure("mail-digest-overdue", brief.overdue),
            figure("mail-digest-open", brief.open),
        ],
        page: ("/organization", "nav-home"),
    }
}

fn plain(title: String, state: String) -> Row {
    Row { title, detail: String::new(), state, path: None }
}

fn row(language: Language, document: &NotifiedDocument) -> Row {
    let NotifiedDocument { taxpayer_id, document_id, .. } = document;
    Row {
        title: document.number.clone(),
        detail: document.other_party.clone(),
        state: i18n::text(language, state(document.reached), &[]),
        path: Some(format!("/organization/taxpayers/{taxpayer_id}/documents/{document_id}")),
    }
}

/// The name of the message for what became of a document.
fn state(reached: Reached) -> &'static str {
    match reached {
        Reached::Rejected => "status-rejected",
        Reached::NotCompliant => "report-not-compliant",
        Reached::Unconfirmed => "status-unconfirmed",
        Reached::Unreported => "report-failed",
        _ => "status-failed",
    }
}
