import { TradeFiles } from "@/components/merchants/console/trade-file-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { TradeFilesInput } from "@/lib/merchants/console/contract-trade-files";
import { listTradeFiles } from "@/lib/merchants/console/list-trade-files";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  path: "/console/trade-files",
  title: "console.trade_files.title",
  access: staff("trade.read"),
  input: TradeFilesInput,
  read: (input) => listTradeFiles(input),
  screen: TradeFiles,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
