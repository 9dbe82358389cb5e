import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConversationPage } from "@/components/support/console/conversation-page";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";
import { listStoredAnswers } from "@/lib/support/console/change-stored-answers";
import { getConsoleConversation } from "@/lib/support/console/get-console-conversation";

const RECORD = consoleRecord(staff("messages.answer"), {
  path: "/console/messages/[id]",
  title: "console.messages.title",
  read: getConsoleConversation,
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleMessagePage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { items } = await listStoredAnswers();
  return <ConversationPage conversation={page.found} answers={items} />;
}
