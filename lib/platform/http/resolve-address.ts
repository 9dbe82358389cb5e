import { Resolver } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";

export type Address = { address: string; family: 4 | 6 };

/**
 * Networks to which nothing is sent: private, loopback and link-local ones, metadata services, and addresses that are
 * not unicast.
 */
const BLOCKED = {
  ipv4: [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["168.63.129.16", 32],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ],
  ipv6: [
    ["::", 96],
    ["64:ff9b::", 96],
    ["64:ff9b:1::", 48],
    ["100::", 64],
    ["2001::", 23],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["3fff::", 20],
    ["5f00::", 16],
    ["fc00::", 7],
    ["fe80::", 10],
    ["fec0::", 10],
    ["ff00::", 8],
  ],
} as const satisfies Record<"ipv4" | "ipv6", readonly (readonly [string, number])[]>;

const blocked = new BlockList();
for (const family of ["ipv4", "ipv6"] as const)
  for (const [network, bits] of BLOCKED[family]) blocked.addSubnet(network, bits, family);

/** Whether nothing may be sent to this address. An IPv4 address mapped into IPv6 is checked as IPv4. */
export const isBlockedAddress = (address: string): boolean =>
  isIP(address) === 0 || blocked.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/** How names are resolved; `lookUp` returns no address for an unknown name. */
export type Network = { lookUp(host: string): Promise<Address[]>; isBlocked(address: string): boolean };

const LOOK_UP_MS = 3_000;

/**
 * Asks the name servers, without the hosts file and without the threads of `dns.lookup`, which an unresponsive name
 * server would block for files and pictures.
 */
async function askNameServers(host: string): Promise<Address[]> {
  const resolver = new Resolver({ timeout: LOOK_UP_MS, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = (answer: typeof v4, family: 4 | 6): Address[] =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
  return [...found(v4, 4), ...found(v6, 6)];
}

export const PUBLIC_NETWORK: Network = { lookUp: askNameServers, isBlocked: isBlockedAddress };

/**
 * Resolves the address for a connection, once. `blocked`: one of the name's addresses is not public, so that none is
 * used; `unknown`: the name has no address.
 */
export async function resolveAddress(
  hostname: string,
  { lookUp, isBlocked }: Network,
): Promise<Address | "blocked" | "unknown"> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const literal = isIP(host);
  const addresses = literal ? [{ address: host, family: literal as 4 | 6 }] : await lookUp(host);
  if (addresses.some(({ address }) => isBlocked(address))) return "blocked";
  return addresses[0] ?? "unknown";
}
