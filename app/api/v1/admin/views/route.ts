import { endpoint } from "@/lib/platform/api/endpoint";
import { anyStaff } from "@/lib/staff/rules";
import { SavedView, SavedViewList, SaveViewInput, ViewsInput } from "@/lib/staff/views/contract";
import { listViews } from "@/lib/staff/views/list-views";
import { saveView } from "@/lib/staff/views/save-view";

export const GET = endpoint(
  {
    summary: "The saved views of the caller",
    access: anyStaff,
    query: ViewsInput,
    result: SavedViewList,
    errors: [],
  },
  ({ viewer, query }) => listViews(viewer, query.list),
);

export const POST = endpoint(
  {
    summary: "Save the filters of a list as a view",
    description: "A view of the same list and name gets the new filters.",
    access: anyStaff,
    body: SaveViewInput,
    result: SavedView,
    errors: ["views_full", "permission_missing", "note_has_code"],
  },
  ({ viewer, body }) => saveView(viewer, body),
);
