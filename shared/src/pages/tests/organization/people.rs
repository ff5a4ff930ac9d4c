//! Members of an organization, and their modes and sessions.

use super::*;

#[tokio::test]
async fn an_owner_says_who_is_a_member() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Owner).await;
    let page = browser.get("/sandbox/organization/members").await;
    let invite = "/sandbox/organization/members/invite";
    for (email, role, problem) in [
        ("nobody", "viewer", "Enter an e-mail address"),
        ("eve@integrator.example", "king", "Select a role"),
        ("viewer@integrator.example", "owner", "already belongs to a member"),
    ] {
        let refused = browser.submit(&page, invite, &[("email", email), ("role", role)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.text().contains(problem), "{email}: {}", refused.text());
    }
    let fields = [("email", "Eve@Integrator.example"), ("role", "viewer")];
    let invited = browser.submit(&page, invite, &fields).await;
    let page = browser.get(invited.location()).await;
    assert!(page.text().contains("The invitation was sent."), "{}", page.text());
    assert!(page.text().contains("eve@integrator.example") && page.text().contains("Invited on"));
    let owner = scene.member(Role::Owner).await;
    let token = page.hidden("/sandbox/sign-out").swap_remove(0).1;
    let fields =
        [("form_token", token.as_str()), ("member", owner.member_id.as_str()), ("role", "viewer")];
    for action in ["role", "remove"] {
        let refused =
            browser.post(&format!("/sandbox/organization/members/{action}"), &fields).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.text().contains("Your organization needs an owner"), "{action}");
    }
    let viewer = scene.member(Role::Viewer).await;
    let fields = [
        ("form_token", token.as_str()),
        ("member", viewer.member_id.as_str()),
        ("role", "developer"),
    ];
    let changed = browser.post("/sandbox/organization/members/role", &fields).await;
    assert_eq!(changed.location(), "/sandbox/organization/members?done=changed");
    assert_eq!(scene.member(Role::Viewer).await.role, Role::Developer);
    let removed = browser.post("/sandbox/organization/members/remove", &fields).await;
    assert_eq!(removed.location(), "/sandbox/organization/members?done=removed");
    let page = browser.get("/sandbox/organization/members").await;
    assert!(!page.text().contains("viewer@integrator.example"));
}

#[tokio::test]
async fn a_member_goes_from_one_mode_to_the_other_where_the_organization_is_in_both() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Viewer).await;
    let page = browser.get("/sandbox/organization").await;
    let switch = "/sandbox/organization/switch";
    let none = browser.submit(&page, switch, &[]).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    assert!(none.text().contains("Your organization is not set up in that mode"));
    let operator = crate::access::By::operator();
    let made = organizations::create_as(
        &scene.world.ctx,
        Mode::Live,
        scene.id.clone(),
        "Integrator",
        &operator,
    );
    made.await.unwrap();
    let there = browser.submit(&page, switch, &[]).await;
    assert_eq!(there.location(), "/organization");
    let page = browser.get("/organization").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains("Integrator"));
    assert_eq!(browser.get("/sandbox/organization").await.status, StatusCode::OK, "both stand");
}

#[tokio::test]
async fn a_member_sees_where_it_is_signed_in_and_ends_that() {
    let scene = Scene::new().await;
    let mut office = scene.browser(Role::Viewer).await;
    let mut home = scene.browser(Role::Viewer).await;
    let mut other = scene.browser(Role::Developer).await;
    let page = home.get("/sandbox/organization/sessions").await;
    assert_eq!(page.body.matches("sessions/end").count(), 1, "its own two alone: {}", page.text());
    let ended = home.submit(&page, "/sandbox/organization/sessions/end", &[]).await;
    assert_eq!(ended.location(), "/sandbox/organization/sessions?done=ended");
    assert_eq!(office.get("/sandbox/organization").await.status, StatusCode::SEE_OTHER);
    // A member cannot end the session of another member.
    let mut again = scene.browser(Role::Viewer).await;
    let page = home.get("/sandbox/organization/sessions").await;
    let theirs = page.hidden("/sandbox/organization/sessions/end");
    let session = &theirs.iter().find(|(name, _)| name == "session").unwrap().1;
    let page = other.get("/sandbox/organization/sessions").await;
    let token = page.hidden("/sandbox/sign-out").swap_remove(0).1;
    let fields = [("form_token", token.as_str()), ("session", session.as_str())];
    other.post("/sandbox/organization/sessions/end", &fields).await;
    assert_eq!(again.get("/sandbox/organization").await.status, StatusCode::OK);
    // Signing out everywhere ends all sessions.
    let page = home.get("/sandbox/organization/sessions").await;
    home.submit(&page, "/sandbox/sign-out-everywhere", &[]).await;
    assert_eq!(again.get("/sandbox/organization").await.status, StatusCode::SEE_OTHER);
    assert_eq!(other.get("/sandbox/organization").await.status, StatusCode::OK);
}
