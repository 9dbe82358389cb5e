import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseFields } from "@/lib/platform/content/csv-fields";
import { rounds } from "../setup/rounds";

const parsed = (text: string) => {
  try {
    const [fields, ...rest] = parse(text, { relax_column_count: true, trim: true }) as string[][];
    return fields && rest.length === 0 ? fields : null;
  } catch {
    return null;
  }
};

it("a line of codes has the fields that the CSV parser finds", () => {
  const unit = fc.constantFrom(
    "a",
    "B-7",
    ",",
    ",",
    " ",
    "\t",
    "\f",
    "\v",
    "\u00a0",
    "\u3000",
    '"',
    "é",
    "終",
    "'",
    ";",
  );
  const line = fc.string({ unit, minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(line, (text) => {
      expect(parseFields(text)).toEqual(parsed(text));
    }),
    { numRuns: rounds(3000, 500) },
  );
});
