import { ChangeMoved, ChangeParams } from "@/lib/merchants/changes/contract";
import { ApproveChangeInput } from "@/lib/merchants/changes/contract-console";
import { approveChange } from "@/lib/merchants/changes/decide-change";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve a merchant's change",
    description:
      "The change is live immediately. What the shop changed meanwhile in other fields stays; when both changed a field, `check.conflicts` shows both values and the change wins. The owners are notified by email, with the note.",
    access: staff("changes.decide"),
    params: ChangeParams,
    body: ApproveChangeInput.extend({ preview: Preview }),
    result: previewable(ChangeMoved),
    errors: ["change_unknown", "change_decided", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body, locale }) =>
    runOrPreview(body.preview, () =>
      approveChange(viewer, params.id, { note: body.note, version: body.version, locale }),
    ),
);
