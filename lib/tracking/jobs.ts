import { z } from "zod";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { deleteOldRecords } from "./commands";

/** Every night: deletes visits, searches and source events older than 90 days (docs/reliability.md#privacy). */
export const deleteOldRecordsJob = defineJob({
  name: "forget-visits",
  schema: z.unknown(),
  cron: "17 3 * * *",
  async run() {
    const gone = await deleteOldRecords();
    if (gone > 0) log.info({ gone }, "old visits, searches and source events are forgotten");
  },
});
