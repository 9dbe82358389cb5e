import { writeCookie } from "@/lib/platform/http/browser-cookie";
import {
  ATTRIBUTION_COOKIE,
  ATTRIBUTION_SECONDS,
  capturedValue,
  isCapturedName,
  toCookieText,
} from "./attribution-cookie";
import { hideSecrets } from "./hide-secrets";
import { ATTRIBUTION_PARAMS } from "./paths";

/**
 * Attribution of a visit, kept in the browser for 7 days (docs/product.md#33-what-the-browser-keeps) under two keys:
 * the URL's parameters, and the arrival. Source, medium, campaign and content are in a cookie too, for the server.
 */
export const URL_KEY = "source_from_url";
export const SOURCE_KEY = "user_source_data";
const MAX_AGE_MS = ATTRIBUTION_SECONDS * 1000;

type Params = { [name in (typeof ATTRIBUTION_PARAMS)[number]]?: string };
export type StoredAttribution = Params & {
  timestamp: number;
  landingPage: string;
  referrer: string;
  /** The invite code of the first visit. */
  invited_account?: string;
  /** When the source was last reported and renewed, in all documents and tabs of this browser. */
  reportedAt?: number;
  renewedAt?: number;
};

/** The attribution parameters of a query, `utm_source` and the like included; undefined without any. */
export function parseAttribution(query: URLSearchParams): Params | undefined {
  const entries = ATTRIBUTION_PARAMS.flatMap((name) => {
    const value = isCapturedName(name) ? capturedValue(query, name) : query.get(name);
    return value ? [[name, value.slice(0, 200)] as const] : [];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Stores the attribution parameters of the address, if any; `invited` is an invite code. */
export function storeAttribution(invited?: string): void {
  const params = parseAttribution(new URLSearchParams(location.search));
  if (!params && !invited) return;
  const captured = Object.entries(params ?? {}).filter(([name]) => isCapturedName(name));
  if (captured.length > 0 && !declinesTracking())
    writeCookie(`${ATTRIBUTION_COOKIE}=${toCookieText(captured)}`, ATTRIBUTION_SECONDS);
  const previous = readAttribution();
  const source: StoredAttribution = {
    ...previous,
    ...params,
    ...(invited && { invited_account: invited.slice(0, 64) }),
    timestamp: Date.now(),
    landingPage: previous?.landingPage ?? hideSecrets(location.pathname),
    referrer: previous?.referrer ?? document.referrer,
  };
  attempt(() => {
    if (params) localStorage.setItem(URL_KEY, JSON.stringify({ ...params, timestamp: source.timestamp }));
    localStorage.setItem(SOURCE_KEY, JSON.stringify(source));
  });
}

/** Removes the stored attribution. */
export function removeAttribution(): void {
  attempt(() => {
    localStorage.removeItem(URL_KEY);
    localStorage.removeItem(SOURCE_KEY);
  });
}

type Signals = Navigator & { globalPrivacyControl?: boolean };

/** Visitors who decline tracking are not tracked (docs/decisions/0011-respect-visitors-who-decline-tracking.md). */
export const declinesTracking = (): boolean =>
  (navigator as Signals).globalPrivacyControl === true || navigator.doNotTrack === "1";

/** Adds attribution parameters to an address: all of the current address, and the captured ones of the stored (docs/product.md#24-navigation). */
export function withAttribution(address: string): string {
  const currentQuery = new URLSearchParams(location.search);
  const storedParams = readAttribution();
  const [addressWithoutHash = "", hash] = address.split("#", 2);
  const [path = "", search] = addressWithoutHash.split("?", 2);
  const query = new URLSearchParams(search);
  for (const name of ATTRIBUTION_PARAMS) {
    const value = currentQuery.get(name) ?? (isCapturedName(name) ? storedParams?.[name] : undefined);
    if (value && !query.has(name)) query.set(name, value);
  }
  return `${path}${query.size > 0 ? `?${query}` : ""}${hash === undefined ? "" : `#${hash}`}`;
}

/** The stored attribution, unless expired. */
export function readAttribution(): StoredAttribution | undefined {
  return attempt(() => {
    const source = JSON.parse(localStorage.getItem(SOURCE_KEY) ?? "null") as StoredAttribution | null;
    if (source && Date.now() - source.timestamp < MAX_AGE_MS) return source;
    if (source) removeAttribution();
    return undefined;
  });
}

/** Returns undefined if `use` throws: storage may be blocked or contain invalid values, and links must work anyway. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
