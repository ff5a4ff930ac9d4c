//! The pages in a real browser, headless Chromium by its driver (W3C WebDriver): they work over loopback with cookies
//! as they are, without scripts, by the keyboard, in both languages, light and dark, on a telephone. Debian's packages
//! `chromium` and `chromium-driver` have both; without them this is skipped, and says so.
//!
//! Screenshots are left in `.local/pages`.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    process::{Child, Command},
};

use super::{
    sign_in::{Scene, address, link_in},
    *,
};

const SCREENSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.local/pages");
/// How a reference to an element is named (WebDriver, section 11).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";

/// A browser and its driver.
struct Chromium {
    driver: Child,
    port: u16,
    session: String,
}

impl Chromium {
    /// Starts both; none where they are not installed.
    async fn start() -> Option<Chromium> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next_line().await.unwrap()?;
            let port = line.split_once("on port ").and_then(|(_, port)| port.strip_suffix('.'));
            if let Some(port) = port.and_then(|port| port.parse().ok()) {
                break port;
            }
        };
        // Whatever it says later is read, or it would wait for a reader.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let mut chromium = Chromium { driver, port, session: String::new() };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let session = chromium.call("POST", "/session", &wanted).await;
        chromium.session = format!("/session/{}", session["sessionId"].as_str().unwrap());
        Some(chromium)
    }

    /// A command of WebDriver; gives its value, which must not be an error.
    async fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.try_call(method, path, body).await;
        assert!(value["error"].is_null(), "{path}: {value}");
        value
    }

    async fn try_call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}",
            self.port
        );
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).await.unwrap();
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).await.unwrap();
        let mut answer: Value = serde_json::from_slice(&answer).unwrap();
        answer["value"].take()
    }

    async fn post(&self, command: &str, body: Value) -> Value {
        self.call("POST", &format!("{}/{command}", self.session), &body).await
    }

    async fn get(&self, command: &str) -> Value {
        self.call("GET", &format!("{}/{command}", self.session), &json!({})).await
    }

    async fn open(&self, url: &str) {
        self.post("url", json!({"url": url})).await;
    }

    /// What a protocol of the browser's own changes.
    async fn set(&self, command: &str, parameters: Value) {
        self.post("goog/cdp/execute", json!({"cmd": command, "params": parameters})).await;
    }

    /// The text of the page; nothing of one that is just being left for another.
    async fn text(&self) -> String {
        let script = json!({"script": "return document.body.innerText", "args": []});
        let text = self.try_call("POST", &format!("{}/execute/sync", self.session), &script).await;
        text.as_str().unwrap_or_default().replace(['\u{2068}', '\u{2069}'], "")
    }

    async fn element(&self, selector: &str) -> String {
        let found = self.post("element", json!({"using": "css selector", "value": selector})).await;
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    async fn click(&self, selector: &str) {
        let element = self.element(selector).await;
        self.post(&format!("element/{element}/click"), json!({})).await;
    }

    /// Presses keys, wherever the focus is.
    async fn press(&self, keys: &str) {
        let strokes: Vec<_> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key})))
            .collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": strokes});
        self.post("actions", json!({"actions": [keyboard]})).await;
    }

    async fn focused(&self, attribute: &str) -> String {
        let active = self.get("element/active").await;
        let active = active[ELEMENT].as_str().unwrap().to_owned();
        let value = self.get(&format!("element/{active}/attribute/{attribute}")).await;
        value.as_str().unwrap_or_default().to_owned()
    }

    async fn run(&self, script: &str) -> Value {
        self.post("execute/sync", json!({"script": script, "args": []})).await
    }

    /// Looks at the page: nothing to scroll sideways, and a screenshot for people.
    async fn look(&self, name: &str) {
        let wide =
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(self.run(wide).await, json!(0), "{name} is too wide");
        let picture = self.get("screenshot").await;
        let picture = STANDARD.decode(picture.as_str().unwrap()).unwrap();
        std::fs::write(PathBuf::from(SCREENSHOTS).join(format!("{name}.png")), picture).unwrap();
    }

    async fn size(&self, width: u32, height: u32) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.set("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    async fn scheme(&self, scheme: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.set("Emulation.setEmulatedMedia", features).await;
    }

    /// What the browser complained of: scripts, policies, requests.
    async fn complaints(&self) -> Vec<String> {
        let log = self.post("se/log", json!({"type": "browser"})).await;
        log.as_array().unwrap().iter().map(ToString::to_string).collect()
    }

    async fn stop(mut self) {
        self.call("DELETE", &self.session, &json!({})).await;
        let _: Result<(), _> = self.driver.kill().await;
    }
}

/// Serves the pages on loopback; gives their origin.
async fn serve(world: &World) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let origin = format!("http://localhost:{}", listener.local_addr().unwrap().port());
    let ctx = world.ctx.clone();
    let portal = Portal { ctx, origin: origin.clone(), national_portal: None };
    let router = router(Arc::new(portal), Router::new());
    tokio::spawn(async move { axum::serve(listener, router).await });
    origin
}

#[tokio::test]
#[expect(clippy::print_stderr, reason = "who runs the tests is to see what was not tested")]
async fn somebody_signs_in_with_a_real_browser() {
    let Some(chromium) = Chromium::start().await else {
        eprintln!(
            "!!! THE PAGES WERE NOT LOOKED AT IN A BROWSER: install chromium and chromium-driver !!!"
        );
        return;
    };
    std::fs::create_dir_all(Path::new(SCREENSHOTS)).unwrap();
    let scene = Scene::new().await;
    let origin = serve(&scene.world).await;
    for (name, path, scheme, width) in [
        ("sign-in-light", "/sign-in?lang=en", "light", 1_440),
        ("sign-in-dark", "/sign-in?lang=en", "dark", 1_440),
        ("sign-in-360", "/sandbox/sign-in?lang=en", "light", 360),
        ("sign-in-320", "/sandbox/sign-in?lang=ar", "light", 320),
        ("sign-in-arabic", "/sandbox/sign-in?lang=ar", "light", 1_440),
        ("sign-in-arabic-360-dark", "/sandbox/sign-in?lang=ar", "dark", 360),
        ("not-found", "/nothing?lang=en", "light", 1_440),
        ("link-gone-arabic", "/sign-in/confirm?lang=ar", "dark", 1_440),
    ] {
        chromium.scheme(scheme).await;
        chromium.size(width, 800).await;
        chromium.open(&format!("{origin}{path}")).await;
        chromium.look(name).await;
    }
    // Pages that are errors by their status are noted as such; nothing else may be.
    let complaints = chromium.complaints().await;
    let complaints: Vec<_> =
        complaints.iter().filter(|it| !it.contains("404") && !it.contains("410")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");

    // By the keyboard alone, and without scripts.
    chromium.set("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    chromium.scheme("light").await;
    chromium.size(1_024, 800).await;
    chromium.open(&format!("{origin}/sandbox/sign-in?lang=en")).await;
    chromium.press(TAB).await;
    assert_eq!(chromium.focused("class").await, "skip");
    chromium.look("skip-link").await;
    chromium.press(ENTER).await;
    chromium.press(TAB).await;
    assert_eq!(chromium.focused("id").await, "email", "the skip link leads past the bar");
    chromium.press(address().as_str()).await;
    chromium.press(TAB).await;
    chromium.look("focus").await;
    chromium.press(ENTER).await;
    wait_for(&chromium, "Look into your mailbox").await;
    chromium.look("sent").await;
    let link = link_in(&scene.mails().await.pop().unwrap());
    chromium.open(&format!("{origin}{link}")).await;
    chromium.look("confirm").await;
    chromium.click("main button").await;
    wait_for(&chromium, "Signed in as Falcon Trading LLC").await;
    chromium.look("account").await;
    chromium.click("header button").await;
    wait_for(&chromium, "You are signed out").await;
    chromium.open(&format!("{origin}{link}")).await;
    wait_for(&chromium, "This link does not work any more").await;
    chromium.stop().await;
}

async fn wait_for(chromium: &Chromium, text: &str) {
    for _ in 0..100 {
        if chromium.text().await.contains(text) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no {text:?} in {}", chromium.text().await);
}
