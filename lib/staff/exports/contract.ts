import { z } from "zod";
import { EXPORT_LISTS } from "@/lib/staff/exports/rules";

/** POST /admin/exports: the rows of a list with these filters, as CSV. */
export const ExportInput = z.object({
  list: z.enum(EXPORT_LISTS),
  filters: z.record(z.string().max(40), z.string().max(260)).default({}),
});
export type ExportInput = z.output<typeof ExportInput>;
