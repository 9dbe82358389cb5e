import {
  ATTRIBUTION_COOKIE,
  ATTRIBUTION_SECONDS,
  type CapturedAttribution,
  captureAttribution,
  parseCookieText,
  toCookieText,
} from "@/lib/platform/routing/attribution-cookie";
import { isPagePath } from "@/lib/platform/routing/routes";
import { cookieValue } from "./cookies";

/** The request's headers `Sec-GPC` and `DNT`. */
type Signals = { gpc: string | null | undefined; dnt: string | null | undefined };

/** Visitors who decline tracking are not tracked (docs/decisions/0011-respect-visitors-who-decline-tracking.md). */
const declinesTracking = ({ gpc, dnt }: Signals): boolean => gpc === "1" || dnt === "1";

type Landing = {
  pathname: string;
  /** Empty, or including the question mark. */
  search: string;
  signals: Signals;
  secure: boolean;
};

/**
 * The Set-Cookie line of a landing address with attribution parameters; null without any, and for visitors who decline
 * tracking. For responses that are not cached pages.
 */
export function landingCookie({ pathname, search, signals, secure }: Landing): string | null {
  if (search.length < 2 || declinesTracking(signals) || !isPagePath(pathname)) return null;
  const captured = captureAttribution(new URLSearchParams(search));
  if (!captured) return null;
  const attributes = `Max-Age=${ATTRIBUTION_SECONDS}; Path=/; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `${ATTRIBUTION_COOKIE}=${toCookieText(Object.entries(captured))}; ${attributes}`;
}

/**
 * The attribution of a call: the fields that it carries, else those of the cookie. Null without any, and for visitors who
 * decline tracking.
 */
export function attributionOfCall(
  fields: Readonly<Record<string, string>>,
  headers: Headers,
): CapturedAttribution | null {
  if (declinesTracking({ gpc: headers.get("sec-gpc"), dnt: headers.get("dnt") })) return null;
  if (Object.keys(fields).length > 0) return { ...fields };
  const captured = parseCookieText(cookieValue(headers.get("cookie"), ATTRIBUTION_COOKIE));
  return Object.keys(captured).length > 0 ? captured : null;
}
