/* A table in the browser: HTML over the wire. The server sends sections, this swaps them in by id, keeps focus and
   scroll, makes commands of what hands do, runs the clock. The line to the house is in line.js, what moves in moves.js.
   It decides nothing: what is not on the page is not known here. */

import { begin, connected, send, waiting } from "./line.js";
import { drawn, finish, lying, play, plays } from "./moves.js";
import { needed } from "./needed.js";
import { forWhom, keep as keepShoe, witness } from "./shuffle.js";

const main = document.querySelector("main.table");
const table = main.dataset.table;
const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const phase = () => one("#bar").dataset.phase;
const round = () => one("#bar").dataset.round;

function answered(command, { refused = "" }) {
  const why = refused ? refused[0].toUpperCase() + refused.slice(1) + (refused.endsWith(".") ? "" : ".") : "";
  if (command?.do === "bet") unsure.set(command.seat, why);
  drawDrafts();
  show("#refused", why && command?.do === "bet" && lacks(spotsOf(command.seat)) ? "" : why); // that is no mistake yet
}

function show(selector, text) {
  const at = one(selector);
  if (at && at.textContent !== text) at.textContent = text;
}

function verdict({ ok, text, lie = false, later = false }) {
  const at = one("#verdict");
  if (!at || (at.classList.contains("lie") && !lie)) return; // a true shoe does not make good for one that was not
  at.className = lie ? "wrong lie" : ok || later ? "" : "wrong";
  show("#verdict", text);
}

/* ---- sections */

/* What is pressed stays until it is let go: a button that is exchanged under a finger is never clicked. Scenes that
   come meanwhile wait, and those after them wait behind them: a scene is never drawn over a newer one. */
const later = [];
let held = false;

function scene(html) {
  if (held || later.length) later.push(html);
  else swap(html);
}

addEventListener("pointerdown", () => (held = true), true);
for (const ended of ["pointerup", "pointercancel", "blur"]) {
  addEventListener(ended, () => {
    held = false;
    setTimeout(() => { while (!held && later.length) swap(later.shift()); }, 30); // after the click
  }, ended !== "blur"); // of the window alone, and not of what is in it
}

let picked = ""; // the chip in hand, also while there is nothing to bet

function swap(html) {
  finish();
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const before = lying(), heaps = faces(fresh.content); // all that is shown, also what comes last
  const focus = document.activeElement?.id;
  const last = { phase: phase(), round: round() };
  const lines = heard(one("#say", fresh.content));
  const played = plays(lines), ends = []; // what tells how it ends comes last
  const had = played && lines.some(({ keys }) => keys.some((key) => key.endsWith("-net"))) && one("#chips-now")?.innerHTML;
  picked = one("input[name=chip]:checked")?.id ?? picked;
  for (const section of [...fresh.content.children]) {
    if (section.id === "say") continue;
    if (!played || !["seats", "outcome"].includes(section.id)) exchange(section);
    else ends.push(() => exchange(section));
  }
  if (played && round() !== last.round) one("#outcome").replaceChildren(); // how the round before came out
  if (picked && document.getElementById(picked)) document.getElementById(picked).checked = true;
  if (focus && document.activeElement?.id !== focus) (document.getElementById(focus) ?? one("#place")).focus({ preventScroll: true });
  if (one("#place").dataset.purse) show(".head .purse", one("#place").dataset.purse);
  turned(last, heaps);
  tick(true);
  const chips = had && one("#chips-now");
  if (chips) {
    const now = chips.innerHTML;
    chips.innerHTML = had;
    ends.push(() => (chips.innerHTML = now));
  }
  play(before, lines, phase() === "betting", said, () => ends.forEach((end) => end()));
}

function exchange(section) {
  const old = document.getElementById(section.id);
  if (!old || old.innerHTML === section.innerHTML) {
    if (old) attributes(old, section);
    return;
  }
  keep(old, section);
  attributes(old, section);
  old.replaceChildren(...section.childNodes);
}

function attributes(old, section) {
  for (const { name } of [...old.attributes]) if (!section.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of section.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/** What somebody is typing, and what he has opened, stays. */
function keep(old, section) {
  for (const input of all("input[id]:not([type=radio])", old)) {
    const same = one(`#${CSS.escape(input.id)}`, section);
    if (same && input.value !== input.defaultValue) same.value = input.value;
  }
  for (const box of all("details[id]", old)) if (box.open) one(`#${CSS.escape(box.id)}`, section)?.setAttribute("open", "");
  const now = one("#verdict", section);
  if (now) { now.textContent = one("#verdict", old).textContent; now.className = one("#verdict", old).className; }
}

/** What the dealer says in a new scene; where he says nothing, his last words stay. */
function heard(section) {
  const paused = one(".paused", section);
  if (Boolean(paused) !== Boolean(one("#say .paused"))) paused ? one("#say").prepend(paused) : one("#say .paused").remove();
  const lines = all("p:not(.paused)", section).map(({ textContent: text, dataset: { keys } }) => ({ text, keys: keys?.split(" ").filter(Boolean) ?? [] }));
  if (lines.length) for (const old of all("#say p:not(.paused)")) old.remove();
  return lines;
}

/** One line is said: it is read aloud by itself, three of them are seen, and it goes into the list, the newest first. */
function said({ text }) {
  one("#say").append(Object.assign(document.createElement("p"), { textContent: text }));
  fit();
  told(text);
}

/** Of the last lines as many are seen as there is room for; the others are there for who has them read. */
function fit() {
  const box = one("#say"), lines = all("p:not(.paused, .aloud)", box);
  const room = parseFloat(getComputedStyle(box).minHeight) + 2;
  while (lines.length > 3 || (lines.length > 1 && box.offsetHeight > room)) lines.shift().classList.add("aloud");
}

function told(textContent) {
  const list = one("#told ol");
  list.prepend(Object.assign(document.createElement("li"), { textContent }));
  while (list.children.length > 60) list.lastChild.remove();
}

/* ---- bets: chips are laid here, and stand when the house has taken them */

const drafts = new Map(); // seat -> {bets, tokes}, in cents
const unsure = new Map(); // seat -> why the house has refused what lies there
let toking = false;

const spots = () => all(".spots[data-seat]");
const spotsOf = (seat) => one(`.spots[data-seat="${seat}"]`);
const cents = (text) => Math.round(Number(String(text).replaceAll(",", "")) * 100) || 0;
const inCents = (amounts) => Object.fromEntries(Object.entries(amounts).map(([w, a]) => [w, cents(a)]));
const inDollars = (amounts) => Object.fromEntries(Object.entries(amounts).filter(([, a]) => a > 0).map(([w, a]) => [w, (a / 100).toString()]));
const money = (amount) => "$" + (amount / 100).toLocaleString("en-US", { minimumFractionDigits: amount % 100 ? 2 : 0 });
const open = () => ["betting", "over"].includes(phase());

function lain(seat) {
  const at = spotsOf(seat);
  if (phase() !== "betting") return { bets: {}, tokes: {} };
  return { bets: inCents(JSON.parse(at.dataset.bets)), tokes: inCents(JSON.parse(at.dataset.tokes)) };
}

const pending = (seat) => [...waiting.values()].some((c) => c.do === "bet" && c.seat === seat);

/** A new scene: what the house has taken is what lies there, unless something is under way or was refused. */
function turned(last, heaps) {
  for (const at of spots()) {
    const seat = Number(at.dataset.seat);
    if (phase() !== "betting" && (last.phase === "betting" || last.round !== round())) remember(seat);
    if (!open() || (!pending(seat) && !unsure.get(seat))) drafts.delete(seat);
    if (!open()) unsure.delete(seat);
  }
  one("#toke")?.setAttribute("aria-pressed", String(toking));
  drawDrafts();
  looked(heaps);
}

/** The faces that are drawn: at the table, again before a player's own seats, and again in the list of seats. */
const faces = (from) => ["#layer", ".own", "#seats"].map((where) => all(`${where} use`, from).flatMap((use) => /^#(?:jumbo|card)-(?!back$)(.+)/.exec(use.getAttribute("href"))?.[1] ?? []));

/** What binds the house and what it shows is kept; when a shoe is over it is held against that. */
function looked(heaps) {
  const { commitment, ...bar } = one("#bar").dataset;
  const [shoe, dealt, from] = [bar.shoe, bar.round, bar.from].map(Number);
  witness(table, { shoe, round: dealt, phase: phase(), from, commitment, seed: one("#shuffle").dataset.seed }, heaps, verdict);
}

const kept = (seat) => `bets ${table} ${seat}`;

function remember(seat) {
  const at = spotsOf(seat);
  if (at.dataset.bets !== "{}") sessionStorage.setItem(kept(seat), JSON.stringify({ bets: inCents(JSON.parse(at.dataset.bets)), tokes: inCents(JSON.parse(at.dataset.tokes)) }));
}

function lay(circle, add) {
  if (!open() || circle.getAttribute("aria-disabled") === "true") return;
  const { wager, called } = circle.dataset;
  const [seat, least, most, exactly] = ["seat", "least", "most", "exactly"].map((name) => Number(circle.dataset[name]));
  if (toking && circle.dataset.tokes !== "1") return show("#refused", `${called} takes no bets for the dealer.`);
  const draft = structuredClone(drafts.get(seat) ?? lain(seat));
  const kind = toking ? draft.tokes : draft.bets;
  const inHand = Number(one("input[name=chip]:checked")?.value ?? 500);
  const chip = inHand > 0 ? inHand : Infinity;
  const now = kind[wager] ?? 0;
  const takes = !add || inHand < 0;
  let then = takes ? (exactly ? 0 : Math.max(0, now - chip)) : exactly || Math.max(now + chip, least);
  if (takes && then < least) then = 0;
  if (!takes && most && then > most) {
    show("#refused", `${called} takes ${money(most)} at most.`);
    then = most;
  }
  kind[wager] = then;
  if (takes || affords(seat, draft)) bet(seat, draft);
}

const laid = (seat) => drafts.get(seat) ?? lain(seat);
const worth = ({ bets, tokes }) => [...Object.values(bets), ...Object.values(tokes)].reduce((sum, amount) => sum + amount, 0);

/** Whether the chips are there for what is about to lie at this seat; where not, it is said and the cashier opens. */
function affords(seat, draft) {
  const seats = spots().map((at) => Number(at.dataset.seat));
  const has = seats.reduce((sum, other) => sum + worth(lain(other)), cents(one("#place").dataset.chips));
  const rest = seats.reduce((left, other) => (other === seat ? left : left - worth(laid(other))), has);
  if (worth(draft) <= rest) return true;
  show("#refused", has ? `That would be ${money(worth(draft))}, and you have ${money(Math.max(rest, 0))} in chips for it.` : "You have no chips at this table yet.");
  one("#cashier")?.setAttribute("open", "");
  return false;
}

/** What a seat still lacks before it can be dealt in, in words. */
const lacks = (at) => needed(at, laid(Number(at.dataset.seat)), spots().length > 1);

/** What is still needed, or what lies there; and what the button that closes the bets does. */
function advise() {
  const hint = one("#hint"), ready = one("#ready");
  if (!ready) return;
  const sum = spots().reduce((total, at) => total + worth(laid(Number(at.dataset.seat))), 0);
  const short = spots().map(lacks).filter(Boolean).join(" ");
  const stands = short && spots().some((at) => lacks(at) && worth(lain(Number(at.dataset.seat))));
  hint.textContent = short ? short + (stands ? " Until then your bets stand as they were." : "") : toking ? "The next chips are for the dealer." : sum ? `Your bets: ${money(sum)}.` : hint.dataset.first;
  const waits = ready.getAttribute("aria-pressed") === "true";
  one("span", ready).textContent = sum ? (waits ? "Waiting for the others" : "Deal me in") : waits ? "Sitting this one out" : "Sit this one out";
  ready.classList.toggle("main", sum > 0);
}

function bet(seat, draft) {
  drafts.set(seat, draft);
  unsure.delete(seat);
  for (const [id, c] of waiting) if (c.do === "bet" && c.seat === seat && !connected()) waiting.delete(id);
  send({ do: "bet", seat, bets: inDollars(draft.bets), tokes: inDollars(draft.tokes) });
  drawDrafts();
}

/** Chips that are not yet the house's word: drawn over what was. */
function drawDrafts() {
  for (const at of spots()) {
    const seat = Number(at.dataset.seat);
    const draft = drafts.get(seat);
    at.classList.toggle("drafting", Boolean(draft));
    for (const circle of all(".circle", at)) {
      const group = one(".draft", circle);
      group.replaceChildren();
      group.classList.toggle("unsure", Boolean(unsure.get(seat)));
      if (!draft) continue;
      const mine = draft.bets[circle.dataset.wager] ?? 0;
      const his = draft.tokes[circle.dataset.wager] ?? 0;
      if (mine) group.append(...stack(mine));
      if (his) group.append(...stack(his, -26, 24, " dealer"));
      circle.setAttribute("aria-label", circle.getAttribute("aria-label").replace(/[^.]*bet\.$/, ` ${money(mine)} bet.`));
    }
  }
  advise();
}

function stack(amount, x = 0, y = 0, words = "") {
  const chips = [];
  let left = amount;
  const worth = all("g.chip[id]").map((chip) => Number(chip.id.slice(5)));
  for (const chip of worth.sort((a, b) => b - a)) for (; left >= chip && chips.length < 7; left -= chip) chips.push(chip);
  const uses = chips.map((chip, i) => drawn("use", { href: `#chip-${chip}`, x, y: y - 6 - 3.4 * i }));
  const group = drawn("g", { class: words ? "stack toke" : "stack" });
  group.append(...uses, drawn("text", { class: "amount", x, y: y + 33 }, money(amount) + words));
  return [group];
}

const acts = {
  again() {
    for (const at of spots()) {
      const found = sessionStorage.getItem(kept(at.dataset.seat));
      const seat = Number(at.dataset.seat);
      if (found && !affords(seat, JSON.parse(found))) return;
      if (found) bet(seat, JSON.parse(found));
      else show("#refused", "There are no bets of an earlier round to make again.");
    }
  },
  clear() {
    for (const at of spots()) bet(Number(at.dataset.seat), { bets: {}, tokes: {} });
  },
  toke() {
    toking = !toking;
    one("#toke").setAttribute("aria-pressed", String(toking));
    advise();
  },
  ready() {
    const on = one("#ready").getAttribute("aria-pressed") !== "true";
    const why = spots().map((at) => lacks(at) || unsure.get(Number(at.dataset.seat))).filter(Boolean).join(" ");
    if (on && why) return show("#refused", why); // who is not dealt in is not told that he waits for the others
    show("#refused", "");
    send({ do: "ready", on });
  },
};

/* ---- hands: mouse, touch, keyboard */

document.addEventListener("click", (event) => {
  const at = event.target.closest("[data-do]:not(form), [data-act], .circle, .spot");
  if (!at) return;
  finish();
  if (at.dataset.act) acts[at.dataset.act]();
  else if (at.dataset.wager) lay(circleOf(at), true);
  else command(at);
});

document.addEventListener("contextmenu", (event) => {
  const at = event.target.closest(".circle, .spot");
  if (!at) return;
  event.preventDefault();
  lay(circleOf(at), false);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  if (!form) return;
  event.preventDefault();
  const { dollars, ...rest } = Object.fromEntries(new FormData(form));
  command(form, dollars === undefined ? rest : { ...rest, cents: cents(dollars) });
  for (const input of all("input", form)) input.value = input.defaultValue;
  form.closest("#cashier")?.removeAttribute("open");
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=radio]), textarea, select")) return;
  const circle = event.target.closest?.(".circle");
  if (event.repeat) return ["Enter", " "].includes(event.key) && event.target.closest?.("button") && event.preventDefault(); // held is pressed once
  if (circle && ["Enter", " ", "+"].includes(event.key)) lay(circle, true);
  else if (circle && ["-", "Backspace", "Delete"].includes(event.key)) lay(circle, false);
  else {
    const found = all("[data-key]", one("#place")).find((b) => b.dataset.key?.toLowerCase() === event.key.toLowerCase() && b.matches("button, input"));
    if (!found) return;
    event.preventDefault();
    if (found.closest(".held")) return finish(); // what he decides about does not lie there yet
    if (!circle || !found.matches("input, #toke")) found.focus({ preventScroll: true }); // at a circle one picks and stays: `3 +`, `T +`
    found.click();
  }
  event.preventDefault();
});

const circleOf = (at) => document.getElementById(`spot-${at.dataset.seat}-${at.dataset.wager}`) ?? at;

function command(at, more = {}) {
  const { do: what, seat, choice, on } = at.dataset;
  const body = { do: what, ...(seat ? { seat: Number(seat) } : {}), ...(choice ? { choice } : {}), ...more };
  if (what === "stand") keepShoe(table, Number(one("#bar").dataset.shoe), one("#bar").dataset.commitment); // his seed goes with him
  if (what === "sit") body.name = main.dataset.name;
  if (what === "coach") body.on = on === "1";
  send(body);
}

/* ---- the clock */

let due = 0;

function tick(fresh = false) {
  const bar = one("#bar");
  if (fresh) due = bar.dataset.left === undefined ? 0 : performance.now() + 1000 * Number(bar.dataset.left);
  const left = due ? Math.max(0, (due - performance.now()) / 1000) : 0;
  const of = Number(bar.dataset.of) || 1;
  for (const ring of all(".ticking")) ring.setAttribute("stroke-dashoffset", (100 * (1 - left / of)).toFixed(1));
  for (const clock of all(".clock")) {
    clock.hidden = !due;
    clock.classList.toggle("late", left < 6);
    one("progress", clock).value = left;
    show(`#${clock.id} b`, `${Math.ceil(left)}`);
  }
}

/* ---- begin */

for (const { textContent } of all("#say p:not(.paused)")) told(textContent);
fit();
forWhom(main.dataset.who);
turned({ phase: phase(), round: round() }, faces(document));
tick(true);
setInterval(tick, 250);
begin(`/ws/t/${encodeURIComponent(table)}`, { answered, scene, says: (words) => show("#link", words) });
