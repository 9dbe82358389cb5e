import { db } from "@/db/client";
import { csvStream } from "@/lib/platform/console/csv";
import { DELIMITERS, type Delimiter, declaredDelimiter, isBlankRow } from "@/lib/platform/content/csv";
import { parseFields, withoutBlankEnd } from "@/lib/platform/content/csv-fields";
import { readLines } from "@/lib/platform/content/lines";
import { type Reason, reason } from "@/lib/platform/error-messages";
import { foldText } from "@/lib/platform/fold-text";
import { listPlansForFile, type PlanOwner } from "./read-priced-plans";
import type { PlanEdit } from "./rules";

/** The columns of the file. Only `vip_id` and `price` are required when it is read. */
export const PRICE_COLUMNS = ["vip_id", "product", "plan", "price"] as const;
const LINE_LIMIT_BYTES = 8 * 1024;
const PART = 1_000;

/**
 * The prices of all listed plans as CSV, to be edited and uploaded again. Reads the plans in parts while the
 * file is sent.
 */
export const priceFile = (owner: PlanOwner): ReadableStream<Uint8Array> =>
  csvStream({
    columns: PRICE_COLUMNS,
    read: async (cursor) => {
      const plans = await listPlansForFile(db, Number(cursor ?? 0), PART, owner);
      return {
        items: plans.map(({ vip_id, product, plan, price }) => [vip_id, product, plan, price.toFixed(2)]),
        next_cursor: plans.length < PART ? null : String(plans.at(-1)!.vip_id),
        total: plans.length,
        total_exact: false,
        looked_back_to: null,
      };
    },
  });

export type PriceFileError = { line: number; field: string } & Reason;
type Header = { id: number; price: number; fields: number; delimiter: Delimiter };

function readHeader(text: string, declared: Delimiter | undefined): Header | null {
  for (const delimiter of declared ? [declared] : DELIMITERS) {
    const names = withoutBlankEnd(parseFields(text, delimiter) ?? []).map((name) =>
      foldText(name).trim().toLowerCase(),
    );
    const [id, price] = [names.indexOf("vip_id"), names.indexOf("price")];
    if (id >= 0 && price >= 0) return { id, price, fields: names.length, delimiter };
  }
  return null;
}

/** The cents of an amount with at most two decimals after a point or a comma; null for other text. */
function readCents(text: string): number | null {
  const [, dollars, cents = ""] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
}

/**
 * The edits of a price file, and the lines that cannot be read. A second line for a plan is rejected. A line
 * with an unchanged price is an edit too.
 */
export async function readPriceFile(
  source: AsyncIterable<Buffer>,
): Promise<{ edits: PlanEdit[]; refused: PriceFileError[] }> {
  const edits: PlanEdit[] = [];
  const refused: PriceFileError[] = [];
  const lines = new Map<number, number>();
  let header: Header | undefined;
  let declared: Delimiter | undefined;
  for await (const { number: line, ...read } of readLines(source, LINE_LIMIT_BYTES)) {
    const refuse = (field: string, ...why: Parameters<typeof reason>) =>
      refused.push({ line, field, ...reason(...why) });
    if (read.problem !== undefined) {
      refused.push({ line, field: "", ...read.problem });
      if (!header) break;
      continue;
    }
    if (isBlankRow(read.text)) continue;
    if (!header) {
      const named = declared ? undefined : declaredDelimiter(read.text);
      if (named) {
        declared = named;
        continue;
      }
      const found = readHeader(read.text, declared);
      if (!found) {
        refuse("", "price_file_header");
        break;
      }
      header = found;
      continue;
    }
    const parsed = parseFields(read.text, header.delimiter);
    const fields = parsed && withoutBlankEnd(parsed, header.fields);
    if (!fields) refuse("", "key_csv");
    else if (fields.length !== header.fields)
      refuse("", "price_fields", { found: fields.length, expected: header.fields });
    else {
      const [id = "", price = ""] = [fields[header.id], fields[header.price]];
      const planId = /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647 ? Number(id) : null;
      const cents = readCents(price);
      const earlier = planId === null ? undefined : lines.get(planId);
      if (planId === null) refuse("vip_id", "price_plan");
      else if (earlier !== undefined) refuse("vip_id", "price_repeated", { line: earlier });
      else if (cents === null) refuse("price", "price_amount");
      else {
        lines.set(planId, line);
        edits.push({ line, planId, kind: "price", cents });
      }
    }
  }
  return { edits, refused };
}
