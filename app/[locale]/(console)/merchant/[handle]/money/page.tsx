import { MoneyScreen } from "@/components/payouts/money/money-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { getAccounts } from "@/lib/payouts/accounts/get-accounts";
import { MoneyEntriesInput } from "@/lib/payouts/money/contract";
import { getMoney } from "@/lib/payouts/money/get-money";
import { listMoneyEntries } from "@/lib/payouts/money/list-money-entries";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/money",
  title: "console.merchant_money.title",
  access: merchant("money.read"),
  input: MoneyEntriesInput,
  read: listMoneyEntries,
  more: async ({ viewer }) => {
    const [money, accounts] = await Promise.all([getMoney(viewer), getAccounts(viewer)]);
    return { money, accounts, canChange: mayChange(viewer, "payouts.manage") };
  },
  screen: MoneyScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
