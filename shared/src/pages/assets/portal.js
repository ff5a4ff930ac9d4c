// Optional improvements of pages: copy buttons, and times in the zone of the reader.
"use strict";

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = button.dataset.done;
  });
}

// A copy button beside each identifier, which the page may show shortened.
const { copy, copied } = document.currentScript.dataset;
for (const id of navigator.clipboard ? document.querySelectorAll("code.id") : []) {
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

const local = new Intl.DateTimeFormat(document.documentElement.lang + "-u-nu-latn", {
  dateStyle: "medium",
  timeStyle: "long",
});
for (const time of document.querySelectorAll("time[datetime*=T]")) {
  time.title = local.format(new Date(time.dateTime));
}

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

// Reloads a page with work in progress, unless a file is selected.
const waits = document.querySelector("[data-reload]");
if (waits) {
  const look = () => {
    const form = document.querySelector("form[data-drop]");
    const chosen = form && form.querySelector("input[type=file]").files.length > 0;
    if (!chosen && !(form && form.querySelector("button").disabled)) {
      location.replace(location.pathname);
    }
  };
  setTimeout(look, Number(waits.dataset.reload) * 1000);
}
