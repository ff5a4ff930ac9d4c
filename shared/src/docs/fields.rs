//! The fields of a body as a tree: required fields first, optional ones folded, objects with their fields inside. In a
//! long tree, a large object is a link to a page of its own, so that every page stays small.

use std::{fmt::Write, ops::RangeInclusive};

use super::{highlight, schemas::Field};

/// Optional fields that are shown without a fold beside required ones.
const FEW: usize = 3;
/// Fields from which on a tree is long.
const LONG: usize = 100;
/// Fields of a large object. An object with more has no page of its own, but the objects in it may have one.
const LARGE: RangeInclusive<usize> = 4..=100;

/// A field with the fields inside it.
struct Node<'f> {
    field: &'f Field,
    inside: Vec<Node<'f>>,
}

impl Node<'_> {
    fn name(&self) -> &str {
        self.field.path.rsplit('.').next().unwrap_or_default().trim_end_matches("[]")
    }

    /// The number of fields inside, at every depth.
    fn size(&self) -> usize {
        self.inside.iter().map(|node| 1 + node.size()).sum()
    }

    fn is_large(&self) -> bool {
        LARGE.contains(&self.size())
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

/// The fields of a body.
pub(super) struct Tree<'f> {
    /// What the ids of the fields begin with.
    prefix: String,
    nodes: Vec<Node<'f>>,
    is_long: bool,
}

/// A large object, which has a page of its own.
#[derive(Debug)]
pub(super) struct Object {
    /// The path of its field, such as `payment_means`.
    pub(super) path: String,
    /// Its type.
    pub(super) kind: String,
    /// What its field says, as HTML.
    pub(super) about: String,
    /// Its fields, as HTML.
    pub(super) tree: String,
}

impl<'f> Tree<'f> {
    pub(super) fn of(prefix: impl Into<String>, fields: &'f [Field]) -> Self {
        Tree { prefix: prefix.into(), nodes: nodes(fields, ""), is_long: fields.len() > LONG }
    }

    /// The tree as HTML on the page of an operation; empty without fields.
    pub(super) fn html(&self, page: &str) -> String {
        let parts = self.is_long.then_some(page);
        let mut writer = Writer { prefix: &self.prefix, parts, out: String::new() };
        if !self.nodes.is_empty() {
            writer.list(&self.nodes, 0);
        }
        writer.out
    }

    /// The large object whose field has an id.
    pub(super) fn object(&self, id: &str) -> Option<Object> {
        let node = self.large(|node| anchor(&self.prefix, &node.field.path) == id)?;
        let mut writer = Writer { prefix: &self.prefix, parts: None, out: String::new() };
        writer.text(node.field);
        let about = std::mem::take(&mut writer.out);
        writer.list(&node.inside, 0);
        let kind = node.field.kind.clone();
        let path = node.field.path.replace("[]", "");
        Some(Object { path, kind, about, tree: writer.out })
    }

    /// The place of a field: the page of its operation, or of the large object around it, with the field's id.
    pub(super) fn place(&self, page: &str, path: &str) -> String {
        let (id, of) =
            (anchor(&self.prefix, path), |node: &Node| anchor(&self.prefix, &node.field.path));
        let is_inside =
            |node: &Node| id.strip_prefix(&of(node)).is_some_and(|rest| rest.starts_with('.'));
        match self.large(is_inside) {
            Some(node) => format!("{page}/{}#{id}", of(node)),
            None => format!("{page}#{id}"),
        }
    }

    /// The outermost large object for which something holds.
    fn large(&self, holds: impl Fn(&Node) -> bool + Copy) -> Option<&Node<'f>> {
        fn find<'n, 'f>(
            nodes: &'n [Node<'f>],
            holds: impl Fn(&Node) -> bool + Copy,
        ) -> Option<&'n Node<'f>> {
            nodes.iter().find_map(|node| match node.is_large() {
                true => holds(node).then_some(node),
                false => find(&node.inside, holds),
            })
        }
        if self.is_long { find(&self.nodes, holds) } else { None }
    }
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

/// Writes fields as HTML. Writing to a string cannot fail.
struct Writer<'w> {
    prefix: &'w str,
    /// The page whose large objects have pages of their own.
    parts: Option<&'w str>,
    out: String,
}

impl Writer<'_> {
    fn list(&mut self, nodes: &[Node], depth: usize) {
        let required = nodes.iter().take_while(|node| node.field.required).count();
        let (required, optional) = nodes.split_at(required);
        let is_folded = !required.is_empty() && optional.len() > FEW;
        self.out.push_str("<ul class=\"tree\">\n");
        for node in required {
            self.item(node, depth);
        }
        if is_folded {
            let _ = writeln!(
                self.out,
                "<li><details class=\"fold\"><summary>{} optional fields</summary><ul class=\"tree\">",
                optional.len()
            );
        }
        for node in optional {
            self.item(node, depth);
        }
        self.out.push_str(if is_folded { "</ul></details></li>\n</ul>" } else { "</ul>" });
    }

    fn item(&mut self, node: &Node, depth: usize) {
        let (field, name) = (node.field, node.name());
        let id = anchor(self.prefix, &field.path);
        let _ = write!(self.out, "<li id=\"{id}\"><code>");
        highlight::plain(name, &mut self.out);
        self.out.push_str("</code> <span class=\"kind\">");
        highlight::plain(&field.kind, &mut self.out);
        self.out.push_str("</span>");
        if field.required {
            self.out.push_str(" <b class=\"needed\">required</b>");
        }
        self.text(field);
        match self.parts {
            _ if node.inside.is_empty() => {}
            Some(page) if node.is_large() => {
                let _ = write!(
                    self.out,
                    "<p><a href=\"{page}/{id}\">Fields of <code>{name}</code></a></p>"
                );
            }
            _ => {
                let open = if field.required && depth == 0 { " open" } else { "" };
                let _ = write!(
                    self.out,
                    "<details class=\"fold\"{open}><summary>Fields of <code>{name}</code></summary>"
                );
                self.list(&node.inside, depth + 1);
                self.out.push_str("</details>");
            }
        }
        self.out.push_str("</li>\n");
    }

    fn text(&mut self, field: &Field) {
        if !field.description.is_empty() {
            let _ = write!(self.out, "<p>{}</p>", inline(&field.description));
        }
        if !field.limits.is_empty() {
            self.out.push_str("<p class=\"limit\">");
            highlight::plain(&field.limits.join("; "), &mut self.out);
            self.out.push_str("</p>");
        }
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
    }

    #[test]
    fn a_field_stands_once_on_the_page_of_its_operation_or_of_the_large_object_around_it() {
        let fields = fields_of_body(Operation::Invoice);
        let tree = Tree::of("body", &fields);
        for field in &fields {
            let place = tree.place("/send", &field.path);
            let (page, id) = place.split_once('#').unwrap();
            let html = match page.strip_prefix("/send/") {
                Some(object) => tree.object(object).unwrap().tree,
                None => tree.html("/send"),
            };
            assert_eq!(html.matches(&format!("id=\"{id}\"")).count(), 1, "{place}");
            assert_eq!(html.matches("<ul").count(), html.matches("</ul>").count(), "{place}");
            let folds = |tag| html.matches(tag).count();
            assert_eq!(folds("<details"), folds("</details>"), "{place}");
        }
        assert_eq!(tree.place("/send", "customer"), "/send#body.customer");
        let inside = tree.place("/send", "line_items[].item.name");
        assert_eq!(inside, "/send/body.line_items#body.line_items.item.name");
        assert_eq!(tree.object("body.due_date").map(|object| object.path), None);
        let few = Tree::of("body", &fields[..5]);
        assert!(few.object("body.customer").is_none(), "a short tree has all fields on its page");
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
