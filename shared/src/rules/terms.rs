//! Business terms and their names, so that a finding speaks of the "Seller VAT identifier" and not
//! of IBT-031 alone.

/// Terms with their names, sorted by term.
#[derive(Debug, Clone, Copy)]
pub struct Terms(pub &'static [(&'static str, &'static str)]);

impl Terms {
    /// What a term, such as `IBT-031`, is called.
    pub fn name(self, term: &str) -> Option<&'static str> {
        let at = self.0.binary_search_by_key(&term, |(term, _)| term).ok()?;
        self.0.get(at).map(|(_, name)| *name)
    }

    /// Whether every term can be found.
    #[cfg(test)]
    pub(crate) fn are_sorted(self) -> bool {
        self.0.is_sorted_by(|one, next| one.0 < next.0)
    }
}
