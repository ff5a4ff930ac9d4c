// Optional improvements of pages: copy buttons, times in the zone of the reader, and work in progress that is kept current.
"use strict";

// The parts of a page that change, as the server wrote them.
const parts = () => document.querySelectorAll("[data-part]");
const written = new Map([...parts()].map((part) => [part.id, part.outerHTML]));

const { copy, copied } = document.currentScript.dataset;
const local = new Intl.DateTimeFormat(document.documentElement.lang + "-u-nu-latn", {
  dateStyle: "medium",
  timeStyle: "long",
});

const improve = (root) => {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = button.dataset.done;
    });
  }
  // A copy button beside each identifier, which the page may show shortened.
  for (const id of navigator.clipboard ? root.querySelectorAll("code.id") : []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    const whole = id.title || id.textContent;
    button.setAttribute("aria-label", `${copy} ${whole}`);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(whole);
      button.classList.add("copied");
      button.setAttribute("aria-label", copied);
    });
    (id.closest("a") || id).after(button);
  }
  for (const time of root.querySelectorAll("time[datetime*=T]")) {
    time.title = local.format(new Date(time.dateTime));
  }
  // A framed invoice is as high as its content, up to the limit of the style sheet.
  for (const frame of root.querySelectorAll(".paper > iframe")) {
    const fit = () => {
      const page = frame.contentDocument && frame.contentDocument.body;
      if (page && page.scrollHeight) {
        frame.style.blockSize = `${page.scrollHeight + 2}px`;
      }
    };
    frame.addEventListener("load", fit);
    window.addEventListener("resize", fit);
    fit();
  }
};
improve(document);

// A confirmation is shown once: after a reload, the page shows the current state.
const said = new URL(location.href);
if (said.searchParams.has("done")) {
  said.searchParams.delete("done");
  history.replaceState(null, "", said);
}

// Dropping a file on its form only selects it: the button sends it. A large file is compressed first. Until then, the form
// cannot be sent.
for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  const button = form.querySelector("button");
  const many = form.querySelector("[data-drop-many]");
  form.querySelector("[data-drop-hint]").hidden = false;
  const packed = async (file) => {
    if (file.size <= 3000000 || file.name.endsWith(".gz") || !window.CompressionStream) {
      return file;
    }
    const stream = file.stream().pipeThrough(new CompressionStream("gzip"));
    return new File([await new Response(stream).blob()], file.name + ".gz");
  };
  let turn = 0;
  // Whether this file is still the selected one.
  const take = async (file) => {
    const own = (turn += 1);
    button.disabled = true;
    const taken = await packed(file).catch(() => file);
    if (own !== turn) {
      return false;
    }
    const files = new DataTransfer();
    files.items.add(taken);
    input.files = files.files;
    button.disabled = false;
    return true;
  };
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    form.classList.remove("over");
    const dropped = event.dataTransfer.files;
    many.hidden = dropped.length < 2;
    if (dropped.length === 1 && (await take(dropped[0]))) {
      button.focus();
    }
  });
  input.addEventListener("change", async () => {
    many.hidden = true;
    if (input.files.length === 1) {
      await take(input.files[0]);
    }
  });
}

// A menu closes by Escape, and by a click elsewhere.
const menus = () => document.querySelectorAll("details.choices[open]");
document.addEventListener("click", (event) => {
  menus().forEach((menu) => menu.contains(event.target) || (menu.open = false));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    menus().forEach((menu) => {
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }
});

// Replaces a part of the page, and keeps its open folds and the focus.
const replace = (part, next) => {
  const open = new Set([...part.querySelectorAll("details[open]")].map((it) => it.textContent));
  const stops = (root) => [...root.querySelectorAll("a, button, summary, input, select, [tabindex]")];
  const at = stops(part).indexOf(document.activeElement);
  part.replaceWith(next);
  for (const fold of next.querySelectorAll("details")) {
    fold.open = fold.open || open.has(fold.textContent);
  }
  improve(next);
  const stop = stops(next)[at];
  if (stop) {
    stop.focus({ preventScroll: true });
  }
};

// While a page has work in progress, its parts are refreshed: soon after a change, and ever less often without one. A
// hidden page rests. A page that cannot be read again keeps its link.
const LONGEST = 60000;
const progress = () => document.querySelector("[data-refresh]");
const pause = (lasting) => new Promise((resolve) => setTimeout(resolve, lasting));
const shown = () =>
  new Promise((resolve) => {
    const look = () => document.hidden || resolve();
    document.addEventListener("visibilitychange", look);
    look();
  });
const refresh = async () => {
  const answer = await fetch(location.href, { credentials: "same-origin", redirect: "error" });
  if (!answer.ok) {
    throw new Error(answer.status);
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  let changes = 0;
  for (const part of parts()) {
    const next = page.getElementById(part.id);
    if (next && next.outerHTML !== written.get(part.id)) {
      written.set(part.id, next.outerHTML);
      replace(part, next);
      changes += 1;
    }
  }
  return changes > 0;
};
const follow = async () => {
  const first = Number(progress().dataset.refresh) * 1000;
  const told = document.querySelector("[data-told]");
  let wait = first;
  while (progress()) {
    progress().firstElementChild.hidden = true;
    progress().lastElementChild.hidden = false;
    await pause(wait);
    if (document.hidden) {
      await shown();
      wait = first;
    }
    const state = document.querySelector("[data-tell]");
    const before = state && state.textContent;
    const changed = await refresh();
    const after = document.querySelector("[data-tell]");
    if (after && after.textContent !== before) {
      told.textContent = after.textContent;
    }
    wait = changed ? first : Math.min(wait * 1.5, LONGEST);
  }
  // What a notice announced has happened.
  document.querySelectorAll("[data-fleeting]").forEach((notice) => notice.remove());
};
if (progress()) {
  follow().catch(() => {
    const hint = progress();
    if (hint) {
      hint.firstElementChild.hidden = false;
      hint.lastElementChild.hidden = true;
    }
  });
}

// A new Sandbox key for the examples of the documentation. Only this tab keeps it (docs.js).
for (const link of document.querySelectorAll("a[data-key]")) {
  link.closest("[hidden]").hidden = false;
  link.addEventListener("click", () => {
    sessionStorage.setItem("docs-key", document.getElementById(link.dataset.key).textContent.trim());
    sessionStorage.removeItem("docs-taxpayer");
  });
}
