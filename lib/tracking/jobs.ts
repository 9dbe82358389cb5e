import { z } from "zod";
import { createPartitions } from "@/db/retention";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { recountSourceFigures, updateSourceFigures } from "@/lib/tracking/insight/update-source-figures";
import { deleteOldRecords } from "./delete-old-records";

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

/** Every ten minutes: the funnel by source of the running day and the one before. */
export const updateSourceFiguresJob = defineJob({
  name: "update-source-figures",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    await updateSourceFigures();
  },
});

/** Every night: counts the funnel of the last days again. */
export const recountSourceFiguresJob = defineJob({
  name: "recount-source-figures",
  schema: z.unknown(),
  cron: "47 3 * * *",
  async run() {
    const differences = await recountSourceFigures();
    if (differences.length > 0) log.error({ differences }, "figures by source differ from the recount");
  },
});
