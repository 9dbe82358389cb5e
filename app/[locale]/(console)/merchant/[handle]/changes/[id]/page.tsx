import { MerchantChangePage } from "@/components/merchants/changes/change-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getMerchantChange } from "@/lib/merchants/changes/queries";
import { merchant, merchantRule } from "@/lib/merchants/rules";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";
import { respondNotFound } from "@/lib/platform/pages/page";

const ACCESS = merchant("products.read");
type Props = MerchantProps<"id">;

export const generateMetadata = (props: Props) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_changes" }))("changes"),
  );

export default async function OneMerchantChangePage(props: Props) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const { id } = await props.params;
  const found = await getMerchantChange(viewer, id, locale).catch((error: unknown) => {
    if (!isShopError(error, "change_unknown")) throw error;
  });
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { line: _line, ...change } = found;
  return (
    <MerchantChangePage
      home={`/merchant/${viewer.merchant.handle}`}
      change={change}
      mayWrite={merchantRule("products.write").roles.includes(viewer.role)}
    />
  );
}
