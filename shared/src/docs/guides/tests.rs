//! Tests of the reader of guides.

use super::*;

fn read(title: &str, text: &str) -> Vec<Part> {
    guide("test", &format!("# {title}\n\nPurpose.\n\n{text}"), VecDeque::new()).parts
}

fn prose(markdown: &str) -> String {
    match read("Title", markdown).as_slice() {
        [Part::Prose(html)] | [Part::Section, Part::Prose(html)] => html.clone(),
        parts => panic!("{} parts", parts.len()),
    }
}

#[test]
fn a_table_names_its_rows_and_the_column_of_each_cell() {
    let table = "| a & b | c |\n|---|---|\n| `x` | [y](/z) |\n| only | |\n";
    let expected = concat!(
        "<table><caption class=\"unseen\">Title</caption><thead><tr><th scope=\"col\">a &amp; b</th>",
        "<th scope=\"col\">c</th></tr></thead><tbody>\n",
        "<tr><th scope=\"row\"><code>x</code></th><td data-label=\"c\"><div><a href=\"/z\">y</a></div></td></tr>\n",
        "<tr><th scope=\"row\">only</th><td data-label=\"c\"><div></div></td></tr>\n",
        "</tbody></table>\n",
    );
    assert_eq!(prose(table), expected);
    let below = prose(&format!("## What is *sent*\n\n{table}"));
    assert!(below.starts_with("<h2 id=\"what-is-sent\">What is <em>sent</em></h2>\n"));
    assert!(below.contains("<caption class=\"unseen\">What is sent</caption>"), "{below}");
}

#[test]
fn commands_and_programs_stand_between_the_prose_around_them() {
    let found = read("", "one\n\n```sh\na <b\n```\n\n<!-- programs: verify -->\n\ntwo\n");
    let [Part::Prose(one), Part::Code(text), Part::Programs(name, programs), Part::Prose(two)] =
        found.as_slice()
    else {
        panic!("{} parts", found.len());
    };
    assert_eq!((one.as_str(), text.as_str(), *name), ("<p>one</p>\n", "a <b", "verify"));
    assert_eq!((programs.len(), two.as_str()), (6, "<p>two</p>\n"));
}

#[test]
fn every_guide_has_a_title_a_purpose_and_the_programs_that_it_names() {
    for language in Language::ALL {
        let mut shown = 0;
        for guide in all(language) {
            let (title, about) = (&guide.title, &guide.about);
            assert!(!title.contains(['#', '\n']) && !title.is_empty(), "{title}");
            assert!(about.ends_with('.') && !about.contains('\n'), "{about}");
            let programs = guide.parts.iter().filter(|part| matches!(part, Part::Programs(..)));
            shown += programs.count();
        }
        // Each list is shown once. An unknown name would leave one out.
        assert_eq!(shown, PROGRAMS.len());
    }
}

#[test]
fn every_guide_has_a_topic_and_every_topic_names_guides() {
    let mut named: Vec<_> = TOPICS.iter().flat_map(|(_, names)| *names).copied().collect();
    let mut known: Vec<_> = all(Language::English).iter().map(|guide| guide.name).collect();
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);
}

#[test]
fn a_guide_in_arabic_has_the_sections_tables_commands_and_links_of_the_english_one() {
    let kinds = |guide: &Guide| {
        let kind = |part: &Part| match part {
            Part::Section => "section".to_owned(),
            Part::Prose(html) => format!(
                "{} tables, {} rows, {} entries, links {:?}",
                html.matches("<table>").count(),
                html.matches("<tr>").count(),
                html.matches("<li>").count(),
                links(html)
            ),
            Part::Code(text) | Part::Answer(text) => text.clone(),
            Part::Programs(name, _) => (*name).to_owned(),
        };
        guide.parts.iter().map(kind).collect::<Vec<_>>()
    };
    for (english, arabic) in all(Language::English).iter().zip(all(Language::Arabic)) {
        assert_eq!(kinds(english), kinds(arabic), "{}", english.name);
        let has_arabic = |text: &str| text.chars().any(|c| ('\u{600}'..='\u{6ff}').contains(&c));
        assert!(has_arabic(&arabic.title) && has_arabic(&arabic.about), "{}", arabic.name);
    }
}

/// The targets of the links of a text, sorted; the Arabic guides name the Arabic ones.
fn links(html: &str) -> Vec<String> {
    let targets = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut links: Vec<_> =
        targets.map(|target| target.replace("/docs/ar/guides/", "/docs/guides/")).collect();
    links.sort();
    links
}
