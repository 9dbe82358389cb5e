import { MoneyScreen } from "@/components/merchants/money/money-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MoneyEntriesInput } from "@/lib/merchants/money/contract";
import { getMoney } from "@/lib/merchants/money/get-money";
import { listMoneyEntries } from "@/lib/merchants/money/list-money-entries";
import { merchant } from "@/lib/merchants/rules";
import {
  type MerchantProps,
  merchantList,
  merchantPath,
  merchantTitle,
} from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("money.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_money.title");

export default async function MerchantMoneyPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/money", MoneyEntriesInput, listMoneyEntries);
  if (!page) return <NotFoundScreen />;
  const { viewer, list, values } = page;
  const money = await getMoney(viewer);
  return (
    <MoneyScreen
      home={merchantPath(page)}
      handle={viewer.merchant.handle}
      money={money}
      list={list}
      values={values}
    />
  );
}
