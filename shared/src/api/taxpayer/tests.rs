use super::*;
use crate::error::Code;

fn patch_of(json: &Value) -> Patch {
    read(json.to_string().as_bytes()).unwrap()
}

#[test]
fn a_patch_says_what_stays_what_goes_and_what_becomes_otherwise() {
    use serde_json::json;
    assert_eq!(patch_of(&json!({})), Patch::default());
    let patch = patch_of(&json!({
        "metadata": {"erp": "7", "old": null},
        "settings": {"language": "ar", "mls_to": null},
    }));
    let pairs = [("erp".to_owned(), Some("7".to_owned())), ("old".to_owned(), None)];
    assert_eq!(patch.metadata, MetadataPatch::Merge(pairs.into()));
    let expected = SettingsPatch { language: Some(Language::Arabic), mls_to: Some(None) };
    assert_eq!(patch.settings, expected);
    let cleared = patch_of(&json!({"metadata": null, "settings": null}));
    assert_eq!(cleared.metadata, MetadataPatch::Clear);
    assert_eq!(cleared.settings, SettingsPatch::to_defaults());
    let language = patch_of(&json!({"settings": {"language": null}})).settings.language;
    assert_eq!(language, Some(Language::English));
}

#[test]
fn every_mistake_in_a_patch_is_named_with_its_place() {
    use serde_json::json;
    for (body, expected) in [
        (json!([]), vec![("", "AP-JSON-type")]),
        (json!({"name": "x"}), vec![("/name", "AP-JSON-unknown-field")]),
        (json!({"a/b~c": 1}), vec![("/a~1b~0c", "AP-JSON-unknown-field")]),
        (json!({"metadata": "x"}), vec![("/metadata", "AP-JSON-type")]),
        (json!({"metadata": {"k/": 7}}), vec![("/metadata/k~1", "AP-JSON-type")]),
        (json!({"settings": []}), vec![("/settings", "AP-JSON-type")]),
        (json!({"settings": {"tone": "x"}}), vec![("/settings/tone", "AP-JSON-unknown-field")]),
        (json!({"settings": {"language": "fr"}}), vec![("/settings/language", "AP-JSON-code")]),
        (json!({"settings": {"language": 1}}), vec![("/settings/language", "AP-JSON-type")]),
        (
            json!({"settings": {"mls_to": "0235:1001234501", "notification_email": null}}),
            vec![
                ("/settings/mls_to", "AP-JSON-pattern"),
                ("/settings/notification_email", "AP-SETTINGS-owner"),
            ],
        ),
        (json!({"settings": {"mls_to": "000306"}}), vec![("/settings/mls_to", "AP-JSON-pattern")]),
        (json!({"settings": {"mls_to": "0242:3"}}), vec![("/settings/mls_to", "AP-JSON-pattern")]),
    ] {
        let failure = read(body.to_string().as_bytes()).unwrap_err();
        assert_eq!(failure.code, Code::ValidationFailed, "{body}");
        let found: Vec<_> =
            failure.findings.iter().map(|f| (f.pointer.as_str(), f.rule.as_ref())).collect();
        assert_eq!(found, expected, "{body}");
    }
    assert_eq!(read(b"{").unwrap_err().code, Code::MalformedJson);
}
