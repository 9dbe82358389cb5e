import { z } from "zod";
import { Days } from "@/lib/platform/console/list";
import { CATALOGUE_EXPORT_LISTS, EXPORT_LISTS, INSIGHT_EXPORT_LISTS } from "@/lib/staff/exports/rules";

const Fields = {
  filters: z.record(z.string().max(40), z.string().max(260)).default({}),
  /** in which times are written; default: UTC */
  time_zone: Days.time_zone,
};

/** POST /admin/exports: the rows of a list with these filters, as CSV. */
export const ExportInput = z.object({ list: z.enum(EXPORT_LISTS), ...Fields });
export type ExportInput = z.output<typeof ExportInput>;

/** POST /admin/exports/catalogue: the same of products and of codes by plan. */
export const CatalogueExportInput = z.object({ list: z.enum(CATALOGUE_EXPORT_LISTS), ...Fields });

/** POST /admin/exports/insight: the same of the funnel by source and of searches that find nothing. */
export const InsightExportInput = z.object({ list: z.enum(INSIGHT_EXPORT_LISTS), ...Fields });

export type ImpersonalExportInput =
  | z.output<typeof CatalogueExportInput>
  | z.output<typeof InsightExportInput>;
