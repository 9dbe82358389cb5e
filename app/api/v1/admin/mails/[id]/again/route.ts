import { MailParams, MailSentAgain } from "@/lib/notifications/console/contract-again";
import { sendMailAgain } from "@/lib/orders/console/send-mail-again";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Send an email again",
    description:
      "A failed one is queued again; a sent one is written once more. Codes are sent only if they were shown or mailed before or this is their first email, to their owner's present address, and not while they are locked or once they were replaced, refunded or given away. Emails that only their recipient requests, and bulk emails, are not sent again.",
    access: staff("mails.resend"),
    params: MailParams,
    previewable: effects,
    result: MailSentAgain,
    errors: [
      "mail_unknown",
      "mail_waiting",
      "mail_not_repeatable",
      "mail_codes_gone",
      "key_frozen",
      "code_unrevealed",
      "gift_disputed",
    ],
  },
  ({ viewer, params }) => sendMailAgain(viewer, params.id),
);
