import { deleteOldPartitionRows, PARTITIONED } from "@/db/retention";
import { RETENTION_DAYS } from "./rules";

/** Deletes records older than RETENTION_DAYS, and the partitions that only had such. Returns the number of rows. */
export async function deleteOldRecords(): Promise<number> {
  let deletedCount = 0;
  for (const table of PARTITIONED) deletedCount += await deleteOldPartitionRows(table, RETENTION_DAYS);
  return deletedCount;
}
