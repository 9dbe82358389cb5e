// Next bundles instrumentation.ts separately from the server entry. Both reach the mark through globalThis.
const globals = globalThis as typeof globalThis & { passlaneServerEntry?: boolean };

/** Called by server.ts before it loads Next. */
export function markServerEntry(): void {
  globals.passlaneServerEntry = true;
}

/**
 * Ends a process in which Next was started without the server entry, as by `next start`: it would have neither the limits
 * of requests, the security headers and the trusted proxies of server.ts, nor a worker.
 */
export function requireServerEntry(): void {
  if (globals.passlaneServerEntry) return;
  console.error("Passlane does not run under next start: use npm start, or node server.js of a release.");
  process.exit(1);
}
