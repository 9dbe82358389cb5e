import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { StoredAnswersScreen } from "@/components/support/console/stored-answers-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";
import { listStoredAnswers } from "@/lib/support/console/change-stored-answers";

const ACCESS = staff("messages.answer");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.stored_answers" }))("title"),
  );

export default async function StoredAnswersPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/messages/answers");
  if (!page) return <NotFoundScreen />;
  const { items } = await listStoredAnswers();
  return <StoredAnswersScreen answers={items} />;
}
