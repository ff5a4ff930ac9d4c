//! Colours source texts: tokens become `span` elements with a class, variables of the reader become `var` elements.
//!
//! The tokenisers are small. They never change the text: a page without its markup is the source, byte for byte. A text
//! that they do not understand stays plain.

use std::fmt::Write;

/// The language of a source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Plain,
    Json,
    Xml,
    /// A message: headers, an empty line and a body.
    Http,
    Shell,
    Python,
    /// Languages with the comments and strings of C.
    Braces,
}

/// Words that are marked in a language.
const JSON_WORDS: &[&str] = &["true", "false", "null"];
const SHELL_WORDS: &[&str] =
    &["curl", "echo", "export", "read", "jq", "gzip", "unzip", "openssl", "printf", "access-point"];
const PYTHON_WORDS: &[&str] = &[
    "and", "as", "def", "else", "except", "False", "for", "from", "if", "import", "in", "None",
    "not", "or", "print", "raise", "return", "True", "try", "with",
];
const BRACES_WORDS: &[&str] = &[
    "async", "await", "byte", "catch", "class", "const", "else", "export", "false", "fn", "for",
    "foreach", "func", "function", "if", "import", "let", "match", "mut", "new", "nil", "null",
    "package", "private", "pub", "public", "return", "static", "string", "struct", "throw",
    "throws", "true", "try", "type", "use", "using", "var", "void",
];

impl Syntax {
    /// The language of a text that is a body or a file, by its beginning.
    pub(super) fn of(text: &str) -> Self {
        match text.trim_start().chars().next() {
            Some('{' | '[') => Syntax::Json,
            Some('<') => Syntax::Xml,
            _ => Syntax::Plain,
        }
    }

    /// The language of a program, by the name of its file.
    pub(super) fn of_file(name: &str) -> Self {
        match name.rsplit('.').next() {
            Some("sh") => Syntax::Shell,
            Some("py") => Syntax::Python,
            Some("ts" | "mjs" | "java" | "cs" | "go" | "rs") => Syntax::Braces,
            _ => Syntax::Plain,
        }
    }

    fn words(self) -> &'static [&'static str] {
        match self {
            Syntax::Json => JSON_WORDS,
            Syntax::Shell => SHELL_WORDS,
            Syntax::Python => PYTHON_WORDS,
            Syntax::Braces => BRACES_WORDS,
            Syntax::Plain | Syntax::Xml | Syntax::Http => &[],
        }
    }
}

/// The text as HTML.
pub(super) fn html(syntax: Syntax, text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    paint(syntax, text, &mut out);
    out
}

fn paint(syntax: Syntax, text: &str, out: &mut String) {
    match syntax {
        Syntax::Plain => plain(text, out),
        Syntax::Xml => xml(text, out),
        Syntax::Http => http(text, out),
        _ => tokens(syntax, text, out),
    }
}

/// Appends a text with the characters escaped that HTML reserves in elements; attributes need quotation marks escaped too.
pub(super) fn plain(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
}

/// Appends a token: comment, key, string, number or word.
fn token(class: char, text: &str, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "<span class=\"{class}\">");
    plain(text, out);
    out.push_str("</span>");
}

/// The length of the text before the end of a line.
fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

fn tokens(syntax: Syntax, text: &str, out: &mut String) {
    let (mut rest, mut before) = (text, '\n');
    while let Some(c) = rest.chars().next() {
        let length = match comment(syntax, rest, before).or_else(|| quoted(syntax, rest)) {
            Some(length) => {
                marked(syntax, rest, length, out);
                length
            }
            None => word(syntax, rest, c, before, out),
        };
        before = rest[..length].chars().next_back().unwrap_or(c);
        rest = &rest[length..];
    }
}

/// Appends a comment or a string.
fn marked(syntax: Syntax, rest: &str, length: usize, out: &mut String) {
    let text = &rest[..length];
    match (syntax, text.chars().next()) {
        (Syntax::Json, _) if rest[length..].trim_start().starts_with(':') => token('k', text, out),
        (Syntax::Shell | Syntax::Python | Syntax::Braces, Some('"')) => {
            out.push_str("<span class=\"s\">");
            with_variables(text, out);
            out.push_str("</span>");
        }
        // A body of JSON between quotation marks of the shell.
        (Syntax::Shell, Some('\'')) if text[1..].starts_with(['{', '[']) => {
            tokens(Syntax::Json, text, out);
        }
        // It continues after a variable inside a string, whose end comes first.
        (Syntax::Shell, Some('\'')) if text.starts_with("'\"") && text.contains("\": ") => {
            token('s', &text[..2], out);
            tokens(Syntax::Json, &text[2..], out);
        }
        (_, Some('#' | '/')) => token('c', text, out),
        _ => token('s', text, out),
    }
}

/// The length of the comment at the beginning of a text.
fn comment(syntax: Syntax, text: &str, before: char) -> Option<usize> {
    let is_line = match syntax {
        Syntax::Shell => text.starts_with('#') && before.is_whitespace(),
        Syntax::Python => text.starts_with('#'),
        Syntax::Braces => text.starts_with("//"),
        _ => false,
    };
    if is_line {
        return Some(line(text));
    }
    let is_block = syntax == Syntax::Braces && text.starts_with("/*");
    is_block.then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// The length of the string at the beginning of a text. Without its end it is the rest of the text.
fn quoted(syntax: Syntax, text: &str) -> Option<usize> {
    let marks: &[&str] = match syntax {
        Syntax::Json => &["\""],
        Syntax::Shell => &["\"", "'"],
        Syntax::Python | Syntax::Braces => &["\"\"\"", "\"", "'", "`"],
        Syntax::Plain | Syntax::Xml | Syntax::Http => &[],
    };
    let mark = marks.iter().find(|mark| text.starts_with(**mark))?;
    let escapes = !(syntax == Syntax::Shell && *mark == "'");
    let mut place = mark.len();
    while let Some(c) = text[place..].chars().next() {
        if text[place..].starts_with(mark) {
            return Some(place + mark.len());
        }
        place += c.len_utf8();
        if c == '\\' && escapes {
            place += text[place..].chars().next().map_or(0, char::len_utf8);
        }
    }
    Some(text.len())
}

/// Appends the next word, number, variable or character; returns its length.
fn word(syntax: Syntax, rest: &str, c: char, before: char, out: &mut String) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    if syntax == Syntax::Shell && c == '$' {
        return variable(rest, out);
    }
    if !is_part(c) {
        plain(&rest[..c.len_utf8()], out);
        return c.len_utf8();
    }
    let is_tail =
        |c: char| is_part(c) || (c == '.' && rest.starts_with(|c: char| c.is_ascii_digit()));
    let of_shell = |c: char| syntax == Syntax::Shell && c == '-';
    let length = rest.find(|c: char| !is_tail(c) && !of_shell(c)).unwrap_or(rest.len());
    let text = &rest[..length];
    match () {
        () if c.is_ascii_digit() && !is_part(before) && before != '-' => token('n', text, out),
        () if syntax.words().contains(&text) && before != '.' => token('w', text, out),
        () => plain(text, out),
    }
    length
}

/// Appends a variable of the shell, such as `$KEY`; returns its length. A page fills in the reader's own values.
fn variable(text: &str, out: &mut String) -> usize {
    let name = text[1..].find(|c: char| !c.is_ascii_uppercase() && c != '_');
    let length = name.map_or(text.len(), |end| end + 1);
    match length {
        1 => plain("$", out),
        _ => {
            out.push_str("<var>");
            plain(&text[..length], out);
            out.push_str("</var>");
        }
    }
    length
}

fn with_variables(mut rest: &str, out: &mut String) {
    while let Some(place) = rest.find('$') {
        plain(&rest[..place], out);
        rest = &rest[place..];
        let length = variable(rest, out);
        rest = &rest[length..];
    }
    plain(rest, out);
}

fn http(text: &str, out: &mut String) {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    for (place, line) in head.split('\n').enumerate() {
        if place > 0 {
            out.push('\n');
        }
        match line.split_once(": ").filter(|_| place > 0) {
            Some((name, value)) => {
                token('k', name, out);
                out.push_str(": ");
                with_variables(value, out);
            }
            None => with_variables(line, out),
        }
    }
    if text.len() > head.len() {
        out.push_str("\n\n");
        paint(Syntax::of(body), body, out);
    }
}

fn xml(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        plain(&rest[..start], out);
        rest = &rest[start..];
        let is_comment = rest.starts_with("<!--");
        let end = if is_comment { rest.find("-->").map(|end| end + 3) } else { tag_end(rest) };
        let length = end.unwrap_or(rest.len());
        if is_comment {
            token('c', &rest[..length], out)
        } else {
            tag(&rest[..length], out)
        }
        rest = &rest[length..];
    }
    plain(rest, out);
}

/// The length of a tag; `>` may stand in the value of an attribute.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (place, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(place + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

fn tag(text: &str, out: &mut String) {
    let name = text.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(text.len());
    token('k', &text[..name], out);
    let mut rest = &text[name..];
    while let Some(start) = rest.find(['"', '\'']) {
        plain(&rest[..start], out);
        let mark = rest[start..].chars().next().unwrap_or('"');
        let end = rest[start + 1..].find(mark).map_or(rest.len(), |end| start + end + 2);
        token('s', &rest[start..end], out);
        rest = &rest[end..];
    }
    plain(rest, out);
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A text without its markup.
    pub(in crate::docs) fn unmarked(html: &str) -> String {
        let mut out = String::new();
        for part in html.split('<') {
            out += part.split_once('>').map_or(part, |(_, text)| text);
        }
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&#60;", "<"), ("&#62;", ">")];
        let named = entities.iter().fold(out, |text, (entity, c)| text.replace(entity, c));
        named
            .replace("&#34;", "\"")
            .replace("&#39;", "'")
            .replace("&#38;", "&")
            .replace("&amp;", "&")
    }

    const ALL: [Syntax; 7] = [
        Syntax::Plain,
        Syntax::Json,
        Syntax::Xml,
        Syntax::Http,
        Syntax::Shell,
        Syntax::Python,
        Syntax::Braces,
    ];

    #[test]
    fn tokens_of_every_language_are_marked() {
        for (syntax, text, expected) in [
            (
                Syntax::Json,
                r#"{"a": 1.5, "b": [true, "c"]}"#,
                "{<span class=\"k\">\"a\"</span>: <span class=\"n\">1.5</span>, <span class=\"k\">\"b\"</span>: [<span class=\"w\">true</span>, <span class=\"s\">\"c\"</span>]}",
            ),
            (
                Syntax::Shell,
                "curl -H \"x: $KEY\" '{\"a\": 1}' # why",
                "<span class=\"w\">curl</span> -H <span class=\"s\">\"x: <var>$KEY</var>\"</span> '{<span class=\"k\">\"a\"</span>: <span class=\"n\">1</span>}' <span class=\"c\"># why</span>",
            ),
            (
                Syntax::Http,
                "GET /a\nX-A: $KEY\n\n{}",
                "GET /a\n<span class=\"k\">X-A</span>: <var>$KEY</var>\n\n{}",
            ),
            (
                Syntax::Xml,
                "<a b=\"c>\">d</a><!-- e -->",
                "<span class=\"k\">&lt;a</span> b=<span class=\"s\">\"c&gt;\"</span>&gt;d<span class=\"k\">&lt;/a</span>&gt;<span class=\"c\">&lt;!-- e --&gt;</span>",
            ),
            (
                Syntax::Python,
                "import a  # b",
                "<span class=\"w\">import</span> a  <span class=\"c\"># b</span>",
            ),
            (
                Syntax::Braces,
                "let a = \"b\"; // c",
                "<span class=\"w\">let</span> a = <span class=\"s\">\"b\"</span>; <span class=\"c\">// c</span>",
            ),
            (Syntax::Plain, "a < b", "a &lt; b"),
        ] {
            assert_eq!(html(syntax, text), expected, "{syntax:?}");
        }
    }

    proptest! {
        #[test]
        fn colours_never_change_the_text(text in r#"[ -~\né\$"'<>{}#/\\:-]{0,60}"#) {
            for syntax in ALL {
                prop_assert_eq!(&unmarked(&html(syntax, &text)), &text, "{:?}", syntax);
            }
        }
    }
}
