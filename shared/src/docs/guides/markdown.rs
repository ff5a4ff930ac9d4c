//! Markdown events as HTML: tables, headings and plain texts.

use pulldown_cmark::{Event, Parser, Tag, TagEnd, html};

/// A table in the style of the pages. The first column names the rows. Every other cell repeats its column's name,
/// which narrow screens show beside it.
pub(super) fn table(caption: &str, events: Vec<Event>) -> String {
    let mut rows = rows(events).into_iter();
    let head: Vec<String> =
        rows.next().unwrap_or_default().iter().map(|cell| plain(cell)).collect();
    let mut out =
        format!("<table><caption class=\"unseen\">{}</caption><thead><tr>", escaped(caption));
    for name in &head {
        out += &format!("<th scope=\"col\">{}</th>", escaped(name));
    }
    out += "</tr></thead><tbody>\n";
    for row in rows {
        out += "<tr>";
        for (place, (cell, name)) in row.into_iter().zip(&head).enumerate() {
            let cell = written(cell);
            out += &match place {
                0 => format!("<th scope=\"row\">{cell}</th>"),
                _ => format!("<td data-label=\"{}\"><div>{cell}</div></td>", escaped(name)),
            };
        }
        out += "</tr>\n";
    }
    out + "</tbody></table>\n"
}

/// The cells of a table, by row; the first row is its head.
fn rows(events: Vec<Event>) -> Vec<Vec<Vec<Event>>> {
    let mut rows: Vec<Vec<Vec<Event>>> = Vec::new();
    for event in events {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                rows.last_mut().into_iter().for_each(|row| row.push(Vec::new()))
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell) => {}
            event => rows
                .last_mut()
                .and_then(|row| row.last_mut())
                .into_iter()
                .for_each(|cell| cell.push(event.clone())),
        }
    }
    rows
}

/// The events before the end of an element; also consumes the end.
pub(super) fn until<'a>(events: &mut Parser<'a>, end: TagEnd) -> Vec<Event<'a>> {
    events.take_while(|event| *event != Event::End(end)).collect()
}

pub(super) fn written(events: Vec<Event>) -> String {
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    out
}

/// The text without markup.
pub(super) fn plain(events: &[Event]) -> String {
    let texts = events.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) | Event::Html(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect()
}

fn escaped(text: &str) -> String {
    written(vec![Event::Text(text.into())])
}

/// The anchor of a heading.
pub(super) fn slug(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
