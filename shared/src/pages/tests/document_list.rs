//! The list of documents: search, views, files, and the list of all businesses.

use std::collections::BTreeSet;

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

use jiff::SignedDuration;
use rust_decimal::Decimal;

use super::{
    documents::{Scene, looked_at, signed_in, signed_in_member, signed_in_member_as},
    *,
};
use crate::{
    access::Scope,
    service::{
        documents::{READ, Search},
        overview,
        saved_views::MAX_VIEWS,
    },
    store::{DocumentRecord, SavedViews, Status, keys::Key},
    types::Mode,
};

const LIST: &str = "/sandbox/documents";

/// The numbers of the documents on a page, in their order.
fn numbers(page: &Given) -> Vec<String> {
    let (_, rows) = page.body.split_once("<tbody>").unwrap_or_default();
    let rows = rows.split("</tbody>").next().unwrap().split("<th scope=\"row\">").skip(1);
    let number =
        |row: &str| row.split_once("<bdi>").unwrap().1.split("</bdi>").next().unwrap().to_owned();
    rows.map(number).collect()
}

async fn change(scene: &Scene, number: &str, change: impl FnOnce(&mut DocumentRecord)) {
    let documents = scene.world.documents().await;
    let mut document = documents.into_iter().find(|it| it.number == number).unwrap();
    change(&mut document);
    let key = Key::document(Mode::Sandbox, &document.taxpayer_id, &document.document_id);
    scene.world.put(key, &document).await;
}

#[tokio::test]
async fn a_document_is_found_by_what_people_know_of_it_and_by_nobody_else() {
    let mut scene = Scene::new().await;
    let id = scene.send("INV-1001", "Oasis Supplies").await;
    scene.world.clock.advance(SignedDuration::from_secs(1));
    scene.send("INV-1002", "شركة الزهراء").await;
    change(&scene, "INV-1002", |it| it.total_with_vat = "945.5".parse().unwrap()).await;
    for (text, found) in [
        ("INV-10", &["INV-1002", "INV-1001"][..]),
        ("inv-1002", &["INV-1002"]),
        ("oasis", &["INV-1001"]),
        ("%D8%A7%D9%84%D8%B2%D9%87%D8%B1%D8%A7%D8%A1", &["INV-1002"]),
        ("AED+945.50", &["INV-1002"]),
        (&id, &["INV-1001"]),
        ("nothing", &[]),
    ] {
        let page = scene.browser.get(&format!("{LIST}?q={text}")).await;
        assert_eq!(numbers(&page), found, "{text}: {}", page.text());
    }
    // Filters, views and pages keep the text, and the first row is not below nine filters.
    let page = looked_at(&mut scene.browser, "documents-search", &format!("{LIST}?q=oasis")).await;
    assert!(page.body.contains("q=oasis&#38;view=fix"), "{}", page.body);
    assert!(!page.body.contains("<details class=\"fold\" open>"), "{}", page.body);
    let page = scene.browser.get(&format!("{LIST}?q=oasis&type=invoice")).await;
    assert!(page.body.contains("<details class=\"fold\" open>"), "{}", page.body);
    // Another business finds neither.
    let address = "accounts@oasis.example".parse().unwrap();
    let oasis = scene.world.registered("Oasis", "1001234502", &address).await;
    let mut stranger = signed_in(&scene.world, &oasis).await;
    for text in ["INV-10", &id] {
        let page = stranger.get(&format!("{LIST}?q={text}")).await;
        assert_eq!(numbers(&page), [""; 0], "{text}");
    }
}

#[tokio::test]
async fn a_search_reads_a_bounded_number_of_documents_and_says_so() {
    let mut scene = Scene::new().await;
    scene.send("OLD-1", "Oasis Supplies").await;
    scene.world.clock.advance(SignedDuration::from_secs(1));
    for number in 0..READ + 5 {
        scene.send(&format!("INV-{number}"), "Palm Retail").await;
    }
    let page = scene.browser.get(&format!("{LIST}?q=oasis")).await;
    assert_eq!(numbers(&page), [""; 0]);
    assert!(page.text().contains("The search read 120 documents"), "{}", page.text());
    let next = page.attribute("rel=\"next\"", "href");
    let page = scene.browser.get(&next).await;
    assert_eq!(numbers(&page), ["OLD-1"]);
    assert!(!page.body.contains("rel=\"next\""), "{}", page.body);
    // The index of numbers finds an exact number at once, and once only.
    let page = scene.browser.get(&format!("{LIST}?q=OLD-1")).await;
    assert_eq!(numbers(&page), ["OLD-1"]);
    let next = page.attribute("rel=\"next\"", "href");
    assert_eq!(numbers(&scene.browser.get(&next).await), [""; 0]);
    // A cursor is of one search.
    let other = next.replace("q=OLD-1", "q=OLD-2");
    assert_eq!(scene.browser.get(&other).await.status, StatusCode::BAD_REQUEST);
    // In the other order, all documents are on the pages, each once.
    let (mut path, mut listed) = (format!("{LIST}?sort=oldest"), Vec::new());
    let last = loop {
        let page = scene.browser.get(&path).await;
        listed.extend(numbers(&page));
        match page.body.contains("rel=\"next\"") {
            true => path = page.attribute("rel=\"next\"", "href").to_owned(),
            false => break page,
        }
    };
    assert_eq!((listed.len(), &*listed[0]), (READ + 6, "OLD-1"));
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), READ + 6);
    assert!(last.text().contains("Oldest") && path.contains("sort=oldest"), "{path}");
    // A file that has not all documents is named so.
    let file = scene.browser.get(&format!("{LIST}/csv")).await;
    let name = file.header(CONTENT_DISPOSITION);
    assert_eq!(name, "attachment; filename=\"documents-2026-11-20-first-100.csv\"");
    assert_eq!(file.body.lines().count(), 101);
}

#[tokio::test]
async fn views_show_what_is_to_be_fixed_what_was_sent_and_what_waits() {
    let mut scene = Scene::new().await;
    for number in ["A-1", "A-2", "A-3", "A-4"] {
        scene.send(number, "Oasis").await;
        scene.world.clock.advance(SignedDuration::from_secs(1));
    }
    for (view, found) in [
        ("view=sent", &["A-4", "A-3", "A-2", "A-1"][..]),
        ("view=received", &[]),
        ("view=fix", &[]),
        ("view=waiting", &[]),
        ("view=sent&status=sent", &["A-4", "A-3", "A-2", "A-1"]),
        ("view=sent&sort=oldest", &["A-1", "A-2", "A-3", "A-4"]),
        ("view=fix&sort=oldest", &[]),
        ("view=received&direction=outbound", &[]),
        ("issued_to=2026-11-01", &[]),
    ] {
        let page = scene.browser.get(&format!("{LIST}?{view}")).await;
        assert_eq!(numbers(&page), found, "{view}");
    }
    let page = scene.browser.get(&format!("{LIST}?view=sent&sort=issued")).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(numbers(&page).len(), 4);
    assert!(page.body.contains("value=\"issued\" selected"), "{}", page.body);
    // The tab that is shown.
    let tab = page.body.split("<a ").find(|it| it.contains("aria-current=\"page\">Sent")).unwrap();
    assert!(tab.contains("view=sent"), "{tab}");
    change(&scene, "A-1", |it| it.status = Status::Converted).await;
    let page = scene.browser.get(&format!("{LIST}?view=waiting")).await;
    assert_eq!(numbers(&page), ["A-1"]);
    for wrong in ["view=mine", "sort=size"] {
        let page = scene.browser.get(&format!("{LIST}?{wrong}")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn a_list_is_a_file_for_spreadsheets_without_formulas() {
    let mut scene = Scene::new().await;
    scene.send("A-1", "=HYPERLINK(\"http://evil.example\")").await;
    scene.world.clock.advance(SignedDuration::from_secs(1));
    scene.send("A-2", "Oasis, \"the\" شركة").await;
    let page = scene.browser.get(&format!("{LIST}?view=sent")).await;
    assert!(page.body.contains(&format!("href=\"{LIST}/csv?view=sent\"")), "{}", page.body);
    let excel = page.attribute("excel=true", "href");
    let file = scene.browser.get(&format!("{LIST}/csv?view=sent")).await;
    assert_eq!(file.header(CONTENT_TYPE), "text/csv; charset=utf-8; header=present");
    let name = file.header(CONTENT_DISPOSITION);
    assert_eq!(name, "attachment; filename=\"documents-2026-11-20.csv\"");
    let mut read = csv::Reader::from_reader(file.body.as_bytes());
    let column = |name: &str| {
        let headers = csv::Reader::from_reader(file.body.as_bytes()).headers().unwrap().clone();
        headers.iter().position(|it| it == name).unwrap()
    };
    let rows: Vec<_> = read.records().map(Result::unwrap).collect();
    let values =
        |name: &str| rows.iter().map(|row| row[column(name)].to_owned()).collect::<Vec<_>>();
    assert_eq!(values("number"), ["A-2", "A-1"]);
    let amounts = values("total_with_vat").into_iter().map(|it| it.parse().unwrap());
    assert_eq!(amounts.collect::<Vec<Decimal>>(), [Decimal::from(210); 2]);
    let names = ["Oasis, \"the\" شركة", "'=HYPERLINK(\"http://evil.example\")"];
    assert_eq!(values("buyer"), names);
    let excel = scene.browser.get(&excel).await;
    assert_eq!(excel.body, format!("\u{feff}{}", file.body));
    for wrong in ["view=mine", "excel=perhaps"] {
        let refused = scene.browser.get(&format!("{LIST}/csv?{wrong}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let mut nobody = Browser::new(scene.browser.router.clone());
    assert!(nobody.get(&format!("{LIST}/csv")).await.location().starts_with("/sandbox/sign-in?"));
}

#[tokio::test]
async fn a_member_searches_the_documents_of_all_businesses_that_it_may_read() {
    let scene = Scene::new().await;
    let id = scene.send("A-1", "Oasis Supplies").await;
    let long = "Very Long Name of a Business in the United Arab Emirates LLC ".repeat(3);
    for number in 0..45 {
        scene.send(&format!("INV-{number}-OF-A-LONG-SERIES"), long.trim()).await;
    }
    scene.world.stream().await;
    let mut browser = signed_in_member(&scene.world, &scene.caller.organization_id).await;
    let list = "/sandbox/organization/documents";
    let page = looked_at(&mut browser, "organization-documents-all", list).await;
    assert_eq!(numbers(&page).len(), 40);
    assert!(page.text().contains("Falcon Trading LLC"), "{}", page.text());
    let next = page.attribute("rel=\"next\"", "href");
    let page = browser.get(&next).await;
    assert_eq!(numbers(&page).len(), 6);
    let path =
        format!("/sandbox/organization/taxpayers/{}/documents/{id}", scene.falcon.taxpayer_id);
    for (query, found) in
        [("q=supplies", 1), ("q=INV-4", 6), ("view=received", 0), ("view=fix", 0), ("q=none", 0)]
    {
        let page = browser.get(&format!("{list}?{query}")).await;
        assert_eq!(numbers(&page).len(), found, "{query}: {}", page.text());
    }
    let page = browser.get(&format!("{list}?q=supplies")).await;
    assert!(page.body.contains(&format!("href=\"{path}\"")), "{}", page.body);
    let file = browser.get(&format!("{list}/csv?q=supplies")).await;
    assert!(file.body.contains("\r\nA-1,invoice,outbound,sent,"), "{}", file.body);
    let file = browser.get(&format!("{list}/csv")).await;
    assert_eq!(file.body.lines().count(), 47);
    let of_one =
        format!("/sandbox/organization/taxpayers/{}/documents/csv", scene.falcon.taxpayer_id);
    assert_eq!(browser.get(&of_one).await.body.lines().count(), 47);
    // Another organization finds none of them, and one without a right to read has no file.
    let other = scene.world.organization("Other").await;
    let mut other_member = Browser { cookies: BTreeMap::new(), ..browser.clone() };
    assert!(other_member.get(list).await.location().starts_with("/sandbox/sign-in?"));
    scene.world.grant(&other, &scene.falcon, &[Scope::TaxpayerRead]).await;
    let all = Search::default();
    let theirs = overview::search(&scene.world.ctx, Mode::Sandbox, &other, &all, (None, 40)).await;
    assert_eq!(theirs.unwrap().documents, []);
}

#[tokio::test]
async fn a_member_saves_views_that_nobody_else_has() {
    let scene = Scene::new().await;
    scene.send("A-1", "Oasis Supplies").await;
    scene.world.stream().await;
    let organization_id = &scene.caller.organization_id;
    let mut browser = signed_in_member(&scene.world, organization_id).await;
    let (list, views) =
        ("/sandbox/organization/documents", "/sandbox/organization/documents/views");
    let of_one = format!("/sandbox/organization/taxpayers/{}/documents", scene.falcon.taxpayer_id);
    let page = browser.get(list).await;
    assert!(!page.text().contains("Save this view"), "there is nothing to save yet");
    let page = browser.get(&format!("{list}?q=oasis&view=sent")).await;
    assert!(page.text().contains("Save this view"), "{}", page.text());
    let form = |page: &Given, name: &str, button: &str| {
        let mut fields = page.hidden(views);
        fields.retain(|(field, _)| field != "name");
        fields.extend([("name".to_owned(), name.to_owned()), ("do".to_owned(), button.to_owned())]);
        fields
    };
    let saved = form(&page, " Oasis <b> ", "save");
    let saved: Vec<_> = saved.iter().map(|(name, value)| (&**name, &**value)).collect();
    let shown = browser.post(views, &saved).await;
    assert_eq!(shown.location(), format!("{list}?q=oasis&view=sent"));
    // The view is a tab in the lists of all businesses and of one, and the only one that is shown.
    for list in [list, &of_one] {
        let page = browser.get(&format!("{list}?q=oasis&view=sent")).await;
        let tab = format!("href=\"{list}?q=oasis&#38;view=sent\" aria-current=\"page\"><bdi>Oasis");
        assert!(page.body.contains(&tab), "{}", page.body);
        let tabs = page.body.split("<nav class=\"tabs\"").nth(1).unwrap();
        let tabs = tabs.split("</nav>").next().unwrap();
        assert_eq!(tabs.matches("aria-current=\"page\"").count(), 1, "{tabs}");
        assert!(
            !page.text().contains("Save this view") && page.text().contains("Delete this view")
        );
    }
    // Another member has no such view, and conditions that no list has are not saved.
    let mut other = signed_in_member_as(&scene.world, organization_id, "other@books.example").await;
    let page = other.get(&format!("{list}?q=oasis&view=sent")).await;
    assert!(page.text().contains("Save this view"), "{}", page.text());
    let query = [("query", "q=a&cursor=x&evil=1"), ("name", "A"), ("do", "save")];
    let token = saved.iter().find(|(name, _)| *name == "form_token").copied().unwrap();
    let taxpayer = ("taxpayer", scene.falcon.taxpayer_id.as_str());
    let shown = browser.post(views, &[&[token, taxpayer], &query[..]].concat()).await;
    assert_eq!(shown.location(), format!("{of_one}?q=a"));
    for (name, conditions) in [("", "q=a"), ("A", ""), (&*"A".repeat(41), "q=a")] {
        let fields = [token, ("name", name), ("query", conditions), ("do", "save")];
        assert_eq!(browser.post(views, &fields).await.status, StatusCode::BAD_REQUEST, "{name}");
    }
    for number in 0..MAX_VIEWS {
        let (name, query) = (format!("V{number}"), format!("q={number}"));
        let fields = [token, ("name", &*name), ("query", &*query), ("do", "save")];
        let status = browser.post(views, &fields).await.status;
        let expected =
            if number + 2 < MAX_VIEWS { StatusCode::SEE_OTHER } else { StatusCode::BAD_REQUEST };
        assert_eq!(status, expected, "{number}");
    }
    // It is deleted, and is gone with the member.
    let page = browser.get(&format!("{list}?q=oasis&view=sent")).await;
    let fields = form(&page, "Oasis <b>", "delete");
    let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(browser.post(views, &fields).await.location(), list);
    let page = browser.get(&format!("{list}?q=oasis&view=sent")).await;
    assert!(page.text().contains("Save this view"), "{}", page.text());
    assert_eq!(scene.world.items::<SavedViews>("VIEWS#").await.len(), 1);
}

#[cfg(feature = "pdf")]
#[tokio::test]
async fn the_pdfs_of_a_page_are_one_file_named_by_kind_and_number() {
    let mut scene = Scene::new().await;
    for number in ["A-1", "A-2"] {
        scene.send(number, "Oasis").await;
    }
    let address = "accounts@oasis.example".parse().unwrap();
    let oasis = scene.world.registered("Oasis", "1001234502", &address).await;
    let pages = crate::pages::documents::printed(Router::new());
    let router = router(app(&scene.world), pages);
    let mut stranger = signed_in(&scene.world, &oasis).await;
    (scene.browser.router, stranger.router) = (router.clone(), router);
    let page = scene.browser.get(LIST).await;
    let link = page.attribute("/pdfs?ids=", "href");
    assert!(page.text().contains("PDFs of the first 2 documents here (ZIP)"), "{}", page.text());
    let zip = scene.browser.get(&link).await;
    assert_eq!(zip.header(CONTENT_TYPE), "application/zip");
    let name = zip.header(CONTENT_DISPOSITION);
    assert_eq!(name, "attachment; filename=\"documents-2026-11-20.zip\"");
    assert!(zip.body.starts_with("PK"));
    for name in ["Tax-Invoice-A-1.pdf", "Tax-Invoice-A-2.pdf"] {
        // In its place, and in the directory.
        assert_eq!(zip.body.matches(name).count(), 2, "{name}");
    }
    // Nobody gets documents of others, too many at once, or none.
    assert_eq!(stranger.get(&link).await.status, StatusCode::NOT_FOUND);
    let id = link.split_once("ids=").unwrap().1.split(',').next().unwrap();
    let many = vec![id; 26].join(",");
    for wrong in ["", "?ids=", "?ids=x", &format!("?ids={many}")] {
        let refused = scene.browser.get(&format!("{LIST}/pdfs{wrong}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    change(&scene, "A-1", |it| it.ubl.as_mut().unwrap().bytes = 1_000_001).await;
    assert_eq!(scene.browser.get(&link).await.status, StatusCode::BAD_REQUEST);
    let page = scene.browser.get(LIST).await;
    assert!(page.text().contains("PDF of the first document here (ZIP)"), "{}", page.text());
}
