//! Holds the modules to the table of floors in `lib.rs`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

const TABLE: &str = include_str!("lib.rs");

/// A module's floor, and what its row of the table says that it does not know.
struct Row {
    floor: u32,
    ignorant_of: &'static str,
}

fn table() -> BTreeMap<&'static str, Row> {
    let rows = TABLE.lines().filter_map(|line| line.strip_prefix("//! | "));
    let mut table = BTreeMap::new();
    for cells in rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>()) {
        let (Ok(floor), Some(modules), Some(ignorant_of)) =
            (cells[0].parse(), cells.get(1), cells.get(2))
        else {
            continue;
        };
        for module in modules.split(", ") {
            let module = module.trim_start_matches("[`").trim_end_matches("`]");
            let twice = table.insert(module, Row { floor, ignorant_of });
            assert!(twice.is_none(), "{module} is on two floors");
        }
    }
    table
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files of a module that are no tests.
fn files(path: &Path, found: &mut Vec<PathBuf>) {
    let name = path.file_stem().unwrap_or_default();
    if name == "tests" || name == "testing" {
        return;
    }
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_owned());
    }
}

/// The code of a file: no comments, and not the tests at its end.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The code of each file of a module.
fn module(name: &str) -> BTreeMap<PathBuf, String> {
    let mut found = Vec::new();
    for path in [source().join(name), source().join(name).with_extension("rs")] {
        if path.exists() {
            files(&path, &mut found);
        }
    }
    found.into_iter().map(|file| (file.clone(), code(&file))).collect()
}

/// The first name of a path, such as `types` of `types::{Clock, Random}`.
fn first(path: &str) -> &str {
    let path = path.trim_start();
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    &path[..end]
}

/// What follows `crate::`: one module, or those of a group.
fn named(after: &str) -> Vec<&str> {
    let Some(group) = after.strip_prefix('{') else { return vec![first(after)] };
    let (mut depth, mut start, mut names) = (1, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                names.push(first(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            names.push(first(&group[start..at]));
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The modules of the crate that a piece of code names by `crate::`.
fn used(code: &str) -> BTreeSet<&str> {
    code.match_indices("crate::").flat_map(|(at, found)| named(&code[at + found.len()..])).collect()
}

#[test]
fn used_modules_are_found_in_groups_and_paths() {
    let code = "use crate::{\n    error::{Code, Finding},\n    store, types::Clock,\n};\nfn f() { crate::codes::all() }";
    assert_eq!(used(code), BTreeSet::from(["codes", "error", "store", "types"]));
}

#[test]
fn every_module_is_on_one_floor() {
    let lines: Vec<_> = TABLE.lines().collect();
    let declared: BTreeSet<_> = lines
        .windows(2)
        .filter(|pair| !(pair[0].starts_with("#[cfg(") && pair[0].contains("test")))
        .filter_map(|pair| pair[1].split_once("mod ")?.1.strip_suffix(';'))
        .collect();
    assert_eq!(declared, table().keys().copied().collect());
}

#[test]
fn a_module_uses_lower_floors_only() {
    let table = table();
    let mut wrong = Vec::new();
    for (name, row) in &table {
        let files = module(name);
        assert!(!files.is_empty(), "{name} has no files");
        for (file, code) in &files {
            for other in used(code).into_iter().filter(|other| other != name) {
                match table.get(other) {
                    Some(below) if below.floor < row.floor => {}
                    Some(_) => wrong.push(format!("{}: {name} uses {other}", file.display())),
                    // A macro of the crate, which belongs to no module.
                    None => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_module_knows_nothing_of_what_its_row_excludes() {
    let excluded: [(&str, &[&str]); 3] = [
        ("AWS", &["aws_config::", "aws_sdk_", "aws_smithy_", "lambda_runtime::"]),
        ("HTTP frameworks", &["axum::", "utoipa_axum::", "lambda_http::"]),
        ("DynamoDB expressions", &["aws_sdk_dynamodb::types", "aws_sdk_dynamodb::operation"]),
    ];
    let mut wrong = Vec::new();
    for (name, row) in &table() {
        let everything = row.ignorant_of == "everything else";
        for (what, paths) in excluded {
            if !everything && !row.ignorant_of.split(", ").any(|part| part == what) {
                continue;
            }
            for (file, code) in module(name) {
                for path in paths.iter().filter(|path| code.contains(**path)) {
                    wrong.push(format!("{}: {name} uses {path}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every path in a piece of code that begins with `crate`, `super` or `self`.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let begin =
            code[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |it| it + 1);
        let is_first = !code[..begin].ends_with("::");
        if is_first && matches!(&code[begin..at], "crate" | "super" | "self") {
            leaves(&code[begin..], &[], &mut found);
        }
    }
    found
}

/// Adds the paths of a use tree, each with the path before it, and returns the length of the tree.
fn leaves<'c>(tree: &'c str, before: &[&'c str], found: &mut Vec<Vec<&'c str>>) -> usize {
    let mut path = before.to_vec();
    let mut at = 0;
    loop {
        if tree[at..].starts_with('{') {
            at += 1;
            loop {
                at += tree[at..].len() - tree[at..].trim_start().len();
                at += leaves(&tree[at..], &path, found);
                // What follows a name: ` as other`, then the next name or the end of the group.
                let Some(next) = tree[at..].find([',', '}']) else { return tree.len() };
                at += next + 1;
                if tree[at - 1..].starts_with('}') {
                    return at;
                }
            }
        }
        let name = first(&tree[at..]);
        if name.is_empty() {
            break;
        }
        path.push(name);
        at += name.len();
        match tree[at..].strip_prefix("::") {
            Some(_) => at += 2,
            None => break,
        }
    }
    found.push(path);
    at
}

/// The modules of the crate by their paths, with the code of each.
fn modules() -> BTreeMap<Vec<String>, String> {
    let mut found = Vec::new();
    files(&source(), &mut found);
    let of = |file: PathBuf| {
        let path = file.strip_prefix(source()).unwrap().with_extension("");
        let mut path: Vec<_> = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        path.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
        (path, code(&file))
    };
    found.into_iter().map(of).collect()
}

/// The module that a path of a module names, or the one that holds what it names.
fn resolved(modules: &BTreeMap<Vec<String>, String>, of: &[String], path: &[&str]) -> Vec<String> {
    let mut at = match path.first() {
        Some(&"crate") => Vec::new(),
        _ => of.to_vec(),
    };
    for name in path {
        match *name {
            "super" => drop(at.pop()),
            "crate" | "self" => {}
            name => {
                let below = [&at[..], &[name.to_owned()]].concat();
                if !modules.contains_key(&below) {
                    break;
                }
                at = below;
            }
        }
    }
    at
}

/// How many children of each folder use each other in circles. What lies in a child counts as the child.
fn circles() -> BTreeMap<String, usize> {
    let modules = modules();
    // By folder: which child uses which.
    let mut uses: BTreeMap<Vec<String>, BTreeSet<(String, String)>> = BTreeMap::new();
    for (module, code) in &modules {
        for path in paths(code) {
            let other = resolved(&modules, module, &path);
            let common = module.iter().zip(&other).take_while(|(one, other)| one == other).count();
            // A parent and its child belong together.
            if let (Some(one), Some(other)) = (module.get(common), other.get(common)) {
                let pair = (one.clone(), other.clone());
                uses.entry(module[..common].to_vec()).or_default().insert(pair);
            }
        }
    }
    let mut found = BTreeMap::new();
    for (folder, mut pairs) in uses {
        // Who uses nobody, or is used by nobody, is in no circle.
        loop {
            let before = pairs.len();
            let users: BTreeSet<_> = pairs.iter().map(|(one, _)| one.clone()).collect();
            pairs.retain(|(_, other)| users.contains(other));
            let used: BTreeSet<_> = pairs.iter().map(|(_, other)| other.clone()).collect();
            pairs.retain(|(one, _)| used.contains(one));
            if pairs.len() == before {
                break;
            }
        }
        if !pairs.is_empty() {
            let left: BTreeSet<_> = pairs.iter().map(|(one, _)| one).collect();
            found.insert(folder.join("/"), left.len());
        }
    }
    found
}

#[test]
fn paths_are_found_in_nested_groups() {
    let code = "use super::{a::{b, self}, c as d};\nuse crate::{e, f::G};\nlet x = self::h::i(std::crate_);";
    let found: Vec<_> = paths(code).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(
        found,
        ["super::a::b", "super::a::self", "super::c", "crate::e", "crate::f::G", "self::h::i"]
    );
}

#[test]
fn no_files_use_each_other_in_circles() {
    assert_eq!(circles(), BTreeMap::new());
}
