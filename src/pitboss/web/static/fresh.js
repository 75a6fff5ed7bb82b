/* Sections of a page that change: fetched again with the page, and swapped in by their ids. What somebody types in, or has
   the focus in, stays as it is; what is opened stays open. */

const sections = () => document.querySelectorAll("[data-fresh]");
const plain = (at) => at.innerHTML.replace(/name="id" value="[^"]*"/g, "");
const seen = new Map();
for (const at of sections()) seen.set(at.id, plain(at));

const changed = (field) =>
  field.matches("select") ? [...field.options].some((o) => o.selected !== o.defaultSelected) && field.selectedIndex > 0 : field.value !== field.defaultValue;
const busy = (at) =>
  at.contains(document.activeElement) || [...at.querySelectorAll("input:not([type=hidden]), select")].some(changed);

function swap(at, next, force) {
  const wanted = plain(next);
  if (seen.get(at.id) === wanted || (!force && busy(at))) return;
  seen.set(at.id, wanted);
  const open = [...at.querySelectorAll("details[open]")].map((one) => one.id);
  const parts = () => [...at.querySelectorAll("a, button, input, select, summary")];
  const focus = parts().indexOf(document.activeElement);
  at.replaceChildren(...next.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focus >= 0) parts()[focus]?.focus({ preventScroll: true });
}

/* `html` is the page as it is now; `mine` is what somebody has just sent a form from, and wants to see changed. */
export function put(html, mine) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const at of [...sections()].reverse()) if (!page.getElementById(at.id)) at.remove();
  for (const next of page.querySelectorAll("[data-fresh]")) {
    const at = document.getElementById(next.id);
    if (at) swap(at, next, mine && at.contains(mine));
    else document.getElementById(next.dataset.fresh)?.append(document.adoptNode(next));
  }
  return page;
}

export async function look() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok && !answer.redirected) put(await answer.text());
}
