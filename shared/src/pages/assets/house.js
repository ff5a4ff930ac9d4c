// What a page is better with and works without: buttons that copy, and times where the reader is.
"use strict";

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = button.dataset.done;
  });
}

const local = new Intl.DateTimeFormat(document.documentElement.lang + "-u-nu-latn", {
  dateStyle: "medium",
  timeStyle: "long",
});
for (const time of document.querySelectorAll("time[datetime*=T]")) {
  time.title = local.format(new Date(time.dateTime));
}

// What was done is said once: whoever loads the page again sees how things are.
const said = new URL(location.href);
if (said.searchParams.has("done")) {
  said.searchParams.delete("done");
  history.replaceState(null, "", said);
}

// A file may be dropped on its form, which chooses it: only the button sends it. A large one is compressed before it goes:
// until that is done, nothing goes.
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
  // Whether it is the one that goes: another may be chosen meanwhile.
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

// What is under way is looked at again, unless somebody has chosen a file meanwhile.
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
