//! Follows the children of an element through its content model.

use super::tables::{self, Content, Contents, On, Particle, State, Type};
use crate::xml::{Name, Node};

/// The position of the children of an element in its content model.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// The next particle of the sequence, or the current state.
    at: usize,
    /// Whether this particle has already occurred. It may then repeat.
    seen: bool,
}

/// Why a child is not allowed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    /// The parent never contains this element.
    Unknown,
    /// A required element that precedes it is missing.
    Early,
    /// It should occur earlier.
    Late,
    /// The parent can contain it, but not here.
    Elsewhere,
}

/// How an allowed child is checked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    Declaration(&'static Type),
    Wildcard(Contents),
}

impl Place {
    /// Advances to the next child; `None` if it is not allowed here.
    pub(super) fn step(&mut self, content: &Content, child: Node<'_>) -> Option<Found> {
        match content {
            Content::Sequence(particles) => self.step_sequence(particles, child.name()),
            Content::Model { states, .. } => self.step_states(states, child),
            _ => None,
        }
    }

    /// All steps together visit each particle once.
    fn step_sequence(&mut self, particles: &[Particle], name: Name) -> Option<Found> {
        while let Some(particle) = particles.get(self.at) {
            if particle.name == name {
                self.seen = particle.repeats;
                self.at += usize::from(!particle.repeats);
                return tables::declared(name).map(Found::Declaration);
            }
            if particle.required && !self.seen {
                return None;
            }
            *self = Place { at: self.at + 1, seen: false };
        }
        None
    }

    fn step_states(&mut self, states: &[State], child: Node<'_>) -> Option<Found> {
        let name = child.name();
        for edge in states.get(self.at)?.edges {
            let found = match edge.on {
                On::Global(wanted) if wanted == name => {
                    tables::declared(name).map(Found::Declaration)
                }
                On::Local(wanted, of_type) if wanted == name => Some(Found::Declaration(of_type)),
                On::Other(own, contents) => {
                    let namespace = child.namespace();
                    let other = !namespace.is_empty() && namespace != own;
                    other.then_some(Found::Wildcard(contents))
                }
                On::Any(contents) => Some(Found::Wildcard(contents)),
                _ => None,
            };
            if found.is_some() {
                self.at = usize::from(edge.to);
                return found;
            }
        }
        None
    }

    /// Whether the content may end here.
    pub(super) fn ends(self, content: &Content) -> bool {
        match content {
            Content::Sequence(particles) => self.required(particles).next().is_none(),
            Content::Model { states, .. } => states.get(self.at).is_some_and(|state| state.ends),
            _ => true,
        }
    }

    /// The required elements that a sequence still lacks.
    fn required(self, particles: &[Particle]) -> impl Iterator<Item = &Particle> {
        let rest = particles.iter().skip(self.at + usize::from(self.seen));
        rest.filter(|particle| particle.required)
    }

    /// The names of the required elements that a sequence still lacks.
    pub(super) fn missing(self, content: &Content) -> Vec<String> {
        match content {
            Content::Sequence(particles) => {
                self.required(particles).map(|particle| particle.name.prefixed()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Why an element with this name does not fit here.
    pub(super) fn misfit(self, content: &Content, name: Name) -> Misfit {
        match content {
            Content::Sequence(particles) => {
                match particles.iter().position(|particle| particle.name == name) {
                    None => Misfit::Unknown,
                    Some(place) if place < self.at => Misfit::Late,
                    Some(_) => Misfit::Early,
                }
            }
            Content::Model { states, .. } => {
                let named = |on| matches!(on, On::Global(own) | On::Local(own, _) if own == name);
                let mut edges = states.iter().flat_map(|state| state.edges);
                match edges.any(|edge| named(edge.on)) {
                    true => Misfit::Elsewhere,
                    false => Misfit::Unknown,
                }
            }
            _ => Misfit::Unknown,
        }
    }

    /// The names of the elements that are allowed next.
    pub(super) fn expected(self, content: &Content) -> Vec<String> {
        match content {
            Content::Sequence(particles) => {
                let rest = particles.get(self.at..).unwrap_or_default();
                // Stops at the first required particle.
                let missing = |(at, particle): (usize, &Particle)| {
                    particle.required && !(at == 0 && self.seen)
                };
                let last = rest.iter().enumerate().position(missing);
                let count = last.map_or(rest.len(), |last| last + 1);
                rest.iter().take(count).map(|particle| particle.name.prefixed()).collect()
            }
            Content::Model { states, .. } => {
                let edges = states.get(self.at).map_or(&[][..], |state| state.edges);
                edges.iter().map(|edge| named(edge.on)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn named(on: On) -> String {
    match on {
        On::Global(name) | On::Local(name, _) => name.prefixed(),
        On::Other(..) => "an element of another namespace".to_owned(),
        On::Any(_) => "any element".to_owned(),
    }
}
