// Preloaded (`--import`) by a trial that kills its process: counts writes to Postgres, the payment provider and the mail
// provider (DIE_PORTS) and kills the process with -9 at the n-th write, before or after it is sent.
// The server's code has no hook for this.
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
  // The kernel has the bytes when the call returns, and no response can have been read yet.
  const sent = write.apply(this, args);
  process.kill(process.pid, "SIGKILL");
  return sent;
};
