import { memoize } from "@/lib/platform/memoize";

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
