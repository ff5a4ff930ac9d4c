use super::{Visit, assets, form};
use crate::{
    types::Mode,
    words::{self, Language, Value},
};

/// What every template has: the words of its language, and what surrounds each page.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    visit: &'a Visit,
    signed_in_as: Option<&'a str>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(visit: &'a Visit, signed_in_as: Option<&'a str>) -> Self {
        Frame { visit, signed_in_as }
    }

    /// A message.
    pub fn t(&self, name: &str) -> String {
        words::text(self.visit.language, name, &[])
    }

    /// A message with a text in it.
    pub fn t_text(&self, name: &str, variable: &str, text: &str) -> String {
        words::text(self.visit.language, name, &[(variable, Value::Text(text))])
    }

    /// A message with a number in it.
    pub fn t_count(&self, name: &str, variable: &str, count: &u32) -> String {
        words::text(self.visit.language, name, &[(variable, Value::Count(*count))])
    }

    /// The language of the page.
    pub fn language(&self) -> Language {
        self.visit.language
    }

    /// Where the same page is in the other language.
    pub fn in_other_language(&self) -> String {
        self.visit.in_language(self.visit.language.other())
    }

    /// Whether the page is Sandbox's.
    pub fn is_sandbox(&self) -> bool {
        self.visit.mode == Mode::Sandbox
    }

    /// Who is signed in, by name.
    pub fn signed_in_as(&self) -> Option<&'a str> {
        self.signed_in_as
    }

    /// A path of the page's mode.
    pub fn path(&self, path: &str) -> String {
        self.visit.path(path)
    }

    /// What every form holds in its field `form_token`, or it is refused.
    pub fn form_token(&self) -> String {
        form::token(self.visit)
    }

    /// The request's name, for who asks for help.
    pub fn request_id(&self) -> &'a str {
        &self.visit.request_id
    }

    /// The path of the style sheet.
    pub fn style_sheet(&self) -> &'static str {
        assets::style_sheet()
    }

    /// The path of the icon.
    pub fn icon(&self) -> &'static str {
        assets::icon()
    }
}
