import { endpoint } from "@/lib/platform/api/endpoint";
import { ConversationList } from "@/lib/support/contract";
import { listConversations } from "@/lib/support/list-conversations";

export const GET = endpoint(
  {
    summary: "The viewer's conversations with support",
    description: "The newest 50.",
    access: "user",
    result: ConversationList,
    errors: [],
  },
  ({ viewer }) => listConversations(viewer),
);
