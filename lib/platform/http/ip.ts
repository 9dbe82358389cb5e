import ipaddr from "ipaddr.js";

/**
 * Parses an IP address in the spellings that proxies write: with quotes, brackets, a port or a zone, in upper case, or an
 * IPv4 address mapped into IPv6. Null for other text.
 */
function parseIp(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = text
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1")
    .replace(/%.*$/, "");
  const isIp = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isIp ? ipaddr.process(address) : null;
}

/** The normal form of an IP address. All other text is `unknown`, so that it counts as one client. */
export const normalizeIp = (text: string): string => parseIp(text)?.toString() ?? "unknown";

/** The address group that limits count: the IPv4 address, or the /64 network of an IPv6 address. */
export function ipGroup(text: string): string {
  const address = parseIp(text);
  if (address?.kind() !== "ipv6") return normalizeIp(text);
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}

/** An address or a network (CIDR) in its normal form; null for other text. */
export function normalizeNetwork(text: string): string | null {
  const address = parseIp(text);
  if (address) return address.toString();
  if (!ipaddr.isValidCIDR(text.trim())) return null;
  const [network, bits] = ipaddr.parseCIDR(text.trim());
  const family = network.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${network}/${bits}`)}/${bits}`;
}

/** Whether an address is one of these addresses, or in one of these networks. */
export function isInNetworks(ip: string, networks: readonly string[]): boolean {
  const address = parseIp(ip);
  return networks.some((network) => {
    if (!address) return false;
    if (!network.includes("/")) return address.toString() === network;
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === address.kind() && address.match(base, bits);
  });
}

/** The network of an IP address: 203.0.113.0, 2001:db8:1:: ; null for an invalid address. */
export function networkPrefix(ip: string): string | null {
  const address = parseIp(ip);
  if (!address) return null;
  if (address instanceof ipaddr.IPv4) return address.toString().replace(/\.\d+$/, ".0");
  const groups = address.parts.slice(0, 3);
  return `${groups.map((group) => group.toString(16)).join(":")}::`;
}
