import { MerchantRequestList, MerchantRequestsInput } from "@/lib/merchants/requests/contract";
import { listMerchantRequests } from "@/lib/merchants/requests/list-merchant-requests";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "What buyers ask: refund questions with their deadline, and replacements",
    description:
      "Codes are named by references: the first 8 digits of the SHA-256 of the code, and the last four characters of long ones. Without an answer until `answer_by` a refund is approved.",
    access: merchant("requests.read"),
    query: MerchantRequestsInput,
    result: MerchantRequestList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listMerchantRequests(viewer, query, locale),
);
