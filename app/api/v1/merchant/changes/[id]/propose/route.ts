import { ChangeMoved, ChangeParams } from "@/lib/merchants/changes/contract";
import { proposeChange } from "@/lib/merchants/changes/propose-change";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";

export const POST = endpoint(
  {
    summary: "Propose a draft or a returned change",
    description:
      "Staff decide. A change of low risk of a trusted merchant (texts, activation steps, a pause, prices within the rules) passes by itself: `state` is `approved`. Where it then sets prices or takes plans off sale, a person has given password and second factor within 15 minutes; a token has no such step.",
    access: merchant("products.write"),
    params: ChangeParams,
    body: SeenVersion,
    result: ChangeMoved,
    errors: [
      "change_unknown",
      "change_decided",
      "revision_conflict",
      "second_factor_required",
      "reauthentication_required",
      "trade_file_incomplete",
    ],
  },
  ({ viewer, params, body, locale }) => proposeChange(viewer, params.id, { ...body, locale }),
);
