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
