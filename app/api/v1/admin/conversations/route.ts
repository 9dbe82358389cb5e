import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { ConsoleConversationList, ConsoleConversationsInput } from "@/lib/support/console/contract";
import { listConsoleConversations } from "@/lib/support/console/list-console-conversations";

export const GET = endpoint(
  {
    summary: "Conversations of customers with support",
    description:
      "50 a page: waiting ones, the oldest first; else those with the newest message first. With `email` a page looks at a part of the list only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff("messages.answer"),
    query: ConsoleConversationsInput,
    result: ConsoleConversationList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleConversations(query),
);
