import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { WrittenOff } from "@/lib/payouts/console/contract";
import { writeOff } from "@/lib/payouts/console/write-off";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Write off the debt of a merchant that has ended",
    description: "Always needs a second person: `approval_required`. The debt becomes the shop's loss.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: MerchantParams,
    result: WrittenOff,
    approval: secondPerson("write_off"),
    errors: ["merchant_unknown", "no_debt"],
  },
  ({ params }) => writeOff(params.id),
);
