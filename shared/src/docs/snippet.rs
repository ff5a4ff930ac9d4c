//! Source texts on a page: with colours, and with the address of this deployment.

use super::{
    highlight::{self, Syntax},
    shown,
};

/// A source text that can be copied.
#[derive(Debug, Clone)]
pub(super) struct Snippet {
    /// The id of the element, which is unique on its page.
    pub(super) id: String,
    syntax: Syntax,
    text: String,
}

impl Snippet {
    pub(super) fn new(id: impl Into<String>, syntax: Syntax, text: impl Into<String>) -> Self {
        Snippet { id: id.into(), syntax, text: text.into() }
    }

    /// Commands, in which `$API` is the address of this deployment.
    pub(super) fn commands(id: impl Into<String>, text: &str) -> Self {
        Snippet::new(id, Syntax::Shell, located(text))
    }

    /// A file, whose name shows its language.
    pub(super) fn file(id: impl Into<String>, name: &str, text: impl Into<String>) -> Self {
        Snippet::new(id, Syntax::of_file(name), text)
    }

    /// A body or a file; its beginning shows its language.
    pub(super) fn body(id: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        Snippet::new(id, Syntax::of(&text), text)
    }

    /// The text as HTML.
    pub(super) fn html(&self) -> String {
        highlight::html(self.syntax, &self.text)
    }
}

/// One of several versions of a program.
#[derive(Debug, Clone)]
pub(super) struct Tab {
    /// The language in the words of people. A script remembers it for the next pages.
    pub(super) language: &'static str,
    /// The name of the file.
    pub(super) file: &'static str,
    pub(super) snippet: Snippet,
}

/// A text with the address of this deployment instead of `$API`, if the deployment knows it.
pub(super) fn located(text: &str) -> String {
    match &shown().origin {
        Some(origin) => text.replace("$API", origin),
        None => text.to_owned(),
    }
}

/// Commands that set the variables which programs read.
pub(super) fn setup(id: impl Into<String>) -> Snippet {
    let api = shown().origin.as_deref().unwrap_or("https://api.example.com");
    let text = format!("export API={api}\nexport KEY=$KEY\nexport TAXPAYER=$TAXPAYER");
    Snippet::new(id, Syntax::Shell, text)
}
