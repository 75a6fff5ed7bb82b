/* A sign on the wall: meters as they are now, by server-sent events; all else is looked at again every few seconds. The
   browser connects again by itself. However many tables there are, they fit: the type is as large as it can be. */

import { look } from "./fresh.js";

const SMALLEST = 0.3;
const root = document.documentElement;

/** As many rows as the tables need, and all of them of a length. */
function columns() {
  const boards = document.querySelector("#boards");
  root.style.removeProperty("--columns");
  const most = getComputedStyle(boards).gridTemplateColumns.split(" ").filter((wide) => parseFloat(wide) > 0).length || 1;
  const rows = Math.ceil(boards.children.length / most);
  if (rows > 1) root.style.setProperty("--columns", Math.ceil(boards.children.length / rows));
}

function fit() {
  const fits = (scale) => {
    root.style.setProperty("--scale", scale);
    columns();
    return root.scrollHeight <= innerHeight;
  };
  let [low, high] = [SMALLEST, 1];
  if (fits(1)) return;
  for (let n = 0; n < 7; n++) fits((low + high) / 2) ? (low = (low + high) / 2) : (high = (low + high) / 2);
  fits(low);
}

fit();
addEventListener("resize", fit);
setInterval(() => look().then(fit), 4000);

const link = document.querySelector("#link");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const source = new EventSource("/events/meters");
let lost = 0; // a line that ended is there again in a second, and nobody need know
source.onopen = () => {
  clearTimeout(lost);
  lost = 0;
  link.textContent = "";
};
source.onerror = () => (lost ||= setTimeout(() => (link.textContent = "The connection is lost; these are the last amounts."), 4000));
source.onmessage = ({ data }) => {
  for (const { name, shows } of JSON.parse(data)) {
    for (const at of document.querySelectorAll("[data-meter]")) {
      const text = `$${shows.replace(/^\$/, "").replace(/\.00$/, "")}`;
      if (at.dataset.meter !== name || at.textContent === text) continue;
      at.textContent = text;
      if (!still.matches) at.animate([{ transform: "scale(1.06)" }, { transform: "none" }], { duration: 400, easing: "ease-out" });
    }
  }
};
