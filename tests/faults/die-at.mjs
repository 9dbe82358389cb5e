// Preloaded by the stand into a process that is to die (`--import`): counts what leaves it for Postgres, the payment
// provider or the mail provider, and at the n-th writing kills it with -9, before or after it has left. The shop
// itself knows nothing of this. DIE_AT 0 only counts; the count is printed at the end as `left: N`.
import { Socket } from "node:net";

const ports = new Set((process.env.DIE_PORTS ?? "").split(",").map(Number));
const at = Number(process.env.DIE_AT ?? 0);
const after = process.env.DIE_WHEN === "after";
let left = 0;
let armed = false;

globalThis.passlaneDieArm = () => {
  armed = true;
};
globalThis.passlaneDieCount = () => left;

const write = Socket.prototype.write;
Socket.prototype.write = function (...args) {
  if (!armed || !ports.has(this.remotePort)) return write.apply(this, args);
  left += 1;
  if (left !== at) return write.apply(this, args);
  if (!after) process.kill(process.pid, "SIGKILL");
  const sent = write.apply(this, args);
  // The kernel has it once the write's turn is over; no answer can have been read by then.
  process.kill(process.pid, "SIGKILL");
  return sent;
};
