/* The shoe that is over, held against what this browser was shown before its first card: see fair.js. */

import { verify } from "./fair.js";

const shown = (table, shoe) => `shoe ${table} ${shoe}`;

/** What binds the house is kept from the moment that it is shown, and the player's own seed as long as it counts. */
export function keep(table, shoe, commitment, seed = "") {
  const key = shown(table, shoe);
  const before = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  sessionStorage.setItem(key, JSON.stringify({ commitment: before.commitment ?? commitment, ...(seed ? { seed } : {}) }));
}

/** The record of a shoe is fetched, shuffled again, and told in one sentence. */
export async function check(table, shoe, tell) {
  try {
    const answer = await fetch(`/fair/${encodeURIComponent(table)}/${shoe}.json`);
    if (!answer.ok) return tell({ ok: false, text: `Shoe ${shoe}: the house has not shown its record.` });
    const seen = { table, shoe, ...JSON.parse(sessionStorage.getItem(shown(table, shoe)) ?? "{}") };
    const record = await answer.json();
    const { ok, faults } = verify(record, seen);
    const cards = record.deals?.reduce((sum, deal) => sum + deal.cards.length, 0) ?? 0;
    tell({ ok, text: ok ? `Shoe ${shoe} is true: all ${cards} cards are those of its shuffle.` : `Shoe ${shoe} is NOT true: ${faults[0]}.` });
  } catch {
    tell({ ok: false, text: `Shoe ${shoe} could not be checked.` });
  }
}
