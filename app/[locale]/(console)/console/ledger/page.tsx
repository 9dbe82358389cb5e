import { LedgerScreen } from "@/components/payouts/console/ledger-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("payouts.read");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.ledger" }))("title"),
  );

export default async function ConsoleLedgerPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/ledger");
  if (!page) return <NotFoundScreen />;
  return <LedgerScreen list={await listLedger()} />;
}
