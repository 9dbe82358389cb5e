import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { ENTRY_KINDS, HOLD_REASONS } from "@/lib/payouts/money/rules";
import { STATEMENT_KINDS } from "@/lib/payouts/rules";
import { Instant } from "@/lib/platform/api/fields";

/** A statement, with amounts in USD. */
export const Statement = z.object({
  statement_id: z.string(),
  /** of the merchant, from 1 without gaps */
  number: z.int(),
  kind: z.enum(STATEMENT_KINDS),
  /** null: from the beginning */
  from: Instant.nullable(),
  to: Instant,
  opening: z.number(),
  closing: z.number(),
  lines: z.int(),
  /** over the statement and its lines, as the audit log has it */
  hash: z.string(),
});
export type Statement = z.output<typeof Statement>;
/** GET /merchant/money/statements: the newest 100. */
export const StatementList = z.object({ items: z.array(Statement), total: z.int() });
export type StatementList = z.output<typeof StatementList>;

export const StatementLine = z.object({
  entry_id: z.string(),
  at: Instant,
  kind: z.enum(ENTRY_KINDS),
  /** below zero: taken from the account */
  amount: z.number(),
  sale_id: z.string().nullable(),
  product_name: z.string().nullable(),
  pass_type: z.enum(PASS_TYPES).nullable(),
  vip_type: z.string().nullable(),
  units: z.int().nullable(),
});
export type StatementLine = z.output<typeof StatementLine>;
/** GET /merchant/money/statements/{id}: with every line, and what was held at its end. */
export const StatementDetail = Statement.extend({
  held: z.array(
    z.object({
      reason: z.enum(HOLD_REASONS),
      /** null: until somebody has decided */
      until: z.iso.date().nullable(),
      amount: z.number(),
      sales: z.int(),
    }),
  ),
  rows: z.array(StatementLine),
});
export type StatementDetail = z.output<typeof StatementDetail>;
export const StatementParams = z.object({ id: z.string().trim().min(1).max(64) });
export const StatementMade = z.object({ statement_id: z.string() });
