import { cancelChange } from "@/lib/merchants/changes/cancel-change";
import { ChangeMoved, ChangeParams } from "@/lib/merchants/changes/contract";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";

export const POST = endpoint(
  {
    summary: "Take back a change that is not decided",
    access: merchant("products.write"),
    params: ChangeParams,
    body: SeenVersion,
    result: ChangeMoved,
    errors: ["change_unknown", "change_decided", "revision_conflict"],
  },
  ({ viewer, params, body }) => cancelChange(viewer, params.id, body),
);
