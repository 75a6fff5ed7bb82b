/* The floor looks again by itself; a form is sent from where one is, and what it did is seen there. */

import { look, put } from "./fresh.js";

const told = document.querySelector("#said");
let sending = false;

setInterval(() => document.hidden || sending || look(), 4000);

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || !form.action.endsWith("/supervisor")) return;
  event.preventDefault();
  if (sending) return;
  sending = true;
  event.submitter?.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch("/supervisor", { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (new URL(answer.url).pathname !== "/supervisor" || !answer.ok) return location.reload();
    const html = await answer.text();
    const page = new DOMParser().parseFromString(html, "text/html");
    const said = page.querySelector("#said");
    const refused = said.querySelector(".problem");
    told.replaceChildren(...said.childNodes);
    if (!refused) form.reset();
    put(html, refused ? null : form);
    for (const next of page.querySelectorAll('input[name="id"]')) { // every form is sent once under its id
      const [, what] = next.value.match(/-(.*)/) ?? [];
      for (const at of document.querySelectorAll('input[name="id"]')) if (at.value.endsWith(`-${what}`)) at.value = next.value;
    }
  } catch {
    told.textContent = "The connection is lost; try again.";
  } finally {
    sending = false;
    event.submitter?.removeAttribute("aria-busy");
  }
});
