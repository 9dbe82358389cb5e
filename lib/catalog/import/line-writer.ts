import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import type { LineSource } from "@/lib/catalog/rules";
import { reason } from "@/lib/platform/error-messages";
import type { ImportError } from "./contract";
import type { FindTextsWithCode } from "./refuse-codes";
import { jsonSql, type ParsedLine } from "./store-plans";

export type LineResult = "added" | "changed" | "unchanged" | ImportError;

/** Who writes lines, and what it may do. */
export type Writer = {
  source: LineSource;
  /** `import` or a user's id */
  by: string;
  note?: string | undefined;
  /** Replaces what was written in the console. */
  takeOver?: boolean | undefined;
  /** A second person has approved prices that differ a lot. */
  approved?: boolean | undefined;
  /** the merchant whose change it is: a new product belongs to it; without it to the vendor's merchant */
  merchantId?: string | undefined;
  /** Refuses lines whose texts contain an activation code; who edits in the console has had them checked. */
  findTextsWithCode?: FindTextsWithCode | undefined;
};

/** The rejection of a line whose record was edited in the console since. */
export const editedSince = (line: number): ImportError => ({
  line,
  path: "",
  ...reason("line_edited"),
});

export const refuses = (writer: Writer, existing: { source: LineSource }) =>
  writer.source === "import" && existing.source === "console" && !writer.takeOver;

/** Whether two values have the same fields in any order; an absent field equals one without a value. */
export const isSame = (one: unknown, other: unknown) =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));

export type Slug = { slug: string };
export const slugsSql = (batch: ParsedLine[]) =>
  sql`(select jsonb_array_elements_text(${jsonSql(batch.map(({ value }) => value.slug))}))`;
