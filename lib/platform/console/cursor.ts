import { createHash } from "node:crypto";
import { ShopError } from "@/lib/platform/errors";

/** The sort values of the last row, its id last. */
export type CursorValues = readonly string[];

const MAX_VALUE = 260;

/** A hash of the filters: a cursor of other filters is refused, because it would leave rows out. */
const filterHash = (filters: object): string => {
  const active = Object.entries(filters).filter(([name, value]) => name !== "cursor" && value !== undefined);
  return createHash("sha256").update(JSON.stringify(active.sort())).digest("base64url").slice(0, 12);
};

/** A cursor after the row with these values. */
export const encodeCursor = (filters: object, values: CursorValues): string =>
  Buffer.from(JSON.stringify([filterHash(filters), ...values])).toString("base64url");

/**
 * The values of a cursor; null without one. `patterns`: the form of each value.
 * @throws ShopError cursor_invalid: malformed, or made with other filters
 */
export function decodeCursor(
  cursor: string | undefined,
  filters: object,
  patterns: readonly RegExp[],
): string[] | null {
  if (cursor === undefined) return null;
  const [hash, ...values] = parse(cursor);
  const isValid =
    hash === filterHash(filters) &&
    values.length === patterns.length &&
    values.every(
      (value, i) => typeof value === "string" && value.length <= MAX_VALUE && patterns[i]!.test(value),
    );
  if (!isValid) throw new ShopError("cursor_invalid");
  return values as string[];
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** The form of a time to the microsecond, as `timeToMicros` writes it. */
export const TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
export const ID_PATTERN = /^[\w:-]{1,80}$/;
export const TEXT_PATTERN = /^[^\0]*$/s;
export const NUMBER_PATTERN = /^\d{1,10}$/;
export const WORD_PATTERN = /^\w{1,20}$/;
