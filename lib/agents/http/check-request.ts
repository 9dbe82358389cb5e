import { RateLimiterMemory } from "rate-limiter-flexible";
import { type Agent, isUnsupportedVersion, UCP_VERSION } from "@/lib/agents/rules";
import { clientIp } from "@/lib/platform/api/guard";
import { env } from "@/lib/platform/env";
import { consumePoints, takePoints } from "@/lib/platform/expensive-work";
import { ipGroup } from "@/lib/platform/http/ip";

/** Rejects a call with a status and a code of the protocol, and a sentence. */
export class ProtocolError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Points that one agent in one address group may use in ten seconds (lib/platform/expensive-work.ts). */
const AGENT_POINTS = 120;
const SECONDS = 10;
/** The points of a call: a search reads more than a lookup. */
export const CALL_COSTS = { read: 1, search: 2, plan: 4 } as const;

const globals = globalThis as typeof globalThis & { passlaneAgentPoints?: RateLimiterMemory };
globals.passlaneAgentPoints ??= new RateLimiterMemory({ points: AGENT_POINTS, duration: SECONDS });
const agentPoints = globals.passlaneAgentPoints;

/** Host names of a demo on its own machine. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Rejects a request with the Host or Origin of another site (DNS rebinding) before its body is read. Reads no
 * cookies.
 * @throws ProtocolError forbidden
 */
export function rejectForeignRequest({ headers }: Pick<Request, "headers">): void {
  const { APP_URL, APP_MODE } = env();
  const own = new URL(APP_URL);
  const isOwn = (host: string) => host === own.host || (APP_MODE === "demo" && LOCAL.test(host));
  const host = headers.get("host")?.toLowerCase() ?? own.host;
  if (!isOwn(host)) throw new ProtocolError(403, "host_forbidden", "This host is not the shop's.");
  const origin = headers.get("origin");
  if (origin === null) return;
  if (!URL.canParse(origin) || !isOwn(new URL(origin).host))
    throw new ProtocolError(403, "origin_forbidden", "Pages of other sites may not call this address.");
}

/**
 * Counts a call by address group and by agent within it.
 * @throws ShopError too_many_requests with `retryAfterSeconds`
 */
export async function countCall(headers: Headers, agent: Agent, cost: number): Promise<void> {
  const ip = clientIp(headers);
  await consumePoints(agentPoints, `${ipGroup(ip)} ${agent.name}`, cost);
  await takePoints(ip, cost);
}

/** @throws ProtocolError version_unsupported, which names both versions */
export function rejectUnsupportedVersion(agent: Agent): void {
  if (isUnsupportedVersion(agent))
    throw new ProtocolError(
      422,
      "version_unsupported",
      `Protocol version ${agent.version} is not supported. This business supports version ${UCP_VERSION}.`,
    );
}
