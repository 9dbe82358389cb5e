import { MoneyScreen } from "@/components/payouts/money/money-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { getAccounts } from "@/lib/payouts/accounts/get-accounts";
import { MoneyEntriesInput } from "@/lib/payouts/money/contract";
import { getMoney } from "@/lib/payouts/money/get-money";
import { listMoneyEntries } from "@/lib/payouts/money/list-money-entries";
import { listStatements } from "@/lib/payouts/statements/get-statement";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/money",
  title: "console.merchant_money.title",
  access: merchant("money.read"),
  input: MoneyEntriesInput,
  read: listMoneyEntries,
  more: async ({ viewer }) => {
    const [money, accounts, statements] = await Promise.all([
      getMoney(viewer),
      getAccounts(viewer),
      listStatements(viewer),
    ]);
    return { money, accounts, statements, canChange: mayChange(viewer, "payouts.manage") };
  },
  screen: MoneyScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
