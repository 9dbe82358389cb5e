import { ActivatedPass, ActivatePassInput } from "@/lib/delivery/contract";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Report when the viewer's pass was activated; it can be corrected for an hour",
    access: "user",
    body: ActivatePassInput,
    result: ActivatedPass,
    errors: ["key_unknown", "key_frozen", "code_unrevealed", "activation_date_wrong", "activation_settled"],
  },
  ({ body, viewer }) => activatePass(viewer, body),
);
