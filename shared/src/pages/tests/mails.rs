//! Mails: their content, their limits, and their stored traces.

use jiff::SignedDuration;
use tracing::Level;

use super::{
    sign_in::{Scene, address, ask, link_in},
    *,
};
use crate::{
    log::testing::Log,
    service::{
        job,
        sign_in::{BY_ADDRESS, BY_PLACE, MAIL_USEFUL},
        sweep,
    },
    store::MailStatus,
    testing::{Fault, Faults},
    types::{Brand, Colour, contrast},
};

#[tokio::test]
async fn an_address_gets_so_many_mails_and_no_more() {
    let scene = Scene::new().await;
    for number in 0..=BY_ADDRESS.most {
        let mut browser = Browser { address: [192, 0, 2, number as u8], ..scene.stranger() };
        let answer = ask(&mut browser, "/sandbox/sign-in", address().as_str()).await;
        if number < BY_ADDRESS.most {
            assert_eq!(answer.status, StatusCode::SEE_OTHER);
            continue;
        }
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(answer.header("retry-after"), "900");
        assert!(answer.text().contains("Please try again in 15 minutes."), "{}", answer.text());
    }
    assert_eq!(scene.mails().await.len(), BY_ADDRESS.most as usize);
    scene.world.clock.advance(BY_ADDRESS.window);
    let answer = ask(&mut scene.stranger(), "/sandbox/sign-in", address().as_str()).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_place_asks_for_so_many_mails_and_no_more() {
    let scene = Scene::new().await;
    let mut browser = scene.stranger();
    for number in 0..BY_PLACE.most {
        let answer = ask(&mut browser, "/sandbox/sign-in", &format!("a{number}@x.example")).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    }
    let answer = ask(&mut browser, "/sandbox/sign-in", address().as_str()).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    let mut elsewhere = Browser { address: [192, 0, 2, 2], ..scene.stranger() };
    let answer = ask(&mut elsewhere, "/sandbox/sign-in", address().as_str()).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "the address was not charged for it");
    let place = |text: &str| crate::store::place(text.parse().ok());
    assert_eq!(place("2001:db8:1:2:3::4"), place("2001:db8:1:2:ffff::1"));
    assert_ne!(place("2001:db8:1:2::1"), place("2001:db8:1:3::1"));
    assert_eq!(place("::ffff:192.0.2.1"), place("192.0.2.1"));
}

#[tokio::test]
async fn what_is_no_address_is_said_beside_the_field() {
    let mut scene = Scene::new().await;
    for email in ["", "falcon", "a@b", "a@example.com\r\nBcc: b@example.com", "\"><script>"] {
        let answer = ask(&mut scene.browser, "/sandbox/sign-in", email).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.body.contains("aria-invalid=\"true\"") && !answer.body.contains("<script>"));
        assert!(answer.text().contains("Enter an e-mail address, such as"));
    }
    assert!(scene.world.raw_items("MAIL").await.is_empty());
}

#[tokio::test]
async fn mails_are_written_in_the_language_that_was_asked_in() {
    let mut scene = Scene::new().await;
    scene.browser.language = "ar";
    ask(&mut scene.browser, "/sandbox/sign-in", address().as_str()).await;
    let [mail] = scene.mails().await.try_into().unwrap();
    assert_eq!(mail.subject, "رابط تسجيل الدخول (البيئة التجريبية)");
    assert!(mail.html.contains("<html lang=\"ar\" dir=\"rtl\">"));
    assert!(mail.text.contains("15"), "{}", mail.text);
}

#[tokio::test]
async fn mails_have_the_name_and_the_colour_of_the_service() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    scene.press(&link).await;
    let path = "/sandbox/account/settings";
    let page = scene.browser.get(path).await;
    let fields = [("language", "ar"), ("email", "other@falcon.example")];
    scene.browser.submit(&page, path, &fields).await.location();
    ask(&mut scene.stranger(), "/sandbox/sign-in", address().as_str()).await;
    scene.world.stream().await;
    let name = Some("Falcon e-Invoicing".to_owned());
    // Too light for white letters.
    let accent = "#f5c400".parse().unwrap();
    let brand = Brand { name, accent, ..Brand::default() };
    let mailing = crate::service::Mailing { brand, ..scene.world.mailing(ORIGIN) };
    scene.world.run("mail", &mailing).await;
    let mails = scene.world.cloud.mails();
    assert_eq!(mails.len(), 2);
    for mail in mails {
        assert!(mail.text.contains("Falcon e-Invoicing"), "{}", mail.text);
        assert!(mail.html.contains("Falcon e-Invoicing</p>"), "{}", mail.html);
        let ground = mail.html.split_once("border-radius: 8px; background: ").unwrap().1;
        let ground: Colour = ground[..7].parse().unwrap();
        assert!(ground != accent && contrast(ground, Colour([0xff; 3])) >= 4.5, "{ground}");
        // Nothing in it is fetched from elsewhere, which would tell the sender who reads.
        assert!(!mail.html.contains("<img") && !mail.html.contains("url("), "{}", mail.html);
    }
}

#[tokio::test]
async fn a_mail_that_is_sent_twice_leaves_no_dead_link_and_one_sign_in() {
    let mut scene = Scene::new().await;
    ask(&mut scene.browser, "/sandbox/sign-in", address().as_str()).await;
    scene.world.stream().await;
    let message = scene.world.cloud.receive("mail").remove(0);
    // The mail is sent, and then no write succeeds, so the outcome is not recorded.
    let failing = scene.world.failing(&Faults::new(Fault::Before, 6, usize::MAX));
    let mailing =
        crate::service::Mailing { ctx: failing.sending.ctx, ..scene.world.mailing(ORIGIN) };
    job::run(&mailing, &message.read()).await.unwrap_err();
    let first = scene.world.cloud.mails();
    assert_eq!(first.len(), 1);
    scene.world.clock.advance(SignedDuration::from_mins(2));
    sweep::sweep(&scene.world.relaying).await;
    let second = scene.mails().await;
    let (first, second) = (link_in(&first[0]), link_in(&second[0]));
    assert_ne!(first, second);
    assert_eq!(scene.browser.get(&second).await.status, StatusCode::OK);
    scene.press(&first).await;
    assert!(scene.is_signed_in().await);
    assert_eq!(scene.browser.get(&second).await.status, StatusCode::GONE);
}

#[tokio::test]
async fn a_mail_service_that_is_down_is_asked_again_and_nobody_after_it_is_too_late() {
    let mut scene = Scene::new().await;
    ask(&mut scene.browser, "/sandbox/sign-in", address().as_str()).await;
    scene.world.cloud.refuse_mail("TooManyRequestsException");
    scene.world.cloud.refuse_mail("TooManyRequestsException");
    scene.world.cloud.refuse_mail("TooManyRequestsException");
    assert!(scene.mails().await.is_empty());
    scene.world.clock.advance(SignedDuration::from_mins(2));
    sweep::sweep(&scene.world.relaying).await;
    assert_eq!(scene.mails().await.len(), 1);
    // A permanently refused mail is parked; its reason does not contain the address.
    ask(&mut scene.browser, "/sandbox/sign-in", address().as_str()).await;
    scene.world.cloud.refuse_mail("MessageRejected");
    assert!(scene.mails().await.is_empty());
    assert_eq!(scene.world.parked().await, 1);
    let parked = scene.world.raw_items("MAIL").await;
    assert!(
        !format!("{:?}", parked.iter().map(|item| item.get("parked")).collect::<Vec<_>>())
            .contains('@')
    );
    // A mail that is too late is not sent.
    ask(&mut scene.browser, "/sandbox/sign-in", address().as_str()).await;
    scene.world.clock.advance(MAIL_USEFUL);
    assert!(scene.mails().await.is_empty());
    let statuses: Vec<_> = scene
        .world
        .raw_items("MAIL")
        .await
        .iter()
        .map(|item| item["status"].as_s().unwrap().clone())
        .collect();
    assert!(statuses.contains(&MailStatus::Dropped.as_str().to_owned()), "{statuses:?}");
}

#[tokio::test]
async fn no_token_or_address_is_logged_and_no_token_is_at_rest() {
    let log = Log::start(Level::INFO);
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    let mut thief = scene.stranger();
    assert_eq!(thief.get(&link).await.status, StatusCode::FORBIDDEN);
    scene.press(&link).await;
    assert!(scene.is_signed_in().await);
    ask(&mut scene.browser, "/sandbox/sign-in", "nobody@nowhere.example").await;
    scene.world.cloud.refuse_mail("MessageRejected");
    ask(&mut scene.browser, "/sandbox/sign-in", address().as_str()).await;
    assert!(scene.mails().await.is_empty());
    let logged = log.text();
    drop(log);
    for line in [
        "request answered",
        "a mail was handed to the mail service",
        "no account has the address",
        "was parked",
    ] {
        assert!(logged.contains(line), "{line} is not in {logged}");
    }
    let everything = format!("{:?}", scene.world.raw_items("").await);
    let token = link.split_once("token=").unwrap().1.to_owned();
    let secrets: Vec<_> = scene.browser.cookies.values().cloned().chain([token]).collect();
    assert_eq!(secrets.len(), 3, "the browser's, the session's, the link's");
    for secret in secrets {
        assert!(!everything.contains(&secret) && !logged.contains(&secret), "{secret}");
    }
    for address in [address().as_str(), "nobody@nowhere.example", "192.0.2.1"] {
        assert!(!logged.contains(address), "{address}");
    }
}

/// A change of the address for notices is never silent, and cannot be used to send mails to arbitrary people.
#[tokio::test]
async fn another_address_for_notices_is_told_to_the_registered_and_to_the_previous_one() {
    let mut scene = Scene::new().await;
    let link = scene.link().await;
    scene.press(&link).await;
    scene.mails().await;
    let path = "/sandbox/account/settings";
    let page = scene.browser.get(path).await;
    let registered = address().as_str().to_owned();
    let mut before: Vec<String> = Vec::new();
    for next in ["first@falcon.example", "second@falcon.example", "", registered.as_str()] {
        let saved = scene.browser.submit(&page, path, &[("language", "en"), ("email", next)]).await;
        assert_eq!(saved.location(), "/sandbox/account/settings?done=saved");
        let mails = scene.mails().await;
        let mut to: Vec<_> = mails.iter().map(|mail| mail.to.clone()).collect();
        to.sort();
        let mut expected: Vec<_> = [registered.clone()].into_iter().chain(before.clone()).collect();
        expected.sort();
        assert_eq!(to, expected, "{next:?}");
        for mail in &mails {
            assert!(mail.subject.contains("The address for notices was changed"));
            assert!(mail.text.contains("https://portal.example.com/sandbox/account/settings"));
            assert!(mail.html.contains("dir=\"rtl\""), "in both languages");
        }
        before =
            Some(next).filter(|next| !next.is_empty()).map(str::to_owned).into_iter().collect();
    }
    // A change of only the language sends no mail.
    let fields = [("language", "ar"), ("email", registered.as_str())];
    scene.browser.submit(&page, path, &fields).await.location();
    assert!(scene.mails().await.is_empty());
    let fifth = [("language", "ar"), ("email", "")];
    scene.browser.submit(&page, path, &fifth).await.location();
    let sixth = [("language", "ar"), ("email", "victim@elsewhere.example")];
    let refused = scene.browser.submit(&page, path, &sixth).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
}
