/* A sign on the wall: meters as they are now, by server-sent events; the browser connects again by itself. */

const link = document.querySelector("#link");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const source = new EventSource("/events/meters");
source.onopen = () => (link.textContent = "");
source.onerror = () => (link.textContent = "The connection is lost; these are the last amounts.");
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
