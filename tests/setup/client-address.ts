import { createHash, randomBytes } from "node:crypto";

/**
 * An address for the header X-Forwarded-For, so that test clients do not share the limits per address: servers in tests
 * run with TRUSTED_PROXIES, and their clients write what a proxy would. The same `client` gets the same address.
 */
export function clientAddress(client?: string): string {
  const bytes =
    client === undefined ? randomBytes(3) : createHash("sha256").update(client).digest().subarray(0, 3);
  return `10.${[...bytes].join(".")}`;
}
