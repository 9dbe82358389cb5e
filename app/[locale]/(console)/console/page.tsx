import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { screensFor } from "@/components/staff/screens";
import { TodayScreen } from "@/components/staff/today/today-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage, queryValues } from "@/lib/platform/pages/console";
import { anyStaff } from "@/lib/staff/rules";
import { TodayInput } from "@/lib/staff/today/contract";
import { getToday } from "@/lib/staff/today/get-today";
import { QUEUES } from "@/lib/staff/today/rules";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, anyStaff, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.today" }))("title"),
  );

export default async function TodayPage(props: ConsoleProps) {
  const page = await consolePage(props, anyStaff, "/console");
  if (!page) return <NotFoundScreen />;
  const values = TodayInput.safeParse(await queryValues(props.searchParams));
  const { days } = values.success ? values.data : TodayInput.parse({});
  const { queues, figures } = await getToday(page.viewer, { days });
  const screens = screensFor(page.viewer.staff.roles).map(({ path }) => path);
  // A queue without a screen that the person may open leads nowhere.
  const shown = queues.flatMap((queue) => {
    const { path } = QUEUES.find(({ name }) => name === queue.queue)!;
    return screens.includes(path.split("?", 1)[0]!) ? [{ ...queue, path }] : [];
  });
  return <TodayScreen locale={page.locale} queues={shown} figures={figures} days={days} />;
}
