import { defineJob } from "@/lib/platform/jobs/queue";
import { measureSearch } from "./commands";
import { layOutDocuments } from "./commands-layout";
import { MeasureSearch } from "./contract-jobs";

/** After an import, and every night: how deep the search has to look for its candidates, and where they lie. */
export const measureSearchJob = defineJob({
  ...MeasureSearch,
  cron: "12 3 * * *",
  run: async () => {
    await measureSearch();
    await layOutDocuments();
  },
});
