import { DismissMailInput, MailDismissed, MailParams } from "@/lib/notifications/console/contract-again";
import { dismissMail } from "@/lib/orders/console/dismiss-mail";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Dismiss a failed email",
    description: "One that can never be sent waits no more; the reason is audited.",
    access: staff("mails.resend"),
    params: MailParams,
    body: DismissMailInput,
    previewable: effects,
    result: MailDismissed,
    errors: ["mail_unknown", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => dismissMail(viewer, params.id, body),
);
