/** The version of the Universal Commerce Protocol that the endpoints speak (docs/agents.md). */
export const UCP_VERSION = "2026-08-25";

/** The caller as it identifies itself, which is never trusted. `name` is stored with figures and orders. */
export type Agent = {
  name: string;
  /** the address of its profile; null if there is none that can be fetched */
  profile: string | null;
  /** the protocol version that it declares; null if it declares none */
  version: string | null;
};

/** The attribution source of visits and orders that come from an agent. */
export const AGENT_SOURCE = "agent";
const NAME_LENGTH = 60;
const UNNAMED = "unknown";

/** The name of an agent as it is stored: lower case letters, digits, points and hyphens. */
export const toAgentName = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, NAME_LENGTH) || UNNAMED;

/** The host of a profile's address, which only its owner can serve; null for anything but a public https address. */
export function profileHost(profile: string): string | null {
  if (profile.length > 500 || !URL.canParse(profile)) return null;
  const { protocol, hostname, username, password, port } = new URL(profile);
  const isPlain = protocol === "https:" && !username && !password && (port === "" || port === "443");
  return isPlain && /^(?=.*[a-z])[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(hostname)
    ? hostname.replace(/^www\./, "")
    : null;
}

/** An agent by its profile and what its client calls itself. */
export function toAgent({
  profile,
  version,
  client,
}: {
  profile?: string | null;
  version?: string | null;
  client?: string | null;
}): Agent {
  const host = profile ? profileHost(profile) : null;
  return {
    name: toAgentName(host ?? client ?? ""),
    profile: host && profile ? profile : null,
    version: version ?? null,
  };
}

/** Libraries and browsers, whose user agents do not name an assistant. */
const GENERIC_CLIENT =
  /^(?:mozilla|node|undici|node-fetch|axios|got|deno|bun|curl|wget|python.*|httpx|aiohttp|go-http-client|okhttp|java.*|reqwest|libwww.*)$/i;

/**
 * The agent of the header `UCP-Agent: profile="https://…";version="…"` (RFC 8941); without one, of the user
 * agent unless it is a library's.
 */
export function readAgentHeader(header: string | null, userAgent: string | null): Agent {
  const value = (key: string) =>
    new RegExp(`(?:^|[;,\\s])${key}\\s*=\\s*"([^"]{1,500})"`).exec(header?.slice(0, 2000) ?? "")?.[1];
  const [client] = /^[\w.-]{1,60}/.exec(userAgent ?? "") ?? [];
  return toAgent({
    profile: value("profile"),
    version: value("version"),
    client: client && !GENERIC_CLIENT.test(client) ? client : null,
  });
}

/** Whether the agent requires a version that the shop does not support. Without a version, the current one is meant. */
export const isUnsupportedVersion = ({ version }: Agent): boolean =>
  version !== null && version !== UCP_VERSION;

/** Removes control characters and those that hide text or change its direction, because a model reads the result. */
export const plainText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, "")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .trim();
