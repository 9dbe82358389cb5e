import { z } from "zod";
import { CONSOLE_LISTS } from "@/lib/staff/rules";

/** The filters of a list as they stand in its address, without the cursor. */
const ViewFilters = z.record(z.string().max(40), z.string().max(260));

/** GET /admin/views: the viewer's own views and the shared ones, of one list or of all. */
export const ViewsInput = z.object({ list: z.enum(CONSOLE_LISTS).optional() });
/** POST /admin/views: saves the filters under a name; the same name replaces them. */
export const SaveViewInput = z.object({
  list: z.enum(CONSOLE_LISTS),
  name: z.string().trim().min(1).max(60),
  filters: ViewFilters,
  /** everyone who reads the list sees it */
  shared: z.boolean().default(false),
  /** the list opens with it for the caller, in place of an earlier one */
  is_default: z.boolean().default(false),
});
export type SaveViewInput = z.output<typeof SaveViewInput>;

export const SavedView = z.object({
  view_id: z.string(),
  list: z.enum(CONSOLE_LISTS),
  name: z.string(),
  filters: ViewFilters,
  shared: z.boolean(),
  is_default: z.boolean(),
  /** the caller saved it, and may delete it */
  own: z.boolean(),
});
export type SavedView = z.output<typeof SavedView>;
export const SavedViewList = z.object({ items: z.array(SavedView), total: z.int() });
export type SavedViewList = z.output<typeof SavedViewList>;

/** POST /admin/views/{id}/delete */
export const ViewParams = z.object({ id: z.string().min(1).max(64) });
export const ViewDeleted = z.object({ deleted: z.literal(true) });
