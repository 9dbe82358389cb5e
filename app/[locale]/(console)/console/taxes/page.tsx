import { TaxScreen } from "@/components/orders/console/tax-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { TaxesInput } from "@/lib/orders/console/contract-taxes";
import { listTaxes } from "@/lib/orders/console/list-taxes";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("payouts.read");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.taxes" }))("title"),
  );

export default async function ConsoleTaxesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/taxes");
  if (!page) return <NotFoundScreen />;
  const input = TaxesInput.safeParse({ quarter: (await props.searchParams).quarter });
  return <TaxScreen taxes={await listTaxes(input.data ?? {})} />;
}
