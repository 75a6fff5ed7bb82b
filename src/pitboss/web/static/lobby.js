/* The lobby looks again by itself: who sits down, which table opens, what a jackpot stands at. */

import { look } from "./fresh.js";

setInterval(() => document.hidden || look(), 5000);
