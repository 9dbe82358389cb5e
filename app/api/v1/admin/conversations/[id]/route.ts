import { endpoint } from "@/lib/platform/api/endpoint";
import { ShopError } from "@/lib/platform/errors";
import { staff } from "@/lib/staff/rules";
import { ConsoleConversationDetail, ConversationParams } from "@/lib/support/console/contract";
import { getConsoleConversation } from "@/lib/support/console/get-console-conversation";

export const GET = endpoint(
  {
    summary: "A conversation with its messages",
    access: staff("messages.answer"),
    params: ConversationParams,
    result: ConsoleConversationDetail,
    errors: ["conversation_unknown"],
  },
  async ({ params }) => {
    const found = await getConsoleConversation(params.id);
    if (!found) throw new ShopError("conversation_unknown");
    return found;
  },
);
