import { decideConsoleApplication } from "@/lib/merchants/console/commands";
import {
  ApplicationDecided,
  ApplicationParams,
  ApproveApplicationInput,
} from "@/lib/merchants/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { runOrPreview } from "@/lib/staff/preview/commands";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve a merchant's application",
    description: "The applicant is told by email, with the note.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: ApplicationParams,
    body: ApproveApplicationInput.extend({ preview: Preview }),
    result: previewable(ApplicationDecided),
    errors: ["application_unknown", "application_decided"],
  },
  ({ viewer, params, body }) =>
    runOrPreview(body.preview, () =>
      decideConsoleApplication(viewer, { id: params.id, state: "approved", note: body.note }),
    ),
);
