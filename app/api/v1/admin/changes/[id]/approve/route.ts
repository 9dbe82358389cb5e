import { ChangeMoved, ChangeParams } from "@/lib/merchants/changes/contract";
import { ApproveChangeInput } from "@/lib/merchants/changes/contract-console";
import { approveChange } from "@/lib/merchants/changes/decide-change";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve a merchant's change",
    description:
      "The change is live immediately. What the shop changed meanwhile in other fields stays; when both changed a field, `check.conflicts` shows both values and the change wins. The owners are notified by email, with the note.",
    access: staff("changes.decide"),
    params: ChangeParams,
    body: ApproveChangeInput,
    previewable: effects,
    result: ChangeMoved,
    errors: [
      "change_unknown",
      "change_decided",
      "revision_conflict",
      "note_has_code",
      "trade_file_incomplete",
    ],
  },
  ({ viewer, params, body, locale }) =>
    approveChange(viewer, params.id, { note: body.note, version: body.version, locale }),
);
