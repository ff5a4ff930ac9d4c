//! Tests that the files of this folder import each other in one direction only.

use std::{collections::BTreeMap, fs, path::Path};

/// Returns the files of the folder that a file imports with `use super::`.
fn uses(text: &str, files: &[String]) -> Vec<String> {
    let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    let imports = before_tests.split("use super::").skip(1);
    let imports = imports.filter_map(|rest| rest.split(';').next());
    let mut named = Vec::new();
    for import in imports {
        let mut depth = 0;
        for part in import.split_inclusive(['{', '}', ',']) {
            let name = part.trim().trim_end_matches(['{', '}', ',']).split("::").next();
            if depth <= 1 {
                named.extend(name.filter(|name| files.iter().any(|file| file == name)));
            }
            depth += part.matches('{').count();
            depth = depth.saturating_sub(part.matches('}').count());
        }
    }
    named.into_iter().map(str::to_owned).collect()
}

/// Finds a cycle along the imports.
fn circle<'a>(uses: &'a BTreeMap<String, Vec<String>>, way: &mut Vec<&'a str>) -> bool {
    let Some(next) = way.last().and_then(|file| uses.get(*file)) else { return false };
    next.iter().any(|file| {
        let closed = way.first() == Some(&file.as_str());
        if !closed && way.contains(&file.as_str()) {
            return false;
        }
        way.push(file);
        let found = closed || circle(uses, way);
        if !found {
            way.pop();
        }
        found
    })
}

#[test]
fn no_part_of_the_documents_imports_what_imports_it() {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/document");
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(room).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let path = if path.is_dir() { path.join("mod.rs") } else { path };
        if !matches!(&*name, "mod" | "tests") {
            texts.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    let files: Vec<_> = texts.keys().cloned().collect();
    let uses: BTreeMap<_, _> =
        texts.iter().map(|(name, text)| (name.clone(), uses(text, &files))).collect();
    assert!(uses["complete"].contains(&"facts".to_owned()), "the imports are read");
    assert!(uses["party"].contains(&"roles".to_owned()), "{:?}", uses["party"]);
    for file in &files {
        let mut way = vec![file.as_str()];
        assert!(!circle(&uses, &mut way), "{}", way.join(" → "));
    }
}
