import ipaddr from "ipaddr.js";

/** An address in its usual spelling; an IPv4 address mapped into IPv6 becomes the IPv4 one. Other text stays as it is. */
export function normalizeIp(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
}

/** What a rate limit counts as one client: the IPv4 address, or the /64 network of an IPv6 address. */
export function ipGroup(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}
