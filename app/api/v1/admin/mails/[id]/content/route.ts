import { MailContent, MailParams } from "@/lib/notifications/console/contract-again";
import { getMailContent } from "@/lib/orders/console/get-mail-content";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "What an email of an order says",
    description:
      "As plain text in the email's language, as it would be written now, because texts are not kept. Codes are masked. Emails with a link or code that is their recipient's alone have none.",
    access: staff("mails.read"),
    params: MailParams,
    result: MailContent,
    errors: ["mail_unknown"],
  },
  ({ params }) => getMailContent(params.id),
);
