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

// A file may be dropped on its form, and a large one is compressed before it goes.
for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  form.querySelector("[data-drop-hint]").hidden = false;
  const take = async (file) => {
    if (file.size > 3000000 && !file.name.endsWith(".gz") && window.CompressionStream) {
      const packed = file.stream().pipeThrough(new CompressionStream("gzip"));
      file = new File([await new Response(packed).blob()], file.name + ".gz");
    }
    const files = new DataTransfer();
    files.items.add(file);
    input.files = files.files;
  };
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length === 1) {
      await take(event.dataTransfer.files[0]);
      form.requestSubmit();
    }
  });
  input.addEventListener("change", async () => {
    if (input.files.length === 1) {
      await take(input.files[0]);
    }
  });
}

// What is under way is looked at again, unless somebody has chosen a file meanwhile.
const waits = document.querySelector("[data-reload]");
if (waits) {
  const look = () => {
    const input = document.querySelector("form[data-drop] input[type=file]");
    if (!input || input.files.length === 0) {
      location.replace(location.pathname);
    }
  };
  setTimeout(look, Number(waits.dataset.reload) * 1000);
}
