//! The page of results, for readers without scripts.

use askama::Template;
use axum::{
    http::header,
    response::{IntoResponse, Response},
};

use super::frame::Around;
use crate::{
    docs::{
        page,
        search::{Entry, found, path},
    },
    i18n::{self, Language, Value},
};

/// Maximum number of results on a page.
const MOST: usize = 50;
/// Maximum characters of a query that are read.
const LONGEST_QUERY: usize = 100;

#[derive(Template)]
#[template(path = "docs/search.html")]
struct SearchPage {
    around: Around,
    entries: Vec<&'static Entry>,
    /// Says how many entries were found, and how many the page shows.
    counted: String,
}

/// The results of a query. No cache keeps them.
pub(in crate::docs) fn of(language: Language, query: &str) -> Response {
    let query: String = query.trim().chars().take(LONGEST_QUERY).collect();
    let mut entries = found(language, &query);
    let count = |number: usize| Value::Count(u32::try_from(number).unwrap_or(u32::MAX));
    let values = [("count", count(entries.len())), ("shown", count(MOST))];
    let name = match entries.len() {
        _ if query.is_empty() => "docs-search-empty",
        0 => "docs-search-none",
        number if number > MOST => "docs-search-cut",
        _ => "docs-search-found",
    };
    let counted = i18n::text(language, name, &values);
    entries.truncate(MOST);
    let around = Around::new(i18n::text(language, "docs-search", &[]), path(language));
    let around = around.in_language(language).with_query(&query);
    let page = page(&SearchPage { around, entries, counted });
    ([(header::CACHE_CONTROL, "no-store")], page).into_response()
}
