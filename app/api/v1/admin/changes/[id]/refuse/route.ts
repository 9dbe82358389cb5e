import { ChangeMoved, ChangeParams } from "@/lib/merchants/changes/contract";
import { AnswerChangeInput } from "@/lib/merchants/changes/contract-console";
import { refuseChange } from "@/lib/merchants/changes/decide-change";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse a merchant's change",
    description: "The owners receive the reason by email.",
    access: staff("changes.decide"),
    params: ChangeParams,
    body: AnswerChangeInput,
    previewable: effects,
    result: ChangeMoved,
    errors: ["change_unknown", "change_decided", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => refuseChange(viewer, params.id, body),
);
