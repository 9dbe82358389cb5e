/** Device types of visits and of searches (docs/product.md#32-records-of-visits-and-searches). */
export const VISIT_DEVICES = ["mobile", "desktop"] as const;
export const SEARCH_DEVICES = ["phone", "computer"] as const;

/** `order` on checkout and payment paths, else `visit` (docs/product.md#46-source-tracking). */
export const SOURCE_EVENTS = ["visit", "order"] as const;

/** Visits, searches and source events are deleted after this many days (docs/reliability.md#privacy). */
export const RETENTION_DAYS = 90;

/** The network of an IP address: 203.0.113.0, 2001:db8:1:: ; null for an invalid address. */
export function networkPrefix(ip: string): string | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(ip)) return ip.replace(/\.\d+$/, ".0");
  if (!/^[\da-f:]{2,39}$/i.test(ip) || !ip.includes(":")) return null;
  const [head = "", tail] = ip.split("::", 2);
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const all = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  return `${all
    .slice(0, 3)
    .map((group) => group.toLowerCase())
    .join(":")}::`;
}

/** The path of a page address, without query and fragment, so that no secret is stored. */
export function sanitizeVisitedPath(address: string): string {
  const path = URL.canParse(address, "https://self.invalid")
    ? new URL(address, "https://self.invalid").pathname
    : "/";
  return path.slice(0, 300);
}

/** The referrer without path and query of other sites. */
export function sanitizeReferrer(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname } = new URL(address);
  return origin === "null" ? null : `${origin}${pathname}`.slice(0, 300);
}

/** Lifetime of a stored attribution (docs/product.md#10-constants). */
export const SOURCE_LIFETIME_MS = 604_800_000;
/** Minimum milliseconds between two attribution reports (docs/product.md#10-constants). */
export const REPORT_WINDOW_MS = 2000;
