import { addCommissionRule } from "@/lib/merchants/console/add-commission-rule";
import {
  CommissionAdded,
  CommissionInput,
  CommissionRuleList,
} from "@/lib/merchants/console/contract-commission";
import { listCommissionRules } from "@/lib/merchants/console/list-commission-rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Rules of commission",
    description: "Those that count now first, the most specific first; the newest 500.",
    access: staff("commission.read"),
    result: CommissionRuleList,
    errors: [],
  },
  () => listCommissionRules(),
);

export const POST = endpoint(
  {
    summary: "Add a rule of commission",
    description:
      "Always needs a second person: `approval_required`, with the approval's id as the field `approval_id`. Rules never change; the most specific one that is valid at the payment counts, and sales keep theirs.",
    access: staff("commission.write", { reauthenticated: true }),
    body: CommissionInput,
    result: CommissionAdded,
    approval: secondPerson("commission"),
    errors: ["merchant_unknown", "category_unknown"],
  },
  ({ body }) => addCommissionRule(body),
);
