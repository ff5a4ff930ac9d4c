// What the documentation is better with and can be read without: a search, the reader's language and Sandbox key, and
// requests that are tried.
"use strict";

// What API keys of Sandbox begin with; a test compares it with the service.
const SANDBOX = "pk_test_";
// The names under which the browser keeps the reader's values. The page of API keys uses the first (portal.js).
const KEY = "docs-key";
const TAXPAYER = "docs-taxpayer";
const LANGUAGE = "docs-language";

// Without storage, as in some private windows, nothing is kept.
const kept = (storage, name) => {
  try {
    return window[storage].getItem(name) || "";
  } catch {
    return "";
  }
};
const keep = (storage, name, value) => {
  try {
    value ? window[storage].setItem(name, value) : window[storage].removeItem(name);
  } catch {
    // The page works without it.
  }
};

// A link to an id of the index of rules leads to the page of that rule.
const aim = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.matches(".ids > a")) {
    location.replace(target.href);
  }
  // A link to a field of a large object leads on to the object's page.
  const id = location.hash.slice(1);
  const object = !target && [...document.querySelectorAll(".tree a[href]")].find((link) => id.startsWith(`${link.pathname.split("/").pop()}.`));
  if (object) {
    location.replace(object.href + location.hash);
  }
  // A link to a field opens the folds around it.
  for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    fold.open = true;
  }
  if (target && target.closest("details")) {
    target.scrollIntoView();
  }
};
window.addEventListener("hashchange", aim);
aim();

// Every field of a tree is a link to itself.
for (const field of document.querySelectorAll(".tree li[id]")) {
  const link = document.createElement("a");
  link.href = `#${field.id}`;
  const code = field.querySelector("code");
  code.replaceWith(link);
  link.append(code);
}

// The navigation shows its current entry.
const current = document.querySelector("nav.side [aria-current]");
if (current && current.offsetParent) {
  current.closest(".inside").scrollTop = current.offsetTop - 200;
}

// The language of programs, chosen once.
const tabs = [...document.querySelectorAll(".tabs input")];
for (const tab of tabs) {
  tab.checked = tab.checked || tab.dataset.language === kept("localStorage", LANGUAGE);
  tab.addEventListener("change", () => {
    keep("localStorage", LANGUAGE, tab.dataset.language);
    for (const other of tabs.filter((it) => it.dataset.language === tab.dataset.language)) {
      other.checked = true;
    }
  });
}

// The reader's Sandbox key and taxpayer, in every example. Each example remembers its variable.
const fields = [...document.querySelectorAll(".code var")].map((field) => [field, field.textContent]);
const own = document.querySelector(".own-key");
const fill = () => {
  const values = { $KEY: kept("sessionStorage", KEY), $TAXPAYER: kept("sessionStorage", TAXPAYER) };
  for (const [field, name] of fields) {
    field.textContent = values[name] || name;
  }
  own.hidden = !values.$KEY;
  own.querySelector(".shown-key").textContent = values.$KEY && `${values.$KEY.slice(0, 12)}…`;
  own.querySelector(".shown-taxpayer").textContent = values.$TAXPAYER;
};
const remember = (key, taxpayer) => {
  if (key.startsWith(SANDBOX)) {
    keep("sessionStorage", KEY, key);
    keep("sessionStorage", TAXPAYER, taxpayer);
    fill();
  }
};
own.querySelector("button").addEventListener("click", () => {
  keep("sessionStorage", KEY, "");
  keep("sessionStorage", TAXPAYER, "");
  for (const input of document.querySelectorAll("#try-key, [data-name='x-ae-taxpayer-id']")) {
    input.value = "";
  }
  fill();
});
fill();

// A key without a taxpayer, as the page of API keys gives it: the service knows the first connected business.
const plain = { credentials: "omit", redirect: "manual" };
const complete = async () => {
  const key = kept("sessionStorage", KEY);
  if (!key.startsWith(SANDBOX) || kept("sessionStorage", TAXPAYER)) {
    return;
  }
  const headers = { Authorization: `Api-Key ${key}` };
  const answer = await fetch("/v1/taxpayers?limit=1", { headers, ...plain }).catch(() => null);
  const list = answer && answer.ok ? await answer.json() : {};
  const [first] = list.items || [];
  if (first && kept("sessionStorage", KEY) === key) {
    remember(key, first.taxpayer_id);
    for (const input of document.querySelectorAll("[data-name='x-ae-taxpayer-id']")) {
      input.value = input.value || first.taxpayer_id;
    }
  }
};
complete();

// A file that is dropped on the validator is validated at once; nothing of it is kept.
for (const form of document.querySelectorAll("form[data-drop]")) {
  form.querySelector("[data-drop-hint]").hidden = false;
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length === 1) {
      form.querySelector("input[type=file]").files = event.dataTransfer.files;
      form.requestSubmit(form.querySelector("button"));
    }
  });
}

// The search: a field with a list of suggestions (WAI-ARIA 1.2, combobox).
const search = document.querySelector("form.search");
const field = search.querySelector("input");
const hits = document.createElement("ul");
hits.className = "hits";
hits.id = "hits";
hits.hidden = true;
hits.setAttribute("role", "listbox");
hits.setAttribute("aria-label", search.querySelector("label").textContent);
const told = document.createElement("p");
told.className = "unseen";
told.setAttribute("role", "status");
search.append(hits, told);
for (const [name, value] of [["role", "combobox"], ["aria-controls", "hits"], ["aria-autocomplete", "list"], ["aria-expanded", "false"]]) {
  field.setAttribute(name, value);
}
// Places that the index leaves out begin like this, by kind.
const BASES = ["", "", "reference/", "reference/send_invoice#body.", "errors/", "rules/"];
const kinds = search.dataset.kinds.split(",");
let index = null;
let chosen = -1;

const load = async () => {
  if (!index) {
    const answer = await fetch(search.dataset.index, plain);
    const rows = await answer.json();
    index = rows.map(([kind, title, text, place]) => ({ kind, title, text, place: place || `${BASES[kind]}${title}`, low: title.toLowerCase(), all: `${title} ${text}`.toLowerCase() }));
  }
  return index;
};

// The ranks of the service (search/mod.rs).
const rank = (entry, words, whole) => {
  if (!words.every((word) => entry.all.includes(word))) {
    return null;
  }
  const inTitle = words.every((word) => entry.low.includes(word)) ? 2 : 3;
  const fit = entry.low === whole ? 0 : entry.low.startsWith(whole) ? 1 : inTitle;
  return [fit, entry.kind, entry.title.length];
};

const close = () => {
  hits.hidden = true;
  chosen = -1;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
};

const choose = (place) => {
  const options = [...hits.children];
  chosen = options.length ? (place + options.length) % options.length : -1;
  options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
  if (chosen >= 0) {
    field.setAttribute("aria-activedescendant", options[chosen].id);
    options[chosen].scrollIntoView({ block: "nearest" });
  }
};

const suggest = async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = words.length ? await load().catch(() => []) : [];
  // Another letter was typed while the index was loaded.
  if (words.join(" ") !== field.value.toLowerCase().split(/\s+/).filter(Boolean).join(" ")) {
    return;
  }
  const ranked = entries.map((entry) => [rank(entry, words, words.join(" ")), entry]).filter(([fit]) => fit);
  ranked.sort(([a], [b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const options = ranked.slice(0, 12).map(([, entry], at) => {
    const option = document.createElement("li");
    const title = document.createElement("b");
    const kind = document.createElement("span");
    const text = document.createElement("span");
    option.id = `hit-${at}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.dataset.path = `/docs/${entry.place}`;
    title.textContent = entry.title;
    kind.textContent = kinds[entry.kind];
    text.textContent = entry.text;
    text.className = "hint";
    text.dir = "auto";
    option.append(title, kind, text);
    option.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      close();
      location.assign(option.dataset.path);
    });
    return option;
  });
  hits.replaceChildren(...options);
  close();
  hits.hidden = !options.length;
  field.setAttribute("aria-expanded", String(Boolean(options.length)));
  told.textContent = words.length && !options.length ? search.dataset.none : "";
};

field.addEventListener("input", suggest);
field.addEventListener("focus", suggest);
field.addEventListener("blur", close);
field.addEventListener("keydown", (event) => {
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps && !hits.hidden) {
    event.preventDefault();
    choose(chosen < 0 && event.key === "ArrowUp" ? -1 : chosen + steps[event.key]);
  } else if (event.key === "Enter" && chosen >= 0) {
    event.preventDefault();
    const path = hits.children[chosen].dataset.path;
    close();
    location.assign(path);
  } else if (event.key === "Escape") {
    close();
  }
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  const isAsked = (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) || (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey));
  if (isAsked) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});

const attempt = document.querySelector("#try");
if (attempt) {
  const form = attempt.querySelector("form");
  const [said, shown] = [form.querySelector("[role=status] p"), form.querySelector("[role=status] pre")];
  const link = form.querySelector("[role=status] a");
  const filled = (place) => [...form.querySelectorAll(`[data-in=${place}]`)].filter((field) => field.value.trim());
  const known = { key: kept("sessionStorage", KEY), header: kept("sessionStorage", TAXPAYER) };
  form.querySelector("[data-in=key]").value = known.key;
  for (const input of form.querySelectorAll("[data-name='x-ae-taxpayer-id']")) {
    input.value = known.header;
  }
  attempt.hidden = false;

  const request = () => {
    let path = form.dataset.path;
    for (const field of filled("path")) {
      path = path.replace(`{${field.dataset.name}}`, encodeURIComponent(field.value.trim()));
    }
    const query = new URLSearchParams(filled("query").map((field) => [field.dataset.name, field.value.trim()]));
    const headers = new Headers({ Authorization: `Api-Key ${form.querySelector("[data-in=key]").value.trim()}` });
    for (const field of filled("header")) {
      headers.set(field.dataset.name, field.value.trim());
    }
    const [body] = filled("body");
    if (body) {
      headers.set("Content-Type", body.dataset.type);
    }
    // The request has no cookies of the portal, and follows no redirect to a file at another address.
    const options = { method: form.dataset.method, headers, body: body && body.value, ...plain };
    return fetch(String(query) ? `${path}?${query}` : path, options);
  };

  // What is no text is saved, under the name of what it is of: doc_….pdf.
  const offer = (file, url) => {
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(file);
    link.download = new URL(url).pathname.split("/").slice(-2).join(".");
    link.parentElement.hidden = false;
  };

  const show = async (answer) => {
    if (answer.type === "opaqueredirect") {
      // Its status and its address are kept from scripts.
      said.textContent = "307: the answer is a file at another address, which this page does not request. The curl command above has -L and fetches the file.";
      return;
    }
    said.textContent = `${answer.status} ${answer.statusText}`;
    const file = await answer.blob();
    if (file.size && !/^text\/|json\b|xml\b/.test(file.type)) {
      said.textContent += `: a file of ${file.size.toLocaleString("en")} bytes, ${file.type || "of no type"}`;
      offer(file, answer.url);
      return;
    }
    const text = await file.text();
    try {
      shown.textContent = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      shown.textContent = text;
    }
    shown.hidden = !text;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const key = form.querySelector("[data-in=key]").value.trim();
    shown.hidden = true;
    link.parentElement.hidden = true;
    // What is tried here must not be sent in earnest.
    if (!key.startsWith(SANDBOX)) {
      said.textContent = `This is no API key of Sandbox: those begin with ${SANDBOX}.`;
      return;
    }
    const [taxpayer] = form.querySelectorAll("[data-name='x-ae-taxpayer-id']");
    remember(key, taxpayer ? taxpayer.value.trim() : kept("sessionStorage", TAXPAYER));
    said.textContent = "Sending …";
    try {
      await show(await request());
    } catch (error) {
      said.textContent = `The request could not be made: ${error.message}`;
    }
  });
}
