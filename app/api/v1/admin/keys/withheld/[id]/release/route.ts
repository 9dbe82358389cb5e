import { WithheldDecided, WithheldParams } from "@/lib/delivery/console/contract-withheld";
import { decideWithheld } from "@/lib/orders/console/decide-withheld";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Return the withheld codes of a plan to stock",
    description:
      "Orders that wait for the plan get its codes first. With `preview` nothing changes, and the response lists the effects.",
    access: staff("stock.manage", { reauthenticated: true }),
    params: WithheldParams,
    body: SeenVersion,
    takesLong: true,
    previewable: effects,
    result: WithheldDecided,
    errors: ["withheld_unknown", "revision_conflict"],
  },
  ({ viewer, params, body }) => decideWithheld(viewer, params.id, { ...body, state: "available" }),
);
