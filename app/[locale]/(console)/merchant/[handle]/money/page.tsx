import { MoneyScreen } from "@/components/merchants/money/money-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MoneyEntriesInput } from "@/lib/merchants/money/contract";
import { getMoney } from "@/lib/merchants/money/get-money";
import { listMoneyEntries } from "@/lib/merchants/money/list-money-entries";
import { merchant } from "@/lib/merchants/rules";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/money",
  title: "console.merchant_money.title",
  access: merchant("money.read"),
  input: MoneyEntriesInput,
  read: listMoneyEntries,
  more: async ({ viewer }) => ({ money: await getMoney(viewer) }),
  screen: MoneyScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
