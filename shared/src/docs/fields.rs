//! The fields of a body as a tree: required fields first, optional ones folded, objects with their fields inside.

use std::fmt::Write;

use super::{highlight, schemas::Field};

/// Optional fields that are shown without a fold beside required ones.
const FEW: usize = 3;

/// A field with the fields inside it.
struct Node<'f> {
    field: &'f Field,
    inside: Vec<Node<'f>>,
}

impl Node<'_> {
    fn name(&self) -> &str {
        self.field.path.rsplit('.').next().unwrap_or_default().trim_end_matches("[]")
    }

    /// Required fields come in the order of the schema. Optional fields follow in the order of the specification: by
    /// the first business term in them.
    fn order(&self) -> (u32, u32) {
        match self.field.place {
            Some(place) => (0, place),
            None => (1, self.term()),
        }
    }

    fn term(&self) -> u32 {
        let inside = self.inside.iter().map(Node::term).min().unwrap_or(u32::MAX);
        term(&self.field.description).unwrap_or(u32::MAX).min(inside)
    }
}

/// The number of the business term that a description begins with. Terms of the UAE come after those of all countries.
fn term(description: &str) -> Option<u32> {
    let (base, rest) = match description.strip_prefix("IBT-") {
        Some(rest) => (0, rest),
        None => (1_000, description.strip_prefix("BTAE-")?),
    };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse::<u32>().ok().map(|number| base + number)
}

/// The id of a field's element, such as `body.line_items.item.name`.
pub(super) fn anchor(prefix: &str, path: &str) -> String {
    format!("{prefix}.{}", path.replace("[]", ""))
}

/// A description as HTML: `code` is the only markup in it.
pub(super) fn inline(text: &str) -> String {
    let mut out = String::new();
    for (place, part) in text.split('`').enumerate() {
        let is_code = place % 2 == 1;
        out.push_str(if is_code { "<code>" } else { "" });
        highlight::plain(part, &mut out);
        out.push_str(if is_code { "</code>" } else { "" });
    }
    out
}

/// The tree as HTML. The ids of its fields begin with the prefix.
pub(super) fn html(prefix: &str, fields: &[Field]) -> String {
    let mut out = String::new();
    list(prefix, &nodes(fields, ""), 0, &mut out);
    out
}

/// The fields directly inside a path, with their own fields.
fn nodes<'f>(fields: &'f [Field], within: &str) -> Vec<Node<'f>> {
    let inside = |path: &str| {
        let rest = path.strip_prefix(within)?.trim_start_matches("[]");
        let rest =
            if within.is_empty() { rest.trim_start_matches('.') } else { rest.strip_prefix('.')? };
        Some(!rest.contains('.'))
    };
    let own = fields.iter().filter(|field| inside(&field.path) == Some(true));
    let mut nodes: Vec<_> =
        own.map(|field| Node { field, inside: nodes(fields, &field.path) }).collect();
    nodes.sort_by_key(Node::order);
    nodes
}

fn list(prefix: &str, nodes: &[Node], depth: usize, out: &mut String) {
    let required = nodes.iter().take_while(|node| node.field.required).count();
    let (required, optional) = nodes.split_at(required);
    let is_folded = !required.is_empty() && optional.len() > FEW;
    out.push_str("<ul class=\"tree\">\n");
    for node in required {
        item(prefix, node, depth, out);
    }
    if is_folded {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<li><details class=\"fold\"><summary>{} optional fields</summary><ul class=\"tree\">",
            optional.len()
        );
    }
    for node in optional {
        item(prefix, node, depth, out);
    }
    out.push_str(if is_folded { "</ul></details></li>\n</ul>" } else { "</ul>" });
}

fn item(prefix: &str, node: &Node, depth: usize, out: &mut String) {
    let field = node.field;
    out.push_str("<li id=\"");
    highlight::plain(&anchor(prefix, &field.path), out);
    out.push_str("\"><code>");
    highlight::plain(node.name(), out);
    out.push_str("</code> <span class=\"kind\">");
    highlight::plain(&field.kind, out);
    out.push_str("</span>");
    if field.required {
        out.push_str(" <b class=\"needed\">required</b>");
    }
    text(field, out);
    if !node.inside.is_empty() {
        let open = if field.required && depth == 0 { " open" } else { "" };
        let _ = write!(out, "<details class=\"fold\"{open}><summary>Fields of <code>");
        highlight::plain(node.name(), out);
        out.push_str("</code></summary>");
        list(prefix, &node.inside, depth + 1, out);
        out.push_str("</details>");
    }
    out.push_str("</li>\n");
}

fn text(field: &Field, out: &mut String) {
    if !field.description.is_empty() {
        out.push_str("<p>");
        out.push_str(&inline(&field.description));
        out.push_str("</p>");
    }
    if !field.limits.is_empty() {
        out.push_str("<p class=\"limit\">");
        highlight::plain(&field.limits.join("; "), out);
        out.push_str("</p>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{docs::schemas::fields_of_body, document::Operation};

    #[test]
    fn required_fields_come_first_in_the_order_of_the_schema_and_others_in_that_of_the_specification()
     {
        let fields = fields_of_body(Operation::Invoice);
        let tree = nodes(&fields, "");
        let names: Vec<_> = tree.iter().map(Node::name).collect();
        assert_eq!(names[..4], ["invoice_number", "due_date", "customer", "line_items"]);
        let place = |name: &str| names.iter().position(|it| *it == name).unwrap();
        assert!(place("issue_date") < place("currency"), "IBT-002 before IBT-005: {names:?}");
        assert!(place("currency") < place("payment_means"), "{names:?}");
        let html = html("body", &fields);
        for field in &fields {
            let id = format!("id=\"{}\"", anchor("body", &field.path));
            assert_eq!(html.matches(&id).count(), 1, "{id}");
        }
        assert_eq!(html.matches("<ul").count(), html.matches("</ul>").count());
        assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
    }

    #[test]
    fn code_in_a_description_is_marked() {
        assert_eq!(inline("a `b<c` d"), "a <code>b&lt;c</code> d");
    }

    #[test]
    fn the_number_of_a_term_is_read() {
        for (text, expected) in
            [("IBT-031 VAT", Some(31)), ("BTAE-07 x", Some(1_007)), ("Any", None), ("IBT-x", None)]
        {
            assert_eq!(term(text), expected, "{text}");
        }
    }
}
