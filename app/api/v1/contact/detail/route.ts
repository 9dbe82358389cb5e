import { endpoint } from "@/lib/platform/api/endpoint";
import { ConversationInput, ConversationView } from "@/lib/support/contract";
import { getConversation } from "@/lib/support/find-conversation";

export const GET = endpoint(
  {
    summary: "A conversation of the viewer with support",
    access: "user",
    query: ConversationInput,
    result: ConversationView,
    errors: ["conversation_unknown"],
  },
  ({ query, viewer }) => getConversation(viewer, query.conversation_id),
);
