import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleConversations } from "@/components/support/console/conversation-list";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";
import { ConsoleConversationsInput } from "@/lib/support/console/contract";
import { listConsoleConversations } from "@/lib/support/console/list-console-conversations";

const { metadata, page } = staffListPage({
  path: "/console/messages",
  title: "console.messages.title",
  access: staff("messages.answer"),
  input: ConsoleConversationsInput,
  read: (input) => listConsoleConversations(input),
  screen: ConsoleConversations,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
