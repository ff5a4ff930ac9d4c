// Checks a document while it is written. The server computes findings and totals; the form works without it.
"use strict";

for (const form of document.querySelectorAll("form[data-check]")) {
  const result = document.getElementById("result");
  let timer = 0;
  let turn = 0;
  const check = async () => {
    const own = (turn += 1);
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.dataset.check, { method: "POST", body, redirect: "error" }).catch(() => null);
    const text = answer && answer.ok ? await answer.text() : null;
    if (text === null || own !== turn) {
      return;
    }
    const part = new DOMParser().parseFromString(text, "text/html");
    result.replaceChildren(...part.body.childNodes);
    const wrong = [...result.querySelectorAll(".problem a")].map((link) => link.hash.slice(1));
    for (const field of form.querySelectorAll("input[id], select[id], textarea[id]")) {
      // An empty field is not wrong before somebody has come to it.
      if (field.value !== "" && wrong.includes(field.id)) {
        field.setAttribute("aria-invalid", "true");
      } else {
        field.removeAttribute("aria-invalid");
      }
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, 700);
  });
}
