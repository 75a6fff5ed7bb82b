/* The shoe that is over, held against what this browser was shown before its first card and while it was dealt: see
   fair.js. All of it is kept for this tab alone, and a reload finds it again; whoever comes late knows less. */

import { verify } from "./fair.js";

const SHOES = 8; // of a table that are kept, the last ones
const LONGEST = 32000; // characters kept of one shoe: some 500 cards have 3,000

const keyOf = (table, shoe) => `shoe ${table} ${shoe}`;
const read = (table, shoe) => JSON.parse(sessionStorage.getItem(keyOf(table, shoe)) ?? "{}");

function write(table, shoe, kept) {
  const text = JSON.stringify(kept);
  if (text.length > LONGEST || text === sessionStorage.getItem(keyOf(table, shoe))) return;
  try {
    sessionStorage.setItem(keyOf(table, shoe), text);
  } catch {
    /* the browser keeps no more: the verdict says how many rounds it has */
  }
}

/** The shoes of a table that something is kept of, the first one first; those of long ago are let go. */
function shoesOf(table) {
  const found = Object.keys(sessionStorage).filter((key) => key.startsWith(keyOf(table, "")));
  const numbers = found.map((key) => Number(key.split(" ").at(-1))).sort((a, b) => a - b);
  for (const old of numbers.slice(0, -SHOES)) sessionStorage.removeItem(keyOf(table, old));
  return numbers.slice(-SHOES);
}

/** What was kept for somebody else is forgotten: a house that is begun anew has other shoes under the same numbers, and
    nobody has his old id there. */
export function forWhom(who) {
  if (sessionStorage.getItem("who") === who) return;
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("shoe ")) sessionStorage.removeItem(key);
  sessionStorage.setItem("who", who);
}

/** What binds the house is kept from the moment that it is shown, and how many rounds had been dealt by then; the
    player's own seed as long as it counts. */
export function keep(table, shoe, commitment, seed = "", since = undefined) {
  const { seed: _, ...before } = read(table, shoe);
  write(table, shoe, { ...(before.commitment ? {} : { commitment, since }), ...before, ...(seed ? { seed } : {}) });
}

let last = null; // how the table stood when it was looked at before: {shoe, round, of}

/** The table as it lies there: `now` is its {shoe, round, phase, from, commitment, seed}, `heaps` are lists of the faces
    that are seen, where a card that is drawn in two of them is one card. A shoe that is over is checked, and told. */
export function witness(table, now, heaps, tell) {
  const { shoe, round, phase } = now;
  keep(table, shoe, now.commitment, now.seed, round);
  if (last?.shoe === shoe) for (let dealt = Math.max(last.round, round - 50) + 1; dealt <= round; dealt++) saw(table, shoe, dealt, []);
  const of = origin(now);
  if (of && (["playing", "over"].includes(phase) || heaps.some((cards) => cards.length))) saw(table, of, round, heaps);
  last = { shoe, round, of };
  const dealt = (number) => phase === "closed" && number === shoe && read(table, number).rounds; // no next one is shown
  const over = (number) => number < shoe || dealt(number);
  const due = shoesOf(table).filter((number) => over(number) && !read(table, number).checked && !asked.has(keyOf(table, number)));
  return due.length ? judge(table, due, tell) : undefined;
}

/** The shoe that a round was dealt from. With the last card of one the next one is shown already, so the house says
    which; where that cannot be, it is the one that was shown before the cards. Who has just come takes its word. */
function origin({ shoe, round, phase, from }) {
  if (phase === "playing") return shoe;
  if (last?.of && last.round === round) return last.of;
  return from >= (last?.shoe ?? 1) && from <= shoe ? from : (last?.shoe ?? 0);
}

/** Cards of a round are kept, and none that was seen before is forgotten. What is new about a shoe is checked anew. */
function saw(table, shoe, round, heaps) {
  const { checked, ...kept } = read(table, shoe);
  const before = kept.rounds?.[round];
  const cards = heaps.reduce(both, before ?? []);
  if (!before || cards.length > before.length) write(table, shoe, { ...kept, rounds: { ...kept.rounds, [round]: cards } });
}

/** Of every card as many as lie in the one heap or in the other. */
function both(some, others) {
  const rest = [...some];
  const more = others.filter((card) => {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [...some, ...more];
}

const asked = new Map(); // shoes whose record is asked for or soon will be again: how often it was

/** One sentence about shoes that are over: about the last one, unless another is not true. */
async function judge(table, shoes, tell) {
  for (const shoe of shoes) asked.set(keyOf(table, shoe), (asked.get(keyOf(table, shoe)) ?? 0) + 1);
  const found = [];
  for (const shoe of shoes) {
    const key = keyOf(table, shoe), before = sessionStorage.getItem(key);
    const one = await check(table, shoe);
    found.push(one);
    if (one.later) {
      setTimeout(() => judge(table, [shoe], tell), Math.min(2000 * 2 ** asked.get(key), 300000) * (0.5 + Math.random()));
      continue;
    }
    asked.delete(key);
    if (sessionStorage.getItem(key) === before) write(table, shoe, { ...read(table, shoe), checked: true });
  }
  tell(found.find(({ lie }) => lie) ?? found.find(({ ok }) => !ok) ?? found.at(-1));
}

/** The record of a shoe is fetched, shuffled again, and held against what this page was shown. It may be that it cannot
    be had just now: then there is no verdict yet, and it is asked for again `later`. */
async function check(table, shoe) {
  try {
    const { since, checked, ...kept } = read(table, shoe);
    const answer = await fetch(`/fair/${encodeURIComponent(table)}/${shoe}.json`);
    if (answer.status === 429 || answer.status >= 500) throw new Error("too many ask, or the house is busy");
    if (!answer.ok) return { ok: false, text: `Shoe ${shoe}: the house has not shown its record.` };
    const record = await answer.json();
    const { ok, faults } = verify(record, { table, shoe, ...kept });
    if (!ok) return { ok, lie: true, text: `Shoe ${shoe} is NOT true: ${faults[0]}.` };
    const cards = record.deals.reduce((sum, deal) => sum + deal.cards.length, 0);
    return { ok, text: `Shoe ${shoe} is true: all ${cards} cards are those of its shuffle. ${compared(record, kept)}${late(record, kept, since)}` };
  } catch {
    return { ok: false, later: true, text: `Shoe ${shoe} could not be checked yet.` };
  }
}

/** What a true verdict rests on: no page can speak for cards that it has not seen. */
function compared({ deals }, { rounds = {} }) {
  const seen = Object.values(rounds).filter((cards) => cards.length);
  const many = `${deals.length} ${deals.length === 1 ? "round" : "rounds"}`;
  if (!seen.length) return `This page has seen no card of its ${many}.`;
  return `${seen.flat().length} of them were seen here, in ${seen.length} of ${many}.`;
}

function late({ deals }, { commitment }, since) {
  if (!commitment) return " What binds the house was not shown here.";
  const first = deals.find(({ round }) => typeof round === "number")?.round;
  return first <= since ? ` What binds the house was shown here after round ${since} was dealt.` : "";
}
