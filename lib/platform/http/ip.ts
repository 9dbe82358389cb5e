import ipaddr from "ipaddr.js";

/** Normalizes an IP address; an IPv4-mapped IPv6 address becomes the IPv4 one. Other text is returned unchanged. */
export function normalizeIp(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
}

/** The client for rate limits: the IPv4 address, or the /64 network of an IPv6 address. */
export function ipGroup(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}

/** The network of an IP address: 203.0.113.0, 2001:db8:1:: ; null for an invalid address. */
export function networkPrefix(ip: string): string | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ip.replace(/\.\d+$/, ".0");
  if (!ipaddr.IPv6.isValid(ip)) return null;
  const groups = ipaddr.IPv6.parse(ip).parts.slice(0, 3);
  return `${groups.map((group) => group.toString(16)).join(":")}::`;
}
