import { MerchantRequests } from "@/components/merchants/requests/request-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantRequestsInput } from "@/lib/merchants/requests/contract";
import { listMerchantRequests } from "@/lib/merchants/requests/queries";
import { merchant } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("requests.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_requests" }))("title"),
  );

export default async function MerchantRequestsPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const { handle } = viewer.merchant;
  const home = `/merchant/${handle}`;
  const { values, list } = await readConsoleList(
    props,
    page,
    `${home}/requests`,
    MerchantRequestsInput,
    (input) => listMerchantRequests(viewer, input, locale),
  );
  const { kind, state } = MerchantRequestsInput.parse(values);
  return <MerchantRequests home={home} list={list} values={values} kind={kind} open={state === "open"} />;
}
