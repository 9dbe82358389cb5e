import { ConsoleReferrals } from "@/components/referrals/console/referral-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { ConsoleReferralsInput } from "@/lib/referrals/console/contract";
import { listConsoleReferrals } from "@/lib/referrals/console/list-console-referrals";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("campaigns.manage");
const PATH = "/console/referrals";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.referrals" }))("title"),
  );

export default async function ConsoleReferralsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(
    props,
    page,
    PATH,
    ConsoleReferralsInput,
    listConsoleReferrals,
  );
  return <ConsoleReferrals list={list} values={values} />;
}
