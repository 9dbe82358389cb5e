import { ChangeParams } from "@/lib/merchants/changes/contract";
import { ConsoleChangeDetail } from "@/lib/merchants/changes/contract-console";
import { getConsoleChange } from "@/lib/merchants/changes/list-console-changes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A merchant's change with its differences, and what an approval would meet now",
    access: staff("changes.decide"),
    params: ChangeParams,
    result: ConsoleChangeDetail,
    errors: ["change_unknown"],
  },
  ({ params, locale }) => getConsoleChange(params.id, locale),
);
