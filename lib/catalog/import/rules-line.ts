// Parts of a line that the importer and the editor in the browser read alike.

/** The longest line of a file, and of the editor. */
export const LINE_LIMIT_BYTES = 256 * 1024;

const DURATION = /^P(?=\d|T\d)(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,6})M)?)?$/;

/** Whether a time is a duration that is counted from the import. */
export const isRelativeTime = (time: string): boolean => DURATION.test(time);

/** The instant of a time in the file; a duration is counted from `start`. */
export function resolveTime(time: string, start: Date): Date {
  const parts = DURATION.exec(time);
  if (!parts) return new Date(time);
  const [weeks = 0, days = 0, hours = 0, minutes = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return new Date(start.getTime() + (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000);
}

/** Identifies a plan of a product: `day:1`, `day:3`, `lifetime`. */
export const planKind = (plan: { type: string; duration_days: number | null }): string =>
  plan.duration_days === null ? plan.type : `${plan.type}:${plan.duration_days}`;

const STORED_PICTURE = /^stored:([0-9a-f]{64})$/;

/** The `image` of a record whose picture the shop has; it needs no file. */
export const storedPicture = (hash: string): string => `stored:${hash}`;

/** The hash in the `image` of a record whose picture the shop has; null: a path. */
export const storedPictureHash = (image: string): string | null => STORED_PICTURE.exec(image)?.[1] ?? null;

/** Fields of a record that refer to something else. */
const WORDLESS_FIELDS: readonly string[] = ["kind", "category", "image"];

/** The texts of a record, each with its path, that are not in the record `before`. */
export function textsOfRecord(line: unknown, before?: unknown): { path: string; text: string }[] {
  const previousTexts = new Set(
    before === undefined || before === null ? [] : walkTexts(before).map(({ text }) => text),
  );
  return walkTexts(line).filter(({ text }) => !previousTexts.has(text));
}

function walkTexts(value: unknown, path = ""): { path: string; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((each, i) => walkTexts(each, `${path}[${i}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    path === "" && WORDLESS_FIELDS.includes(key) ? [] : walkTexts(each, path === "" ? key : `${path}.${key}`),
  );
}
