import type { ListFields } from "@/lib/platform/console/filter-spec";
import type { ListPage } from "@/lib/platform/console/list";
import type { ConsoleListName } from "@/lib/staff/rules";
import type { SavedView } from "@/lib/staff/views/contract";

/** What the page of a list of staff hands to its screen. */
export type StaffListData<List extends ListPage<unknown>> = {
  path: string;
  list: List;
  values: Record<string, string>;
  fields: ListFields;
  /** of the viewer */
  roles: readonly string[];
  /** The list by its name, where its filters can be saved, or its rows exported. */
  name: ConsoleListName | null;
  views: readonly SavedView[];
};
