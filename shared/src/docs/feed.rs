//! The changelog as a page and as a feed (RFC 4287).

use std::fmt::Write;

use askama::Template;
use axum::{
    http::header,
    response::{IntoResponse, Response},
};

use super::{highlight, pages::frame::Around, shown};
use crate::types::sha256_hex;

/// The path of the page.
const PAGE: &str = "/docs/changelog";
/// The page, of which each day is an entry of the feed.
const TEXT: &str = include_str!("../../templates/docs/changelog.html");

/// The changes of the API, the latest first.
#[derive(Template)]
#[template(path = "docs/changelog.html")]
pub(super) struct Changelog {
    around: Around,
}

impl Changelog {
    pub(super) fn new() -> Self {
        Changelog { around: Around::new("Changelog", PAGE) }
    }
}

/// A day of the changelog: its date as ISO 8601 and in words, and its changes as HTML.
struct Day<'t> {
    date: &'t str,
    words: &'t str,
    changes: &'t str,
}

fn days() -> impl Iterator<Item = Day<'static>> {
    let days = TEXT.split("<time datetime=\"").skip(1);
    days.filter_map(|rest| {
        let (date, rest) = rest.split_once("\">")?;
        let (words, rest) = rest.split_once("</time></h2>")?;
        let (changes, _) = rest.split_once("</section>")?;
        Some(Day { date, words, changes: changes.trim() })
    })
}

/// The feed. Its ids are the same at every address of the service.
pub(super) async fn atom() -> Response {
    let origin = shown().origin.as_deref().unwrap_or_default();
    let mut feed = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let updated = days().next().map_or("", |day| day.date);
    // Writing to a string cannot fail.
    let _ = write!(feed, "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n<title>",);
    let around = Around::new("", "");
    highlight::plain(&around.service(), &mut feed);
    let _ = write!(
        feed,
        ": changelog of the API</title>\n<id>{}</id>\n<updated>{updated}T00:00:00Z</updated>\n\
         <link rel=\"self\" href=\"{origin}{PAGE}.atom\"/>\n<link href=\"{origin}{PAGE}\"/>\n<author><name>",
        id("feed")
    );
    highlight::plain(&around.service(), &mut feed);
    feed.push_str("</name></author>\n");
    for day in days() {
        let (date, words) = (day.date, day.words);
        let _ = write!(
            feed,
            "<entry>\n<title>{words}</title>\n<id>{}</id>\n<updated>{date}T00:00:00Z</updated>\n\
             <link href=\"{origin}{PAGE}#d-{date}\"/>\n<content type=\"html\">",
            id(date)
        );
        // Readers resolve links of the content in different ways, so the links are absolute.
        highlight::plain(&day.changes.replace("href=\"/", &format!("href=\"{origin}/")), &mut feed);
        feed.push_str("</content>\n</entry>\n");
    }
    feed.push_str("</feed>\n");
    ([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], feed).into_response()
}

/// A fixed URI of an entry: a UUID of its date (RFC 9562, version 8).
fn id(date: &str) -> String {
    let hash = sha256_hex(format!("changelog {date}").as_bytes());
    let bytes: [u8; 16] = std::array::from_fn(|place| {
        u8::from_str_radix(&hash[2 * place..2 * place + 2], 16).unwrap_or_default()
    });
    format!("urn:uuid:{}", uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::xml;

    #[tokio::test]
    async fn the_feed_has_every_day_of_the_changelog_with_an_id_of_its_own() {
        let body = axum::body::to_bytes(atom().await.into_body(), usize::MAX).await.unwrap();
        let feed = String::from_utf8(body.to_vec()).unwrap();
        assert!(xml::parse(feed.as_bytes()).is_ok(), "{feed}");
        assert_eq!(days().count(), TEXT.matches("<h2 id=\"d-").count());
        assert_eq!(feed.matches("<entry>").count(), days().count());
        let ids: BTreeSet<_> = feed.split("<id>").skip(1).map(|rest| &rest[..45]).collect();
        assert_eq!(ids.len(), days().count() + 1);
        for day in days() {
            assert!(TEXT.contains(&format!("id=\"d-{}\"", day.date)), "{}", day.date);
        }
    }
}
