//! The mail service, Amazon SES.

use std::sync::Arc;

use aws_sdk_sesv2::types::{Body, Content, Destination, EmailContent, Message};
use base64::{Engine, engine::general_purpose::STANDARD};

use crate::types::EmailAddress;

const CHARSET: &str = "UTF-8";

/// The content of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The text as HTML.
    pub html: String,
}

/// Why the mail service did not accept a mail.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    /// The service will never accept this mail.
    #[error("the mail service refuses the mail: {0}")]
    Refused(String),
    /// The service cannot be reached, or not now.
    #[error("the mail service cannot be reached: {0}")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Maximum bytes of a name in an encoded word, which has at most 75 characters (RFC 2047, section 2).
const WORD_BYTES: usize = 45;

/// The sender of mails: an address with a name before it, if there is one (RFC 5322, section 3.4).
pub fn sender(name: Option<&str>, address: &str) -> String {
    let Some(name) = name.filter(|_| !address.contains('<')) else { return address.to_owned() };
    if name.is_ascii() {
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        return format!("\"{name}\" <{address}>");
    }
    let mut words = vec![String::new()];
    for letter in name.chars() {
        match words.last_mut() {
            Some(word) if word.len() + letter.len_utf8() <= WORD_BYTES => word.push(letter),
            _ => words.push(letter.to_string()),
        }
    }
    let words: Vec<_> =
        words.iter().map(|word| format!("=?UTF-8?B?{}?=", STANDARD.encode(word))).collect();
    format!("{} <{address}>", words.join(" "))
}

/// Sends mails from one sender. Clients are built once and shared.
#[derive(Clone)]
pub struct Mailer {
    ses: aws_sdk_sesv2::Client,
    from: Arc<str>,
}

impl Mailer {
    /// A mailer for a sender, `name@domain` or `Name <name@domain>`.
    pub fn new(ses: aws_sdk_sesv2::Client, from: &str) -> Self {
        Mailer { ses, from: from.into() }
    }

    /// Sends a mail. A call that the SDK repeated may send it twice.
    pub async fn send(&self, to: &EmailAddress, letter: &Letter) -> Result<(), MailerError> {
        let content = |data: &str| Content::builder().data(data).charset(CHARSET).build();
        let refused =
            |error: aws_sdk_sesv2::error::BuildError| MailerError::Refused(error.to_string());
        let body = Body::builder()
            .text(content(&letter.text).map_err(refused)?)
            .html(content(&letter.html).map_err(refused)?)
            .build();
        let subject = content(&letter.subject).map_err(refused)?;
        let message = Message::builder().subject(subject).body(body).build();
        let sent = self
            .ses
            .send_email()
            .from_email_address(&*self.from)
            .destination(Destination::builder().to_addresses(to.as_str()).build())
            .content(EmailContent::builder().simple(message).build())
            .send()
            .await;
        match sent {
            Ok(_) => Ok(()),
            Err(error) => Err(match error.as_service_error() {
                // A message of the service can contain the address, so only its code is kept.
                Some(error) if error.is_message_rejected() || error.is_bad_request_exception() => {
                    MailerError::Refused(error.meta().code().unwrap_or("no reason").to_owned())
                }
                _ => MailerError::Unavailable(error.into()),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_before_the_address_as_mail_programs_read_it() {
        let address = "no-reply@portal.example";
        assert_eq!(sender(None, address), address);
        assert_eq!(sender(Some("x"), "Own <a@b.example>"), "Own <a@b.example>");
        assert_eq!(sender(Some("Books \"2\""), address), format!(r#""Books \"2\"" <{address}>"#));
        let arabic = sender(Some("خدمة الفوترة الإلكترونية للمنشآت"), address);
        let (words, rest) = arabic.split_once(" <").unwrap();
        assert_eq!(rest, "no-reply@portal.example>");
        let mut name = String::new();
        for word in words.split(' ') {
            assert!(word.len() <= 75, "{word}");
            let text = word.strip_prefix("=?UTF-8?B?").unwrap().strip_suffix("?=").unwrap();
            name.push_str(std::str::from_utf8(&STANDARD.decode(text).unwrap()).unwrap());
        }
        assert_eq!(name, "خدمة الفوترة الإلكترونية للمنشآت");
    }
}
