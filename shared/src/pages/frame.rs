use std::fmt;

use jiff::{Timestamp, civil::Date};
use rust_decimal::Decimal;

use super::{
    PageRequest, Theme,
    assets::Look,
    form,
    nav::{Entry, Nav, role_name},
};
use crate::{
    i18n::{self, Language, Value, figures},
    types::{Mode, UAE_OFFSET},
};

/// The common part of every template: the messages of its language, and the frame of the page.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    request: &'a PageRequest,
    signed_in_as: Option<&'a str>,
    nav: Nav,
}

impl<'a> Frame<'a> {
    pub(super) fn new(request: &'a PageRequest, signed_in_as: Option<&'a str>, nav: Nav) -> Self {
        Frame { request, signed_in_as, nav }
    }

    /// A message.
    pub fn t(&self, name: &str) -> String {
        i18n::text(self.request.language, name, &[])
    }

    /// A message with a text in it.
    pub fn t_text(&self, name: &str, variable: &str, text: &str) -> String {
        i18n::text(self.request.language, name, &[(variable, Value::Text(text))])
    }

    /// A message with a number in it.
    pub fn t_count(&self, name: &str, variable: &str, count: &u32) -> String {
        i18n::text(self.request.language, name, &[(variable, Value::Count(*count))])
    }

    /// A message with a number of documents and the number of all.
    pub fn t_of(&self, name: &str, documents: &u32, all: &u32) -> String {
        let values = [("documents", Value::Count(*documents)), ("all", Value::Count(*all))];
        i18n::text(self.request.language, name, &values)
    }

    /// The language of the page.
    pub fn language(&self) -> Language {
        self.request.language
    }

    /// The address of the same page in the other language, if it can be requested.
    pub fn in_other_language(&self) -> Option<String> {
        self.request.in_language(self.request.language.other())
    }

    /// Whether the page belongs to Sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.request.mode == Mode::Sandbox
    }

    /// The name of the signed-in person or business.
    pub fn signed_in_as(&self) -> Option<&'a str> {
        self.signed_in_as
    }

    /// The name of the message with the role of the signed-in member.
    pub fn role(&self) -> Option<&'static str> {
        self.nav.role().map(|role| role_name(&role))
    }

    /// The path of the signed-in person's sessions.
    pub fn sessions(&self) -> Option<String> {
        self.nav.sessions().map(|path| self.request.path(path))
    }

    /// The path of the start page of the portal, or of this site.
    pub fn home(&self) -> String {
        let first = self.places().into_iter().next();
        first.map_or_else(|| self.request.start(), |entry| entry.path)
    }

    /// The start of the documentation, in the language of the page.
    pub fn docs(&self) -> &'static str {
        match self.request.language {
            Language::English => "/docs",
            Language::Arabic => "/docs/ar",
        }
    }

    /// The theme of the page.
    pub fn theme(&self) -> Theme {
        self.request.theme
    }

    /// Every theme with the address of this page in it, if the page can be requested.
    pub fn themes(&self) -> Vec<(Theme, String)> {
        let address = |theme| Some((theme, self.request.in_theme(theme)?));
        Theme::ALL.into_iter().filter_map(address).collect()
    }

    /// The navigation; empty on a stand-alone page, which is then as narrow as a form.
    pub fn places(&self) -> Vec<Entry> {
        self.nav.entries(self.request)
    }

    /// The path of the same place in the other mode. It leads to the place and not to the page, since the data differs.
    pub fn in_other_mode(&self) -> String {
        let entries = self.nav.entries(&self.request.in_other_mode());
        let here = entries.iter().find(|entry| entry.current.is_some()).or(entries.first());
        here.map_or_else(String::new, |entry| entry.path.clone())
    }

    /// Whether the viewer is a member of an organization. Members change the mode by a form, since a session begins
    /// there.
    pub fn is_member(&self) -> bool {
        matches!(self.nav, Nav::Member(_))
    }

    /// A day in the format of the language.
    pub fn date(&self, day: &Date) -> String {
        figures::date(self.request.language, *day)
    }

    /// A number with groups of three digits.
    pub fn count(&self, count: &u32) -> String {
        figures::number(Decimal::from(*count))
    }

    /// An instant to the second, in the UAE. Pages have no coarser time: several events may fall in one minute.
    pub fn second(&self, instant: &Timestamp) -> String {
        figures::second(self.request.language, UAE_OFFSET.to_datetime(*instant))
    }

    /// An amount in a currency.
    pub fn amount(&self, currency: &str, amount: &Decimal) -> String {
        figures::amount(currency, *amount)
    }

    /// The path of this page.
    pub fn here(&self) -> &'a str {
        self.request.path_alone()
    }

    /// A path of the page's mode.
    pub fn path(&self, path: &str) -> String {
        self.request.path(path)
    }

    /// The field `form_token`, without which a form is refused.
    pub fn form_token(&self) -> String {
        form::token(self.request)
    }

    /// The id of the request, for support.
    pub fn request_id(&self) -> &'a str {
        &self.request.request_id
    }

    /// How the service looks.
    pub(crate) fn look(&self) -> &'a Look {
        &self.request.look
    }

    /// The name of the service: the configured one, or a general one.
    pub fn service_name(&self) -> String {
        self.look().name.clone().unwrap_or_else(|| self.t("service-name"))
    }

    /// The beginning and the end of a long identifier, which the page shows with the whole as its title.
    pub fn short(&self, id: &impl fmt::Display) -> String {
        let id = id.to_string();
        let begin = id.find('_').map_or(4, |at| at + 5);
        match (id.get(..begin), id.len().checked_sub(4).and_then(|at| id.get(at..))) {
            (Some(begin), Some(end)) if id.len() > begin.len() + 6 => format!("{begin}…{end}"),
            _ => id,
        }
    }
}
