import { endpoint } from "@/lib/platform/api/endpoint";
import { anyStaff } from "@/lib/staff/rules";
import { ViewDeleted, ViewParams } from "@/lib/staff/views/contract";
import { deleteView } from "@/lib/staff/views/save-view";

export const POST = endpoint(
  {
    summary: "Delete a saved view",
    access: anyStaff,
    params: ViewParams,
    result: ViewDeleted,
    errors: ["view_unknown"],
  },
  async ({ viewer, params }) => {
    await deleteView(viewer, params.id);
    return { deleted: true as const };
  },
);
