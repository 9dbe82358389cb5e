import { z } from "zod";
import { CATALOGUE_EXPORT_LISTS, EXPORT_LISTS, INSIGHT_EXPORT_LISTS } from "@/lib/staff/exports/rules";

const Filters = z.record(z.string().max(40), z.string().max(260)).default({});

/** POST /admin/exports: the rows of a list with these filters, as CSV. */
export const ExportInput = z.object({ list: z.enum(EXPORT_LISTS), filters: Filters });
export type ExportInput = z.output<typeof ExportInput>;

/** POST /admin/exports/catalogue: the same of products and of codes by plan. */
export const CatalogueExportInput = z.object({ list: z.enum(CATALOGUE_EXPORT_LISTS), filters: Filters });

/** POST /admin/exports/insight: the same of the funnel by source and of searches that find nothing. */
export const InsightExportInput = z.object({ list: z.enum(INSIGHT_EXPORT_LISTS), filters: Filters });

export type ImpersonalExportInput =
  | z.output<typeof CatalogueExportInput>
  | z.output<typeof InsightExportInput>;
