import { PayoutsScreen } from "@/components/payouts/console/payouts-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listWindowSales } from "@/lib/payouts/console/end-window";
import { listBalances } from "@/lib/payouts/console/list-balances";
import { listRuns } from "@/lib/payouts/console/list-runs";
import { getPayoutSettings } from "@/lib/payouts/console/settings";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("payouts.read");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.payouts" }))("title"),
  );

export default async function ConsolePayoutsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/payouts");
  if (!page) return <NotFoundScreen />;
  const [runs, balances, settings, windows] = await Promise.all([
    listRuns(),
    listBalances(),
    getPayoutSettings(),
    listWindowSales(page.locale),
  ]);
  return <PayoutsScreen runs={runs} balances={balances} settings={settings} windows={windows} />;
}
