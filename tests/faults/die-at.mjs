// Preloaded by a trial into a process that is to die (`--import`): counts what leaves it for Postgres, the payment
// provider or the mail provider (DIE_PORTS), and at the n-th writing kills it with -9, before or after it has left.
// The shop itself knows nothing of this.
import { Socket } from "node:net";

const ports = new Set((process.env.DIE_PORTS ?? "").split(",").map(Number));
let left = 0;
let at = 0;
let after = false;
let armed = false;

/** From now on writings count; the n-th kills, 0 only counts. */
globalThis.passlaneDieArm = (n, when) => {
  armed = true;
  at = n;
  after = when === "after";
};
globalThis.passlaneDieCount = () => left;

const write = Socket.prototype.write;
Socket.prototype.write = function (...args) {
  if (!armed || !ports.has(this.remotePort)) return write.apply(this, args);
  left += 1;
  if (left !== at) return write.apply(this, args);
  if (!after) process.kill(process.pid, "SIGKILL");
  // The kernel has it when the call returns; no answer can have been read by then.
  const sent = write.apply(this, args);
  process.kill(process.pid, "SIGKILL");
  return sent;
};
