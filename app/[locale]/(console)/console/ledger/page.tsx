import { LedgerScreen } from "@/components/payouts/console/ledger-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { LedgerInput } from "@/lib/payouts/console/contract";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  path: "/console/ledger",
  title: "console.ledger.title",
  access: staff("payouts.read"),
  input: LedgerInput,
  read: listLedger,
  screen: LedgerScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
