/* The dealer's acts as they are watched: cards and chips that move, one event after the other, each with its sentence.
   What has a key is followed from where it was to where it is. What a later event brings is held back until then. */

const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const still = matchMedia("(prefers-reduced-motion: reduce)");
const calm = () => still.matches || document.hidden;

const CARD = 120, TURN = 400, CHIPS = 350, WORDS = 200, MOST = 3500; // milliseconds; what takes longer is played faster
let steps = []; // what is not played yet: {wait, act}
let timer = 0;
let pace = 1;
let quick = false; // what is left is done at once

/** Everything with a key, and where it lies: before the sections are swapped. */
export function lying() {
  const own = new Map(all(".own [data-key]").map((g) => [g.dataset.key, g]));
  return new Map(all("#layer [data-key]").map((g) => {
    const { key, card, kind } = g.dataset;
    return [key, { box: g.getBoundingClientRect(), card, kind, nodes: [g, own.get(key)], frames: [g.parentNode, own.get(key)?.parentNode] }];
  }));
}

/** Whether a scene with these lines is played, or lies there at once. */
export const plays = (lines) => !calm() && lines.some(({ keys }) => keys.length > 0);

/** Whatever is not played yet is done at once. */
export function finish() {
  clearTimeout(timer);
  quick = true;
  const left = steps;
  steps = [];
  for (const { act } of left) act();
  quick = false;
}

/** What happened since: `lines` of {text, keys} in their order; `say` speaks one; `end` is done when all have been. */
export function play(before, lines, cleared, say, end) {
  if (calm()) {
    lines.forEach(say);
    return end();
  }
  const named = new Map();
  lines.forEach(({ keys }, at) => keys.forEach((key) => named.set(key, [...(named.get(key) ?? []), at])));
  const beats = lines.map(() => []);
  const fresh = all("#layer [data-key]");
  splits(fresh, before);
  const hold = { before, lines, named, beats, cleared };
  let wait = 0;
  for (const g of fresh) {
    const { key, card, kind } = g.dataset;
    const was = before.get(key);
    const at = key.endsWith("-count") ? counted(key, lines) : (named.get(key) ?? []);
    if (was && kind !== "sign") glide(g, was.box, 0);
    if (at.length) keep(hold, g, was, at);
    else if (!was && card) glide(g, boxOf("#at-shoe"), 90 * wait++);
    else if (!was && kind !== "sign") glide(g, from(g, "", before), 60 * wait);
    else if (was && card && was.card !== card) turn(g, was.card);
    before.delete(key);
  }
  for (const [key, was] of before) if (was.kind !== "sign") goes(hold, key, was);
  decide(hold);
  lines.forEach((line, at) => {
    steps.push({ wait: 0, act: () => say(line) }, ...beats[at].sort((a, b) => a.order - b.order));
    if (!beats[at].some(({ wait }) => wait)) steps.push({ wait: WORDS, act: () => {} }); // the lines are read one by one
  });
  steps.push({ wait: 0, act: end });
  pace = Math.min(1, MOST / steps.reduce((sum, { wait }) => sum + wait, 1));
  next();
}

function next() {
  while (steps.length) {
    const { wait, act } = steps.shift();
    act();
    if (wait) {
      timer = setTimeout(next, wait * pace);
      return;
    }
  }
}

document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

/* ---- what is held back */

const twins = (key) => [`#layer [data-key="${CSS.escape(key)}"]`, `.own [data-key="${CSS.escape(key)}"]`].map((at) => one(at));

/** A hand counts what it counts when its last card lies there. */
function counted(key, lines) {
  const hand = key.slice(0, -"count".length);
  const last = lines.findLastIndex(({ keys }) => keys.some((other) => other.startsWith(hand)));
  return last < 0 ? [] : [last];
}

/** What is new is not there yet, and what has changed is as it was. */
function keep({ lines, before, beats }, g, was, at) {
  const { card, kind, key } = g.dataset;
  const nodes = twins(key);
  const last = beats[at.at(-1)];
  const settles = { order: 2, wait: kind === "paid" || key.endsWith("-tag") ? CHIPS / 2 : 0 };
  if (!was) {
    const source = from(g, lines[at[0]].keys, before);
    for (const node of nodes) node?.classList.add("held");
    const back = card && at.length > 1 ? nodes.map((node) => node && face(node, "back")) : [];
    beats[at[0]].push({ ...(card ? { order: 0, wait: CARD } : settles), act: () => {
      for (const node of nodes) node?.classList.remove("held");
      if (card) glide(g, boxOf("#at-shoe"), 0);
      else if (kind === "sign") fade(nodes);
      else glide(g, source, 0);
    } });
    if (back.length) last.push({ order: 1, wait: TURN, act: () => { back.forEach((show) => show?.()); turn(g, "back"); } });
    return;
  }
  if (was.nodes[0] === g || was.nodes[0].innerHTML === g.innerHTML) return;
  const shown = nodes.map((node, i) => node && was.nodes[i] && [node, [...node.childNodes], was.nodes[i]]).filter(Boolean);
  for (const [node, , old] of shown) node.replaceChildren(...old.cloneNode(true).childNodes);
  last.push({ ...(card ? { order: 1, wait: TURN } : settles), act: () => {
    for (const [node, parts] of shown) node.replaceChildren(...parts);
    if (card && was.card !== card) turn(g, was.card);
  } });
}

/** A card shows another face; what makes it show its own again. */
function face(node, card) {
  const use = one("use", node);
  const its = use.getAttribute("href");
  use.setAttribute("href", its.replace(/-\w+$/, `-${card}`));
  return () => use.setAttribute("href", its);
}

/** What is gone from the table lies there until it is taken: lost chips to the tray, a pot to the winner, chips that are
    taken back to their owner. */
function goes({ named, lines, beats, cleared }, key, was) {
  const at = named.get(key)?.at(-1);
  const winner = at === undefined ? undefined : key.startsWith("pot-") ? lines[at].keys.find((other) => other.endsWith("-paid")) : undefined;
  const pot = boxOf(`#layer [data-key="pot-${key.replace(/^s\d+-/, "")}"]`); // bets are closed, and pushed together
  const to = () => (pot && !was.card ? pot : winner ? plateOf(winner) : cleared && !was.card ? plateOf(key) : boxOf("#at-tray"));
  if (at === undefined) return depart(was.nodes[0], was.box, to());
  const seat = /^s(\d+)-/.exec(key)?.[1];
  const homes = [one(seat ? `#layer .seat[data-seat="${seat}"]` : "#layer .house"), seat && one(`.spots[data-seat="${seat}"] .own .lies`)];
  homes.forEach((home, i) => { if (was.frames[i]) home?.append(was.frames[i]); });
  beats[at].push({ order: 2, wait: CHIPS / 2, act: () => {
    depart(was.nodes[0], was.nodes[0].getBoundingClientRect(), to());
    for (const frame of was.frames) frame?.remove();
  } });
}

/** A choice is there when the cards lie there that it is about. */
function decide({ lines, beats }) {
  const choices = one(".deciding .choices");
  const mine = all(".spots[data-seat]").map((spots) => `s${spots.dataset.seat}-h`);
  const last = lines.findLastIndex(({ keys }) => keys.some((key) => mine.some((hand) => key.startsWith(hand))));
  if (!choices || last < 0) return;
  choices.classList.add("held");
  beats[last].push({ order: 3, wait: 0, act: () => choices.classList.remove("held") });
}

/** The card that begins a new hand was the second one of another: it is moved, and not dealt. */
function splits(fresh, before) {
  for (const { dataset: { key, card } } of fresh) {
    const seat = /^(s\d+-h)[1-9]\d*-0$/.exec(key)?.[1];
    if (!seat || before.has(key)) continue;
    const found = [...before].find(([other, was]) => other.startsWith(seat) && other.endsWith("-1") && was.card === card);
    if (found) before.set(key, found[1]).delete(found[0]);
  }
}

/* ---- how it moves */

const boxOf = (selector) => one(selector)?.getBoundingClientRect();
const plateOf = (key) => boxOf(`#plate-${/^s(\d+)-/.exec(key)?.[1]}`);
const centre = (box) => [box.x + box.width / 2, box.y + box.height / 2];

/** Where new chips come from: the house pays, a pot is pushed over, a player bets. */
function from(g, keys, before) {
  const pot = [...keys].find((key) => key.startsWith("pot-"));
  if (pot && before.has(pot)) return before.get(pot).box;
  return g.dataset.kind === "paid" ? boxOf("#at-tray") : (plateOf(g.dataset.key) ?? boxOf("#at-tray"));
}

/** How far it is from a box of the screen to this element, in the element's own measure. */
function away(g, box) {
  const [ax, ay] = centre(box);
  const [bx, by] = centre(g.getBoundingClientRect());
  const m = g.parentNode.getScreenCTM();
  const det = m.a * m.d - m.b * m.c;
  return [((ax - bx) * m.d - (ay - by) * m.c) / det, ((ay - by) * m.a - (ax - bx) * m.b) / det];
}

function glide(g, box, delay) {
  if (!box || quick) return;
  const [x, y] = away(g, box);
  if (Math.hypot(x, y) < 1) return;
  g.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 380, delay, easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" });
}

function fade(nodes) {
  if (!quick) for (const node of nodes) node?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200 });
}

const SVG = "http://www.w3.org/2000/svg";

export function drawn(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

function turn(g, was) {
  if (quick) return;
  const back = drawn("use", { href: `#jumbo-${was}` });
  g.append(back);
  const half = { duration: 170, easing: "ease-in" };
  back.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], half).onfinish = () => back.remove();
  g.firstElementChild.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(1)" }], { duration: 340 });
}

function depart(node, box, to) {
  const svg = one("#layer svg");
  if (!to || !svg || quick) return;
  const m = svg.getScreenCTM();
  const at = ([x, y]) => [(x - m.e) / m.a, (y - m.f) / m.d];
  const [[x, y], [tx, ty]] = [at(centre(box)), at(centre(to))];
  const outer = drawn("g", { transform: `translate(${x} ${y})`, class: "going" });
  const copy = node.cloneNode(true);
  copy.removeAttribute("data-key");
  outer.append(copy);
  svg.append(outer);
  copy.animate([{ transform: "none", opacity: 1 }, { transform: `translate(${tx - x}px, ${ty - y}px)`, opacity: 0.2 }], { duration: 450, easing: "ease-in" }).onfinish = () => outer.remove();
}
