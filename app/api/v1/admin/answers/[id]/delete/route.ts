import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { staff } from "@/lib/staff/rules";
import { deleteStoredAnswer } from "@/lib/support/console/change-stored-answers";
import { ConversationParams, StoredAnswerDeleted } from "@/lib/support/console/contract";

export const POST = endpoint(
  {
    summary: "Delete a stored answer",
    access: staff("messages.answer"),
    params: ConversationParams,
    body: SeenVersion,
    result: StoredAnswerDeleted,
    errors: ["answer_unknown", "revision_conflict"],
  },
  ({ viewer, params, body }) => deleteStoredAnswer(viewer, params.id, body),
);
