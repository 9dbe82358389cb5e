import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleConversations } from "@/components/support/console/conversation-list";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { ConsoleConversationsInput } from "@/lib/support/console/contract";
import { listConsoleConversations } from "@/lib/support/console/list-console-conversations";

const ACCESS = staff("messages.answer");
const PATH = "/console/messages";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.messages" }))("title"),
  );

export default async function ConsoleMessagesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(
    props,
    page,
    PATH,
    ConsoleConversationsInput,
    listConsoleConversations,
  );
  const { state } = ConsoleConversationsInput.parse({ state: values.state });
  return <ConsoleConversations list={list} values={values} state={state} />;
}
