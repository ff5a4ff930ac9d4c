//! The pages of the reference.

use askama::Template;

use super::frame::Around;
use crate::docs::{
    answers,
    fields::{Object, Tree},
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
    /// The headers that not every answer has.
    headers: Vec<&'o [String; 2]>,
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
    /// The headers of every answer.
    headers: Vec<&'static [String; 2]>,
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
        let page = operation.page();
        let bodies = prefixed(operation).map(|(prefix, body)| {
            let same_as = shown_elsewhere(operation, body);
            let fields = if same_as.is_none() { body.fields.as_slice() } else { &[] };
            Shown { body, tree: Tree::of(prefix, fields).html(&page), same_as }
        });
        let bodies: Vec<_> = bodies.collect();
        let programs = operation.programs();
        let event = operation.body().filter(|_| programs.is_empty());
        let recorded = answers::of(id);
        Some(ReferencePage {
            around: Around::new(&*operation.summary, page).with_contents(contents(operation)),
            operation,
            about: prose::blocks(&operation.description),
            bodies,
            headers: common_headers(operation),
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

/// The operation that reads what an answer's long body is, if it is another one.
fn answered_elsewhere(operation: &Operation, body: &Body) -> Option<&'static Operation> {
    let has = |answer: &Answer| answer.bodies.iter().any(|it| it.schema == body.schema);
    let reads = |other: &&Operation| other.method == "GET" && other.answers.iter().any(has);
    let is_long = !body.schema.is_empty() && body.fields.len() > LONG;
    OPERATIONS.iter().find(reads).filter(|other| is_long && other.id != operation.id)
}

/// The bodies of the request with what the ids of their fields begin with.
fn prefixed(operation: &'static Operation) -> impl Iterator<Item = (String, &'static Body)> {
    operation.bodies.iter().enumerate().map(|(place, body)| match place {
        0 => ("body".to_owned(), body),
        place => (format!("body{}", place + 1), body),
    })
}

/// The page of a large object of an operation.
#[derive(Template)]
#[template(path = "docs/object.html")]
pub(in crate::docs) struct ObjectPage {
    around: Around,
    operation: &'static Operation,
    /// What the object is part of.
    whole: String,
    object: Object,
}

impl ObjectPage {
    /// The page of an object by the ids of its operation and of its field.
    pub(in crate::docs) fn of(id: &str, field: &str) -> Option<Self> {
        let operation = find(id)?;
        let of_request = prefixed(operation)
            .filter(|(_, body)| shown_elsewhere(operation, body).is_none())
            .map(|(prefix, body)| (prefix, body, "the body".to_owned()));
        let of_answers = operation.answers.iter().flat_map(|answer| {
            let whole = format!("the body of {}", answer.status);
            answer.bodies.iter().map(move |body| (answer.status.clone(), body, whole.clone()))
        });
        let (object, whole) = of_request.chain(of_answers).find_map(|(prefix, body, whole)| {
            Some((Tree::of(prefix, &body.fields).object(field)?, whole))
        })?;
        let title = format!("{}: {}", operation.summary, object.path);
        Some(ObjectPage { around: Around::new(title, operation.page()), operation, whole, object })
    }
}

/// The headers that every answer has, with the same words.
fn common_headers(operation: &'static Operation) -> Vec<&'static [String; 2]> {
    let is_common =
        |header: &&[String; 2]| operation.answers.iter().all(|it| it.headers.contains(header));
    let first = operation.answers.first().filter(|_| operation.answers.len() > 1);
    first.into_iter().flat_map(|answer| &answer.headers).filter(is_common).collect()
}

/// The answers. A schema is shown once.
fn shown_answers(operation: &'static Operation) -> Vec<ShownAnswer<'static>> {
    let schemas = |answer: &'static Answer| -> Vec<&str> {
        answer.bodies.iter().map(|body| body.schema.as_str()).collect()
    };
    let (page, common) = (operation.page(), common_headers(operation));
    let mut shown = Vec::new();
    for (place, answer) in operation.answers.iter().enumerate() {
        let own = schemas(answer);
        let is_named = !own.is_empty() && own.iter().all(|schema| !schema.is_empty());
        let same = operation.answers[..place].iter().find(|it| is_named && schemas(it) == own);
        let bodies = answer.bodies.iter().filter(|_| same.is_none());
        let bodies = bodies.map(|body| {
            let same_as = answered_elsewhere(operation, body);
            let fields = if same_as.is_none() { body.fields.as_slice() } else { &[] };
            Shown { body, tree: Tree::of(&*answer.status, fields).html(&page), same_as }
        });
        shown.push(ShownAnswer {
            answer,
            headers: answer.headers.iter().filter(|header| !common.contains(header)).collect(),
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
