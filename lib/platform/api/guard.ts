import Negotiator from "negotiator";
import { findMemberships } from "@/lib/platform/auth/merchant-access";
import type { ResolvedSession, UserViewer, Viewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { cookieValue } from "@/lib/platform/http/cookies";
import { normalizeIp } from "@/lib/platform/http/ip";
import { isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { type Counter, type RateLimit, toCounters } from "@/lib/platform/rate-limit";
import {
  type Access,
  type FactorAccess,
  isFactorAccess,
  isStaffAccess,
  type StaffAccess,
} from "./declaration";
import { mediaType } from "./input";

/**
 * The client's address. prepareRequests() leaves one entry in the header, according to TRUSTED_PROXIES
 * (lib/platform/http/sanitize-headers.ts).
 */
export function clientIp(headers: Headers): string {
  return normalizeIp(headers.get("x-forwarded-for")?.split(",")[0]?.trim() || "unknown");
}

/** Characters of Accept-Language that are read. A header of thousands of languages takes 10 ms to parse. */
const MAX_ACCEPT_LANGUAGE = 500;

/**
 * The language of a request: `requested` by `target_lang`, else by Accept-Language, else `stored` in the `locale` cookie.
 * A signed-in user's saved language precedes the stored one.
 */
export function requestLocale(
  headers: Headers,
  targetLang: unknown,
): { requested?: Locale; stored?: Locale } {
  if (isLocale(targetLang)) return { requested: targetLang };
  const acceptLanguage = headers.get("accept-language")?.slice(0, MAX_ACCEPT_LANGUAGE) ?? "";
  const accepted = new Negotiator({ headers: { "accept-language": acceptLanguage } })
    .languages()
    .map((tag) => tag.toLowerCase().split("-")[0])
    .find(isLocale);
  if (accepted) return { requested: accepted };
  const stored = cookieValue(headers.get("cookie"), "locale");
  return isLocale(stored) ? { stored } : {};
}

const isSameOrigin = (origin: string, request: Request) => {
  if (origin === new URL(env().APP_URL).origin) return true;
  const { protocol, host } = new URL(request.url);
  const scheme = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim() ?? protocol.slice(0, -1);
  return origin === `${scheme}://${request.headers.get("host") ?? host}`;
};

/**
 * Rejects writes from other sites (docs/reliability.md#security). A cookie-authenticated write must be JSON, or a file of a
 * declared media type, which no form of another site can send either, and come from our own pages, by `Origin` or `Sec-Fetch-Site`. A request with neither header comes from no browser, so no site can
 * forge it. A foreign origin is rejected without a session too, so that no site can sign a visitor in.
 */
export function rejectCrossOriginWrite(
  request: Request,
  via: ResolvedSession["via"],
  fileTypes: readonly string[] = [],
): void {
  if (via === "bearer" || via === "token") return;
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (origin !== null && !isSameOrigin(origin, request)) throw new ShopError("cross_origin");
  if (origin === null && site !== null && site !== "same-origin" && site !== "none")
    throw new ShopError("cross_origin");
  const type = mediaType(request);
  if (via === "cookie" && !["application/json", "", ...fileTypes].includes(type))
    throw new ShopError("unsupported_media");
}

/** Throws unless this viewer may make this call; the domain checks ownership. Calls for merchants have `requireMerchant`. */
export async function checkAccess(access: Access, viewer: Viewer): Promise<void> {
  if (access === "public") return;
  if (viewer.kind !== "user") throw new ShopError("session_required");
  if (isStaffAccess(access)) checkStaffAccess(access, viewer);
  if (isFactorAccess(access)) await checkFactorAccess(access, viewer);
}

async function checkFactorAccess({ reauthenticated }: FactorAccess, viewer: UserViewer): Promise<void> {
  if (!viewer.staff && (await findMemberships(viewer.userId)).length === 0)
    throw new ShopError("call_unknown");
  if (reauthenticated && !viewer.factor.active) throw new ShopError("second_factor_required");
  if (reauthenticated && !viewer.factor.reauthenticated) throw new ShopError("reauthentication_required");
}

/** Rejects everyone but staff as if the call did not exist. */
function checkStaffAccess(access: StaffAccess, { staff }: UserViewer): void {
  if (!staff) throw new ShopError("call_unknown");
  if (access.factor && !staff.active) throw new ShopError("second_factor_required");
  if (!access.roles.some((role) => staff.roles.includes(role))) throw new ShopError("permission_missing");
  if (access.reauthenticated && !staff.reauthenticated) throw new ShopError("reauthentication_required");
}

const WRITE_LIMIT = { limit: 300, seconds: 60 };

/** The rate limit counters of a call: its declared limits; for a write that declares none, the general limit. */
export function rateLimitCounters(
  call: { path: string; write: boolean; rate: RateLimit[] | undefined },
  viewer: Viewer,
  ip: string,
): Counter[] {
  const name = `call:${call.path}`;
  const client = { ip, userId: viewer.kind === "user" ? viewer.userId : undefined };
  const declared = toCounters(call.rate ?? [], name, client);
  if (declared.length > 0 || !call.write) return declared;
  return toCounters([{ ...WRITE_LIMIT, by: viewer.kind === "guest" ? "ip" : "user" }], name, client);
}
