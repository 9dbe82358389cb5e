import { ChangeMoved, ChangeParams } from "@/lib/merchants/changes/contract";
import { AnswerChangeInput } from "@/lib/merchants/changes/contract-console";
import { returnChange } from "@/lib/merchants/changes/decide-change";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Return a change to its merchant",
    description: "The owners receive an email that says what to change; the merchant proposes it again.",
    access: staff("changes.decide"),
    params: ChangeParams,
    body: AnswerChangeInput.extend({ preview: Preview }),
    result: previewable(ChangeMoved),
    errors: ["change_unknown", "change_decided", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => runOrPreview(body.preview, () => returnChange(viewer, params.id, body)),
);
