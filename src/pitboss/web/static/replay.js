/* A past round, step by step: slider, buttons and arrow keys. Every step is a page of its own on the server; here only
   the sections that change are fetched and swapped in, so that links work without any of this. */

const one = (selector) => document.querySelector(selector);
let asked = 0;

async function go(step, push = true) {
  const slider = one("#step");
  const to = Math.min(Math.max(step, 0), Number(slider.max));
  const mine = ++asked;
  one("#at").textContent = to;
  slider.value = to;
  const answer = await fetch(`?step=${to}&part=1`);
  if (!answer.ok || mine !== asked) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  if (mine !== asked) return;
  const focus = document.activeElement?.id;
  for (const section of fresh.content.children) document.getElementById(section.id)?.replaceChildren(...section.childNodes);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  if (push) history.replaceState(null, "", `?step=${to}`);
}

const now = () => Number(one("#step").value);

document.addEventListener("input", ({ target }) => target.id === "step" && go(now()));
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".steps a");
  if (!link) return;
  event.preventDefault();
  go(Number(new URL(link.href).searchParams.get("step")));
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input") || event.ctrlKey || event.altKey || event.metaKey) return;
  const to = { ArrowLeft: now() - 1, ArrowRight: now() + 1, Home: 0, End: Infinity }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});
