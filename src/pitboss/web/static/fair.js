/* The shuffle that a player can check, in the player's own browser: the twin of pitboss/cards/fair.py and revealed.py,
   sentence by sentence. docs/fairness.md has every byte of it.

   SHA-256 is written out here because a browser offers its own (crypto.subtle) over https and on the own machine only,
   and a table on the house's network may be plain http. Nothing is fetched and nothing is asked of the server. */

export const VERSION = "pitboss-shuffle-1";

const WORDS = 65536; // values of a two-byte word, and so the most cards of one shuffle
const LONGEST_SEED = 256; // bytes
const MOST_SEEDS = 100;
const KEPT = ["table", "shoe", "commitment"]; // what the table shows before the deal, and a player can keep
const NAMED = 5; // wrong cards that are named one by one, and as many that were seen and not dealt
const NAMES = [...[..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit)), "Jk", "Jk2"];
const CODES = new Map(NAMES.map((name, code) => [name, code]));

/** Whether a record is true, and what is wrong with it: {ok, faults}, one sentence each.
    `seen` is what this browser has kept: {table, shoe, commitment, seed} from before the deal, and as `rounds` the
    cards that it has shown on the felt, by the number of the round. */
export function verify(record, seen = {}) {
  const fault = misshapen(record);
  const faults = fault ? [fault] : [...unlike(record, seen), ...outOfLine(record.deals), ...unseen(record.deals, seen.rounds ?? {}), ...misdealt(record)];
  return { ok: faults.length === 0, faults };
}

/** What is shown of a secret before the deal: SHA-256 of its 32 bytes. */
export function commitment(secret) {
  return hex(sha256(bytes(secret)));
}

/** The key of one shoe: HMAC-SHA256 under the secret of which shoe it is and what the players have put in. */
export function shuffleKey(secret, table, shoe, seeds = []) {
  const lines = [VERSION, `table ${table}`, `shoe ${shoe}`, ...seeds.map((seed) => `seed ${hex(sha256(utf8(seed)))}`)];
  return hmac(bytes(secret), utf8(lines.map((line) => `${line}\n`).join("")));
}

/** The cards in dealing order; turn 0 is the shoe, 1 the first shuffle of its discards. */
export function fairShuffle(cards, key, turn = 0) {
  const drawn = words(key, turn);
  const out = [...cards];
  for (let last = out.length - 1; last > 0; last--) {
    const place = below(last + 1, drawn);
    [out[last], out[place]] = [out[place], out[last]];
  }
  return out;
}

/* ---- whether a record is true */

/** The first field that is not what it should be. */
function misshapen(record) {
  if (record === null || typeof record !== "object" || Array.isArray(record)) return "record: an object is wanted";
  const { version, table, shoe, seeds, cards, deals } = record;
  if (version !== VERSION) return `version: ${VERSION} is wanted`;
  if (!isTable(table)) return "table: 1 to 64 letters, digits, dots, dashes and _ are wanted";
  if (!isNumber(shoe)) return "shoe: a whole number from 1 on is wanted";
  for (const name of ["commitment", "secret"]) {
    if (!isHash(record[name])) return `${name}: 64 hex digits in small letters are wanted`;
  }
  if (!Array.isArray(seeds) || seeds.length > MOST_SEEDS || !seeds.every(isSeed)) {
    return `seeds: a list of up to ${MOST_SEEDS} texts of 1 to ${LONGEST_SEED} bytes is wanted`;
  }
  if (!areCards(cards) || cards.length < 1 || cards.length > WORDS) {
    return `cards: a list of 1 to ${WORDS} cards such as Ah or Tc is wanted`;
  }
  for (let place = 1; place < cards.length; place++) {
    if (CODES.get(cards[place]) < CODES.get(cards[place - 1])) {
      return `cards: new-deck order is wanted, and ${cards[place]} follows ${cards[place - 1]}`;
    }
  }
  if (!Array.isArray(deals) || !deals.every(isDeal)) {
    return "deals: a list of rounds, each with its number and its cards, is wanted";
  }
  return "";
}

const isTable = (value) => typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value);
const isNumber = (value) => Number.isSafeInteger(value) && value >= 1;
const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const areCards = (value) => Array.isArray(value) && value.every((card) => CODES.has(card));

function isSeed(value) {
  if (typeof value !== "string") return false;
  const found = utf8(value);
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(found) === value; // half a character is none
  return whole && found.length >= 1 && found.length <= LONGEST_SEED;
}

function isDeal(value) {
  if (value === null || typeof value !== "object" || !areCards(value.cards)) return false;
  return isNumber(value.round) || isTable(value.round);
}

/** Where the record is not of the shoe that was committed to. */
function* unlike(record, seen) {
  const found = commitment(record.secret);
  if (found !== record.commitment) yield `secret: its SHA-256 is ${found}, and the commitment is ${record.commitment}`;
  for (const name of KEPT) {
    if (name in seen && seen[name] !== record[name]) {
      yield `${name}: ${seen[name]} was shown before the deal, and the record has ${record[name]}`;
    }
  }
  if ("seed" in seen && !record.seeds.includes(seen.seed)) {
    yield `seeds: ${seen.seed} was given before the deal, and is not among them`;
  }
}

/** Where a round is missing, or comes again. What earlier records call a round of another name is a round that was
    voided, or several. */
function* outOfLine(deals) {
  if (deals.length === 0) yield "deals: the record has no round";
  let [before, more] = [0, true]; // whether the next one may have any later number
  for (const { round } of deals) {
    if (typeof round === "string") {
      more = true;
      continue;
    }
    if (round <= before || (round > before + 1 && !more)) {
      yield `deals: round ${before + 1} is wanted, and round ${round} follows round ${before}`;
      return;
    }
    [before, more] = [round, false];
  }
}

/** Where a card was on the felt that the record does not have in that round. It may well have more: what lay face down
    was dealt, too. */
function* unseen(deals, rounds) {
  const wrong = [];
  for (const number of Object.keys(rounds).map(Number).sort((a, b) => a - b)) {
    const cards = rounds[number];
    const found = deals.filter(({ round }) => round === number);
    if (found.length === 0) {
      wrong.push(`round ${number}: ${cards[0] ?? "it"} was seen on the felt, and the record has no such round`);
      continue;
    }
    const dealt = counted(found.flatMap((deal) => deal.cards));
    for (const [card, many] of counted(cards)) {
      const had = dealt.get(card) ?? 0;
      if (had === 0) wrong.push(`round ${number}: ${card} was seen on the felt, and was not dealt`);
      else if (many > had) wrong.push(`round ${number}: ${card} was seen ${many} times on the felt, and was dealt ${had}`);
    }
  }
  yield* wrong.slice(0, NAMED);
  if (wrong.length > NAMED) yield `cards and rounds that were seen and not dealt, besides these: ${wrong.length - NAMED}`;
}

function counted(cards) {
  const out = new Map();
  for (const card of cards) out.set(card, (out.get(card) ?? 0) + 1);
  return out;
}

/** Where a card that was dealt is not the next one. A round for which the shoe is too short goes on with the cards of
    the rounds before it, shuffled; then the shoe is over. */
function* misdealt(record) {
  const key = shuffleKey(record.secret, record.table, record.shoe, record.seeds);
  let order = fairShuffle(record.cards, key);
  const wrong = [];
  let [dealt, at] = [0, 0];
  for (const { round, cards } of record.deals) {
    let left = order.slice(at);
    if (cards.length > left.length) left = left.concat(fairShuffle(order.slice(0, at), key, 1));
    if (cards.length > left.length) {
      yield `round ${round}: cards dealt ${cards.length}, cards left ${left.length}`;
      break;
    }
    cards.forEach((card, place) => {
      if (card === left[place]) return;
      wrong.push(`round ${round}, card ${place + 1}: ${card} was dealt, and the shuffle gives ${left[place]}`);
    });
    dealt += cards.length;
    at = Math.min(at + cards.length, order.length);
    if (at === order.length) [order, at] = [[], 0];
  }
  if (wrong.length > Math.max(NAMED, Math.floor(dealt / 2))) {
    const many = `${wrong.length} of ${dealt} cards differ`;
    yield `seeds, secret, table or shoe: another shuffle was dealt; ${many}; ${wrong[0]}`;
    return;
  }
  yield* wrong.slice(0, NAMED);
  if (wrong.length > NAMED) yield `cards that the shuffle does not give, besides these: ${wrong.length - NAMED}`;
}

/* ---- what the shuffle is made of */

/** Two-byte words without end: HMAC-SHA256 under the key of turn and block number, four bytes each; 16 words a block. */
function* words(key, turn) {
  for (let block = 0; ; block++) {
    const message = new DataView(new ArrayBuffer(8));
    message.setUint32(0, turn);
    message.setUint32(4, block);
    const found = hmac(key, new Uint8Array(message.buffer));
    for (let i = 0; i < found.length; i += 2) yield found[i] * 256 + found[i + 1];
  }
}

/** One of so many, all equally likely: words beyond the last whole multiple of the bound are turned away. */
function below(bound, drawn) {
  const end = WORDS - (WORDS % bound);
  for (;;) {
    const word = drawn.next().value;
    if (word < end) return word % bound;
  }
}

export const hex = (found) => Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
const utf8 = (text) => new TextEncoder().encode(text);

/* ---- SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for keys of up to 64 bytes */

/** The first 32 bits behind the point of the square or cube roots of the first primes: where the standard's constants
    come from, so that they need not be copied. */
function roots(power, count) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let k = 2; k * k <= n; k++) prime = prime && n % k !== 0;
    if (!prime) continue;
    const under = BigInt(n) << BigInt(32 * power);
    let root = 0n;
    for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** BigInt(power) <= under) root += bit;
    found.push(Number(root & 0xffffffffn) | 0);
  }
  return found;
}

const START = roots(2, 8);
const ROUNDS = roots(3, 64);
const turned = (x, by) => (x >>> by) | (x << (32 - by));

/** SHA-256 of bytes. */
export function sha256(message) {
  const padded = new DataView(new ArrayBuffer(((message.length + 8) >> 6) * 64 + 64));
  new Uint8Array(padded.buffer).set(message);
  padded.setUint8(message.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(message.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, message.length << 3);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let from = 0; from < padded.byteLength; from += 64) {
    for (let i = 0; i < 16; i++) w[i] = padded.getInt32(from + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] = w[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3));
      w[i] += w[i - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((x, i) => out.setInt32(4 * i, x));
  return new Uint8Array(out.buffer);
}

/** HMAC-SHA256 of bytes under a key. */
export function hmac(key, message) {
  const padded = (by) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ by);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

function joined(first, second) {
  const out = new Uint8Array(first.length + second.length);
  out.set(first);
  out.set(second, first.length);
  return out;
}
