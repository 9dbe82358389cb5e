import { memoize } from "./memoize";

/** Clients send the reader's time zone in this header, as GitHub's API does; other values are ignored. */
export const TIME_ZONE_HEADER = "time-zone";

/**
 * The canonical IANA name of a time zone (`asia/tokyo` → `Asia/Tokyo`); null for anything else, offsets included. Names
 * are canonical so that formatters, which are cached by zone, stay few.
 */
export function canonicalTimeZone(name: string | null | undefined): string | null {
  return name && /^[A-Za-z][\w+/-]{1,63}$/.test(name) ? canonical(name).zone : null;
}

const canonical = memoize((name: string): { zone: string | null } => {
  try {
    return { zone: new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone };
  } catch {
    return { zone: null };
  }
});

/** The browser's time zone; UTC where it is unknown. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
