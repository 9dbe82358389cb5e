import { request } from "node:https";
import type { LookupFunction } from "node:net";
import {
  type Address,
  type Network,
  PUBLIC_NETWORK,
  resolveAddress,
} from "@/lib/platform/http/resolve-address";

const LIMIT_BYTES = 64 * 1024;
const TIMEOUT_MS = 2000;

/** For tests: another network, time and certificate. */
export type FetchOptions = { network?: Network; timeoutMs?: number; ca?: Buffer };

/**
 * Fetches an https address of an agent. The host may have no private address, and the connection goes to the
 * address that was checked, so that a changed DNS record has no effect. Follows no redirects, and stops at 64
 * kB or two seconds.
 * @throws Error that names the violated rule
 */
export async function fetchProfile(
  address: string,
  { network = PUBLIC_NETWORK, timeoutMs = TIMEOUT_MS, ca }: FetchOptions = {},
): Promise<Buffer> {
  const url = new URL(address);
  if (url.protocol !== "https:" || url.username || url.password) throw new Error("not a plain https address");
  const signal = AbortSignal.timeout(timeoutMs);
  const pinned = await Promise.race([resolveAddress(url.hostname, network), whenAborted(signal)]);
  if (pinned === "blocked") throw new Error("blocked address");
  if (pinned === "unknown") throw new Error("unknown host");
  return read(url, pinned, signal, ca);
}

/** Name servers are asked without a signal. @throws the signal's reason */
const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

function read(url: URL, pinned: Address, signal: AbortSignal, ca: Buffer | undefined): Promise<Buffer> {
  const lookup: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [pinned]) : done(null, pinned.address, pinned.family);
  return new Promise((resolve, reject) => {
    const call = request(url, { lookup, signal, agent: false, ca, headers: { accept: "application/json" } });
    call.once("error", reject);
    call.once("response", (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`status ${response.statusCode}`));
        call.destroy();
        return;
      }
      const parts: Buffer[] = [];
      let size = 0;
      response.on("data", (part: Buffer) => {
        size += part.length;
        if (size > LIMIT_BYTES) {
          reject(new Error("too long"));
          call.destroy();
        } else parts.push(part);
      });
      response.once("end", () => resolve(Buffer.concat(parts)));
      response.once("error", reject);
    });
    call.end();
  });
}
