// Preloaded (`--import`) by kill-at-write-trial.ts: counts writes to Postgres, the payment provider and the mail
// provider (KILL_PORTS) and kills the process with -9 at the n-th write, before or after it is sent.
// The server's code has no hook for this.
import { Socket } from "node:net";

const ports = new Set((process.env.KILL_PORTS ?? "").split(",").map(Number));
let writes = 0;
let killAt = 0;
let killAfter = false;
let armed = false;

/** Counts writes from now on and kills at the n-th; 0 only counts. */
globalThis.passlaneArmKill = (n, when) => {
  armed = true;
  killAt = n;
  killAfter = when === "after";
};
globalThis.passlaneCountWrites = () => writes;

const write = Socket.prototype.write;
Socket.prototype.write = function (...args) {
  if (!armed || !ports.has(this.remotePort)) return write.apply(this, args);
  writes += 1;
  if (writes !== killAt) return write.apply(this, args);
  if (!killAfter) process.kill(process.pid, "SIGKILL");
  // The kernel has the bytes when the call returns, and no response can have been read yet.
  const written = write.apply(this, args);
  process.kill(process.pid, "SIGKILL");
  return written;
};
