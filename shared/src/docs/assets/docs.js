// What the documentation is better with and can be read without: lists that are filtered, and requests that are tried.
"use strict";

// What API keys of Sandbox begin with; a test holds it to what the service makes.
const SANDBOX = "pk_test_";

for (const input of document.querySelectorAll("input[data-find]")) {
  const entries = [...document.querySelectorAll(input.dataset.find)];
  const texts = entries.map((entry) => entry.textContent.toLowerCase());
  const told = input.parentElement.querySelector("output");
  input.parentElement.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    entries.forEach((entry, place) => {
      entry.hidden = !words.every((word) => texts[place].includes(word));
      found += entry.hidden ? 0 : 1;
    });
    told.textContent = words.length ? `${found} of ${entries.length}` : "";
  });
}

const attempt = document.querySelector("#try");
if (attempt) {
  const form = attempt.querySelector("form");
  const [said, shown] = [form.querySelector("[role=status] p"), form.querySelector("[role=status] pre")];
  const link = form.querySelector("[role=status] a");
  const filled = (place) => [...form.querySelectorAll(`[data-in=${place}]`)].filter((field) => field.value.trim());
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
    // Cookies of the portal have no business here, and this page asks nobody but this service: not where a file is, either.
    const manner = { credentials: "omit", redirect: "manual" };
    const options = { method: form.dataset.method, headers, body: body && body.value, ...manner };
    return fetch(String(query) ? `${path}?${query}` : path, options);
  };

  // What is no text is saved, under the name of what it is of: doc_….pdf.
  const keep = (file, url) => {
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(file);
    link.download = new URL(url).pathname.split("/").slice(-2).join(".");
    link.parentElement.hidden = false;
  };

  const show = async (answer) => {
    if (answer.type === "opaqueredirect") {
      // Its status and its address are kept from scripts.
      said.textContent = "307: the answer is a file at another address, which this page does not request. The curl line above has -L and fetches the file.";
      return;
    }
    said.textContent = `${answer.status} ${answer.statusText}`;
    const file = await answer.blob();
    if (file.size && !/^text\/|json\b|xml\b/.test(file.type)) {
      said.textContent += `: a file of ${file.size.toLocaleString("en")} bytes, ${file.type || "of no type"}`;
      keep(file, answer.url);
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
    said.textContent = "Sending …";
    try {
      await show(await request());
    } catch (error) {
      said.textContent = `The request could not be made: ${error.message}`;
    }
  });
}
