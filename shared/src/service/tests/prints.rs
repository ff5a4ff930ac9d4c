//! PDFs of documents that are long enough to be kept.

use crate::{
    document::Operation::Invoice,
    i18n::Language,
    rendering::Languages,
    service::documents::{self, Stored, ViewChoice},
    store::PayloadMethod,
    testing::{World, invoice, send},
};

#[tokio::test]
async fn a_long_pdf_is_made_once_for_each_choice_and_a_short_one_is_not_kept() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let both = ViewChoice { languages: Languages::Both, annex: false };
    let printed = async |document_id: &str, choice: ViewChoice| {
        let (reading, reader, get) = (world.sending.reading(), caller.reader(), PayloadMethod::Get);
        let made = documents::pdf(&reading, reader, document_id, usize::MAX, get, choice).await;
        match made.unwrap().stored {
            Stored::Here(pdf) => pdf,
            Stored::Elsewhere(address) => panic!("{address}"),
        }
    };
    let kept = || {
        let objects = world.cloud.objects().into_iter();
        objects.filter(|key| key.contains("/prints/")).collect::<Vec<_>>()
    };

    let short = invoice("A-1", "1009999901");
    let sent = send(&world.sending, &caller, Invoice, &short, None).await.unwrap();
    assert!(printed(sent.document_id.as_str(), both).await.starts_with(b"%PDF"));
    assert_eq!(kept(), [""; 0]);

    let mut long = invoice("A-2", "1009999901");
    let line = long["line_items"][0].clone();
    long["line_items"] = vec![line; 18].into();
    let sent = send(&world.sending, &caller, Invoice, &long, None).await.unwrap();
    let id = sent.document_id.as_str();
    let pdf = printed(id, both).await;
    let [key] = &kept()[..] else { panic!("{:?}", kept()) };
    assert!(key.contains(&format!("/prints/sandbox/{}/{id}/", caller.taxpayer.taxpayer_id)));
    // What is kept is what the next reader gets.
    let spoilt = [&pdf[..], b"%kept"].concat();
    world.cloud.set_object(key, Some(spoilt.clone()));
    assert_eq!(printed(id, both).await, spoilt);
    // Another choice is another PDF.
    let english = ViewChoice { languages: Languages::One(Language::English), ..both };
    assert_ne!(printed(id, english).await, spoilt);
    assert_eq!(kept().len(), 2);
    // After a day it is made again, and is the same.
    world.cloud.set_object(key, None);
    assert!(printed(id, both).await == pdf);
    // A bucket that takes nothing keeps no PDF back.
    world.cloud.set_object(key, None);
    world.cloud.refuse_objects(&[".pdf"]);
    assert!(printed(id, both).await == pdf);
    assert_eq!(kept().len(), 1);
}
