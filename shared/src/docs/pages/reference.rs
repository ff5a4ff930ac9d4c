//! The pages of the reference.

use askama::Template;

use super::frame::Around;
use crate::docs::{
    answers, fields,
    highlight::Syntax,
    prose::{self, Block, Piece},
    reference::{Answer, Body, EVENTS, OPERATIONS, Operation, find, items, of_tag, tags},
    schemas::{document, text},
    snippet::{Snippet, Tab, located},
};

/// Fields of a body that one page alone shows.
const LONG: usize = 50;

/// The list of all operations.
#[derive(Template)]
#[template(path = "docs/reference.html")]
pub(in crate::docs) struct List {
    around: Around,
    about: Vec<Block>,
    groups: Vec<Group>,
}

/// The operations of a tag.
struct Group {
    name: &'static str,
    anchor: String,
    about: Vec<Block>,
    operations: Vec<&'static Operation>,
}

impl List {
    pub(in crate::docs) fn new() -> Self {
        let about = |name: &str| match name {
            EVENTS => "Webhook endpoints receive these events, and GET /events lists them.",
            name => items(&document()["tags"])
                .find(|tag| text(tag, "name") == name)
                .map_or("", |tag| text(tag, "description")),
        };
        let groups = tags().map(|(name, anchor)| Group {
            name,
            anchor,
            about: prose::blocks(about(name)),
            operations: of_tag(name).collect(),
        });
        let groups: Vec<_> = groups.collect();
        let contents = groups.iter().map(|group| (group.anchor.clone(), group.name.to_owned()));
        List {
            around: Around::new("API reference", "/docs/reference")
                .with_contents(contents.collect()),
            about: prose::blocks(text(&document()["info"], "description")),
            groups,
        }
    }
}

/// A body with its fields as a tree.
struct Shown<'o> {
    body: &'o Body,
    tree: String,
    /// The earlier operation whose page has the same long tree.
    same_as: Option<&'static Operation>,
}

/// An answer with its bodies.
struct ShownAnswer<'o> {
    answer: &'o Answer,
    bodies: Vec<Shown<'o>>,
    /// The earlier status whose bodies it has too.
    same_as: Option<&'o str>,
}

/// The page of an operation.
#[derive(Template)]
#[template(path = "docs/operation.html")]
pub(in crate::docs) struct ReferencePage {
    around: Around,
    operation: &'static Operation,
    about: Vec<Block>,
    bodies: Vec<Shown<'static>>,
    answers: Vec<ShownAnswer<'static>>,
    /// The request in several languages.
    programs: Vec<Tab>,
    /// The body of an event.
    event: Option<Snippet>,
    answer: Option<Snippet>,
}

impl ReferencePage {
    /// The page of an operation by its id.
    pub(in crate::docs) fn of(id: &str) -> Option<Self> {
        let operation = find(id)?;
        let bodies = operation.bodies.iter().enumerate().map(|(place, body)| {
            let prefix = if place == 0 { "body".to_owned() } else { format!("body{}", place + 1) };
            match shown_elsewhere(operation, body) {
                None => Shown { body, tree: tree(&prefix, body), same_as: None },
                same_as => Shown { body, tree: String::new(), same_as },
            }
        });
        let bodies: Vec<_> = bodies.collect();
        let programs = operation.programs();
        let event = operation.body().filter(|_| programs.is_empty());
        let recorded = answers::of(id);
        Some(ReferencePage {
            around: Around::new(&*operation.summary, operation.page())
                .with_contents(contents(operation)),
            operation,
            about: prose::blocks(&operation.description),
            bodies,
            answers: shown_answers(operation),
            programs,
            event: event.map(|body| Snippet::body("event", &*body.example)),
            answer: (!recorded.is_empty())
                .then(|| Snippet::new("answer", Syntax::Http, located(recorded))),
        })
    }
}

/// The first operation that takes the same long body, if it is another one.
fn shown_elsewhere(operation: &Operation, body: &Body) -> Option<&'static Operation> {
    let takes = |other: &&Operation| other.bodies.iter().any(|it| it.schema == body.schema);
    let is_long = !body.schema.is_empty() && body.fields.len() > LONG;
    OPERATIONS.iter().find(takes).filter(|other| is_long && other.id != operation.id)
}

fn tree(prefix: &str, body: &Body) -> String {
    if body.fields.is_empty() { String::new() } else { fields::html(prefix, &body.fields) }
}

/// The answers. A schema is shown once.
fn shown_answers(operation: &'static Operation) -> Vec<ShownAnswer<'static>> {
    let schemas = |answer: &'static Answer| -> Vec<&str> {
        answer.bodies.iter().map(|body| body.schema.as_str()).collect()
    };
    let mut shown = Vec::new();
    for (place, answer) in operation.answers.iter().enumerate() {
        let own = schemas(answer);
        let is_named = !own.is_empty() && own.iter().all(|schema| !schema.is_empty());
        let same = operation.answers[..place].iter().find(|it| is_named && schemas(it) == own);
        let bodies = answer.bodies.iter().filter(|_| same.is_none());
        let bodies =
            bodies.map(|body| Shown { body, tree: tree(&answer.status, body), same_as: None });
        shown.push(ShownAnswer {
            answer,
            bodies: bodies.collect(),
            same_as: same.map(|answer| answer.status.as_str()),
        });
    }
    shown
}

fn contents(operation: &Operation) -> Vec<(String, String)> {
    let mut contents = Vec::new();
    let mut add = |id: &str, title: String| contents.push((id.to_owned(), title));
    if !operation.parameters.is_empty() {
        add("parameters", "Parameters and headers".to_owned());
    }
    if operation.is_tried() {
        add("try", "Try it in Sandbox".to_owned());
    }
    for (place, body) in operation.bodies.iter().enumerate() {
        add(&format!("body-{}", place + 1), format!("Body: {}", body.media_type));
    }
    if !operation.answers.is_empty() {
        add("answers", "Responses".to_owned());
    }
    contents
}
