import { z } from "zod";
import { createPartitions } from "@/db/retention";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { deleteOldRecords } from "./commands";

/** Every night: creates the partitions of the coming months, and deletes visits, searches and source events older than 90 days (docs/reliability.md#privacy). */
export const deleteOldRecordsJob = defineJob({
  name: "delete-old-records",
  schema: z.unknown(),
  cron: "17 3 * * *",
  async run() {
    await createPartitions();
    const deletedCount = await deleteOldRecords();
    if (deletedCount > 0) log.info({ rows: deletedCount }, "old visits, searches and source events deleted");
  },
});
