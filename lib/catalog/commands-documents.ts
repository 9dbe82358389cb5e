import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { ownConnection } from "@/db/client";
import { LOCKS } from "@/lib/locks";

/** So many documents, so far from their places (a share of all), are worth laying out; fewer lie in a few pages. */
const WORTH = { documents: 5_000, displaced: 0.03 };

/**
 * Lays the search's documents out in the order of what is wanted where they lie far from it, and says whether it did: a
 * search among a million takes two thirds of the time then (docs/decisions/0062). Half a minute for 100,000 products, in
 * which searches go on and imports wait.
 * Where somebody reads for minutes (a backup), it is left for another time.
 */
export const layOutDocuments = ({ documents, displaced } = WORTH): Promise<boolean> =>
  ownConnection(async (sql) => {
    await sql`select pg_advisory_lock(${LOCKS.catalogImport})`; // until the connection ends: nobody writes documents
    const [row] = await sql<{ worth: boolean }[]>`
      select count(*) >= ${documents} and documents_displaced() > ${displaced} as worth from product_documents`;
    if (!row?.worth) return false;
    const [copied] = await sql<{ in: string }[]>`select pg_current_xact_id()::xid as in, copy_documents()`;
    const swapped = await patiently(async () => (await isSeenByAll(sql, copied!.in)) && (await swap(sql)));
    if (!swapped) await sql`drop table laid_documents`;
    return swapped;
  });

/**
 * Does nobody look at the database as it was before a transaction? What that one wrote is not there for them. Imports that
 * wait for our lock look anew when they have it.
 */
async function isSeenByAll(sql: postgres.Sql, transaction: string): Promise<boolean> {
  const [row] = await sql<{ before: boolean }[]>`
    select exists (select from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()
      and backend_type = 'client backend' and wait_event is distinct from 'advisory' and age(backend_xmin) >= age(${transaction}::xid)) as before`;
  return !row!.before;
}

const LOCK_NOT_AVAILABLE = "55P03";

async function swap(sql: postgres.Sql): Promise<boolean> {
  try {
    await sql`select swap_documents()`;
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** Tries for three minutes. */
async function patiently(works: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + 180_000;
  while (!(await works())) {
    if (Date.now() > until) return false;
    await sleep(500);
  }
  return true;
}
