import { ActivatedPass, ActivatePassInput } from "@/lib/delivery/contract";
import { activatePass } from "@/lib/delivery/library/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Say when one's own pass began; for an hour it may be said otherwise",
    access: "user",
    body: ActivatePassInput,
    result: ActivatedPass,
    errors: ["key_unknown", "key_frozen", "activation_date_wrong", "activation_settled"],
  },
  ({ body, viewer }) => activatePass(viewer, body),
);
