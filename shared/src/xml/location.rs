//! Finds the element for a location path. Reports of other systems name places in a document by such paths.

use super::{Node, Tree};

/// Maximum length of a location path in bytes. Validators write a few hundred bytes.
const LONGEST: usize = 2_000;

/// Returns the element at an absolute location path, or the element whose attribute or text the path names. Returns
/// `None` if no element or several elements match.
///
/// The parser understands the paths that validators write: child steps whose names have a prefix, `*:` or `Q{…}`, with
/// a position or a test of the namespace. Namespaces are not compared, because prefixes depend on the writer.
pub fn locate<'d>(document: &'d Tree<'_>, path: &str) -> Option<Node<'d>> {
    if path.len() > LONGEST {
        return None;
    }
    let mut steps = split(path.trim().strip_prefix('/')?, '/').into_iter().map(LocationStep::read);
    let first = steps.next()??;
    let mut node = document.root();
    if first.name != node.local_name() || first.position.is_some_and(|position| position != 1) {
        return None;
    }
    for step in steps {
        match step? {
            // The path ends with an attribute or a text node of the element.
            LocationStep { name: "", .. } => break,
            LocationStep { name, position } => {
                let mut alike = node.children().filter(|child| child.local_name() == name);
                node = match position {
                    Some(position) => alike.nth(position.checked_sub(1)?)?,
                    None => alike.next().filter(|_| alike.next().is_none())?,
                };
            }
        }
    }
    Some(node)
}

/// One step of a path. The name is empty for an attribute or a text node.
struct LocationStep<'p> {
    name: &'p str,
    position: Option<usize>,
}

impl<'p> LocationStep<'p> {
    fn read(text: &'p str) -> Option<LocationStep<'p>> {
        if text.starts_with('@') || text.starts_with("text()") {
            return Some(LocationStep { name: "", position: None });
        }
        let (name, mut rest) = match text.strip_prefix("Q{") {
            // XPath 3.1, URIQualifiedName.
            Some(qualified) => name_and_rest(qualified.split_once('}')?.1),
            None => name_and_rest(text),
        };
        let mut step =
            LocationStep { name: name.rsplit(':').next().unwrap_or(name), position: None };
        while let Some(predicate) = rest.strip_prefix('[') {
            let end = outside(predicate, ']').next()?;
            for test in predicate.get(..end)?.split(" and ") {
                step.test(test.trim())?;
            }
            rest = predicate.get(end + 1..)?;
        }
        let known = !matches!(step.name, "" | "*") && rest.is_empty();
        known.then_some(step)
    }

    fn test(&mut self, test: &'p str) -> Option<()> {
        if let Some(name) = test.strip_prefix("local-name()=") {
            self.name = name.trim_matches(['\'', '"']);
        } else if !test.starts_with("namespace-uri()=") {
            let number = test.strip_prefix("position()=").unwrap_or(test);
            self.position = Some(number.parse().ok()?);
        }
        Some(())
    }
}

fn name_and_rest(text: &str) -> (&str, &str) {
    text.split_at(text.find('[').unwrap_or(text.len()))
}

/// Splits at separators that are outside predicates, braces and quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    for at in outside(text, separator) {
        parts.extend(text.get(from..at));
        from = at + separator.len_utf8();
    }
    parts.extend(text.get(from..));
    parts
}

/// The offsets of a character outside predicates, braces and quotes.
fn outside(text: &str, wanted: char) -> impl Iterator<Item = usize> {
    let (mut depth, mut quote) = (0_usize, None);
    text.char_indices().filter_map(move |(at, c)| {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, c) if c == wanted && depth == 0 => return Some(at),
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    const DOCUMENT: &[u8] = br#"<i:Invoice xmlns:i="urn:i" xmlns:c="urn:c">
            <c:ID>1</c:ID><c:Line><c:ID x="y">a</c:ID></c:Line><c:Line><c:ID>b</c:ID></c:Line>
        </i:Invoice>"#;

    #[test]
    fn the_paths_of_validators_lead_to_their_element() {
        let tree = parse(DOCUMENT).unwrap();
        for (path, text) in [
            ("/Invoice/ID", "1"),
            ("/ubl:Invoice[1]/cbc:ID[1]", "1"),
            (" /Invoice/cac:Line[2]/cbc:ID ", "b"),
            ("/Invoice/cac:Line[position()=2]/cbc:ID/text()", "b"),
            ("/Invoice/cac:Line[1]/cbc:ID/@x", "a"),
            ("/*:Invoice[namespace-uri()='urn:i/[1]'][1]/*:Line[namespace-uri()='urn:c'][2]", "b"),
            ("/Q{urn:i/x}Invoice[1]/Q{urn:c}Line[1]/Q{urn:c}ID[1]", "a"),
            (
                "/*[local-name()='Invoice']/*[local-name()='Line' and namespace-uri()='urn:c'][2]",
                "b",
            ),
        ] {
            assert_eq!(
                locate(&tree, path).map(|node| node.text()).as_deref(),
                Some(text),
                "{path}"
            );
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_or_to_several_leads_to_none() {
        let tree = parse(DOCUMENT).unwrap();
        let long = format!("/Invoice{}", "/Line".repeat(LONGEST));
        for path in [
            "",
            "/",
            "NA",
            "Invoice",
            "//ID",
            "/CreditNote",
            "/Invoice[2]",
            "/Invoice/Line/ID",
            "/Invoice/Line[3]",
            "/Invoice/Line[0]",
            "/Invoice/Line[last()]",
            "/Invoice/Line[1",
            "/Invoice/*[1]",
            "/Invoice/../Invoice",
            "/Invoice/Line[1]x",
            "/Invoice/Q{urn:c",
            "/[1]",
            "/Invoice/Line['",
            &long,
        ] {
            assert_eq!(locate(&tree, path), None, "{path}");
        }
    }
}
