import { TradeExportInput } from "@/lib/merchants/console/contract-trade-files";
import { exportTradeFiles } from "@/lib/merchants/console/export-trade-files";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Make a report for authorities as CSV",
    description:
      "`dac7`: each seller's sales of a year by quarter, with count, amount, fees, address and tax numbers. `dsa`: who the traders are. Without documents.",
    access: staff("trade.export", { reauthenticated: true }),
    body: TradeExportInput,
    result: binary("text/csv"),
    errors: [],
    replay: false,
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
  },
  async ({ viewer, body }) => csvFile(body.report, await exportTradeFiles(viewer, body)),
);
