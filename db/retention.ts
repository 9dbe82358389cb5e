import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { client, db, transaction } from "./client";

/** Rows of a transaction that deletes: few enough that no other one waits for long. */
const BATCH = 5_000;

/**
 * Deletes rows that match a condition in batches of one transaction each, in the order of an index, so that the cost is that of the
 * rows that are due. Rows that another transaction has locked wait for the next run. Returns the number of rows. Not for partitioned
 * tables, where a row's place is not unique.
 */
export async function deleteInBatches(table: PgTable, due: SQL, order: SQL): Promise<number> {
  let count = 0;
  for (;;) {
    const deleted = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${due} order by ${order} limit ${BATCH} for update skip locked)) returning 1`);
    count += deleted.length;
    if (deleted.length < BATCH) return count;
  }
}

/** Tables that are partitioned by the month of `created_at` (docs/operations.md#partitions). */
export const PARTITIONED = ["visits", "searches", "source_events"] as const;
export type PartitionedTable = (typeof PARTITIONED)[number];

/** Months for which partitions exist ahead of time. */
const MONTHS_AHEAD = 3;

/** Creates the partitions of the coming months. Repeating it changes nothing. */
export async function createPartitions(): Promise<void> {
  await client()`select create_partitions(${MONTHS_AHEAD}::int)`;
}

/**
 * Deletes the rows of a partitioned table that are older than `days` in batches by time, then drops the partitions
 * whose month ended that long ago. Returns the number of rows.
 */
export async function deleteOldPartitionRows(table: PartitionedTable, days: number): Promise<number> {
  const name = sql.identifier(table);
  const [row] = await db.execute<{ before: string }>(sql`
    select (shop_now() - make_interval(days => ${days}))::text as before`);
  const before = sql`${row!.before}::timestamptz`;
  let count = 0;
  for (;;) {
    // The rows of one moment are deleted together, so a batch may be a little larger.
    const deleted = await db.execute(sql`
      delete from ${name} where created_at < ${before} and created_at <= coalesce((
        select created_at from ${name} where created_at < ${before} order by created_at offset ${BATCH - 1} limit 1), ${before})
      returning 1`);
    count += deleted.length;
    if (deleted.length < BATCH) break;
  }
  await transaction(async (tx) => {
    // A partition that is in use is dropped the next night.
    await tx.execute(sql`set local lock_timeout = '3s'`);
    await tx.execute(sql`select drop_partitions(${table}, ${before})`);
  });
  return count;
}
