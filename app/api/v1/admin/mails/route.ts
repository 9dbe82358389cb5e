import { ConsoleMailList, ConsoleMailsInput } from "@/lib/notifications/console/contract";
import { listConsoleMails } from "@/lib/notifications/console/list-console-mails";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The outbox: emails with their attempts",
    description:
      "50 a page, newest first, or with `email` by address. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff(LIST_PERMISSIONS.mails),
    query: ConsoleMailsInput,
    result: ConsoleMailList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleMails(query),
);
