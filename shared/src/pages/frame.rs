use jiff::{Timestamp, civil::Date};
use rust_decimal::Decimal;

use super::{
    PageRequest, assets, form,
    nav::{Entry, Nav},
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

    /// An instant, to the minute, in the UAE.
    pub fn minute(&self, instant: &Timestamp) -> String {
        figures::minute(self.request.language, UAE_OFFSET.to_datetime(*instant))
    }

    /// A number with groups of three digits.
    pub fn count(&self, count: &u32) -> String {
        figures::number(Decimal::from(*count))
    }

    /// An instant to the second, in the UAE, for events in short succession.
    pub fn second(&self, instant: &Timestamp) -> String {
        figures::second(self.request.language, UAE_OFFSET.to_datetime(*instant))
    }

    /// An amount in a currency.
    pub fn amount(&self, currency: &str, amount: &Decimal) -> String {
        figures::amount(currency, *amount)
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

    /// The path of the style sheet.
    pub fn style_sheet(&self) -> &'static str {
        assets::style_sheet()
    }

    /// The path of the script, which is optional on every page.
    pub fn script(&self) -> &'static str {
        assets::script()
    }

    /// The path of the icon.
    pub fn icon(&self) -> &'static str {
        assets::icon()
    }
}
