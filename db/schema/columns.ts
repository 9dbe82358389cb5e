import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, customType, text, timestamp } from "drizzle-orm/pg-core";

/** Column types shared by all tables. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
export const createdAt = () => at("created_at").notNull().default(sql`shop_now()`);
export const id = () => text("id").primaryKey();
export const rowId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

/**
 * The id of a partitioned table. It is unique by its sequence only: an index that a table's partitions share cannot be unique without
 * the column that divides them.
 */
export const partitionedRowId = () => bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity();

/** A column that always refers to a row of another table. */
export const reference = (name: string, column: () => AnyPgColumn) => text(name).notNull().references(column);

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A CHECK with allowed values, from the enum lists in `lib/<noun>/rules.ts`. */
export const oneOf = (column: string, words: readonly string[]) =>
  sql.raw(`${column} in (${words.map((word) => `'${word}'`).join(", ")})`);

/** A text in the order of its bytes, so that an index finds all that begin alike. */
export const byteOrderedText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** The number of a transaction, which orders commits (docs/reliability.md#audit-log). */
export const transactionNumber = customType<{ data: string }>({ dataType: () => "xid8" });
