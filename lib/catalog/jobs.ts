import { defineJob } from "@/lib/jobs";
import { measureSearch } from "./commands-search";
import { MeasureSearch } from "./contract-jobs";

/** After an import, and every night: how deep the search has to look for its candidates. */
export const measureSearchJob = defineJob({ ...MeasureSearch, cron: "12 3 * * *", run: measureSearch });
