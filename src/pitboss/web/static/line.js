/* The line to the house. A command has an id of its own and is sent again until it is answered; a line that is lost, or
   that is dead and has not said so, is let go, and another is tried. */

export const waiting = new Map(); // id -> command, in the order in which they were given
let address = "";
let ears = {}; // what is done with what comes: answered(command, ack), scene(html), says(words)
let socket = null;
let tries = 0;
let since = 0; // when the house was last heard, or a command was sent to it that it has not answered

const freshId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

export const connected = () => socket?.readyState === WebSocket.OPEN;

export function begin(at, given) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  address = `${scheme}://${location.host}${at}`;
  ears = given;
  connect();
}

export function send(command) {
  const id = freshId();
  if (!waiting.size) since = performance.now();
  waiting.set(id, { id, ...command });
  if (connected()) socket.send(JSON.stringify(waiting.get(id)));
  else ears.says("Not connected: this is sent as soon as the house answers.");
  return id;
}

function connect() {
  socket = new WebSocket(address);
  socket.onopen = () => {
    tries = 0;
    since = performance.now();
    ears.says("");
    for (const command of waiting.values()) socket.send(JSON.stringify(command));
  };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = ({ code, reason }) => {
    if (code === 4001 || code === 4003) ears.says(reason || "The house has closed this connection.");
    else lost();
  };
}

let again = 0;

function lost() {
  if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
  socket?.close();
  socket = null;
  const wait = Math.min(15, 0.5 * 2 ** tries++) * (0.75 + Math.random() / 2);
  ears.says(`The connection is lost. Your seat and your bets stay; trying again in ${Math.ceil(wait)} s.`);
  clearTimeout(again);
  again = setTimeout(connect, wait * 1000);
}

const DEAF = 10_000; // milliseconds without an answer to a command: a phone in a lift has a line that leads nowhere
addEventListener("offline", lost);
addEventListener("online", () => { if (!socket) { clearTimeout(again); connect(); } });
setInterval(() => { if (waiting.size && connected() && performance.now() - since > DEAF) lost(); }, 1000);

function hear(message) {
  since = performance.now();
  if (message.ack) {
    const command = waiting.get(message.ack);
    waiting.delete(message.ack);
    ears.answered(command, message);
  }
  if (message.html) ears.scene(message.html);
  if (message.closed) ears.says(message.closed);
}
