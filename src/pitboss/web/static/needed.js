/* What a seat still needs before it can be dealt in, told before the house has to refuse anything: circles that must be bet
   on, one of several, and those that another bet needs. Every circle says so of itself; no game is known here. */

export function needed(at, { bets, tokes }, named) {
  const circles = [...at.querySelectorAll(".circle")].map(({ dataset }) => dataset);
  const has = (wager) => bets[wager] > 0;
  if (!circles.some(({ wager }) => has(wager) || tokes[wager] > 0)) return ""; // who has not bet at all sits the round out
  const names = new Set();
  for (const { wager, called, required, oneOf } of circles) {
    const others = circles.filter((other) => oneOf.split(" ").includes(other.wager));
    if (has(wager)) continue;
    if (others.length && !others.some((other) => has(other.wager))) names.add(circles.filter((one) => one.wager === wager || others.includes(one)).map((one) => one.called).join(" or "));
    else if (required === "1" || circles.some((other) => has(other.wager) && other.needs === wager)) names.add(called);
  }
  if (!names.size) return "";
  const words = [...names].join(", ").replace(/, (?!.*, )/, " and ");
  return `${named ? `Seat ${at.dataset.seat} still needs` : "Still needed:"} ${words}.`;
}
