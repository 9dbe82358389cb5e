import { merchant } from "@/lib/merchants/rules";
import { StatementDetail, StatementParams } from "@/lib/payouts/statements/contract";
import { getStatement } from "@/lib/payouts/statements/get-statement";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "A statement with every line",
    description: "Opening, every line, closing; and what was held at its end, why and until when.",
    access: merchant("money.read"),
    params: StatementParams,
    result: StatementDetail,
    errors: ["statement_unknown"],
  },
  ({ viewer, params, locale }) => getStatement(viewer, params.id, locale),
);
