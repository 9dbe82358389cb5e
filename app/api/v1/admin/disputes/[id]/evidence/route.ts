import { DisputeParams } from "@/lib/orders/console/contract-disputes";
import { takeDisputeEvidence } from "@/lib/orders/console/take-dispute-evidence";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary, pdfResponse } from "@/lib/platform/api/response";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The evidence for a dispute as a PDF",
    description:
      "Order, payment, buyer, consent with its words and the version of the terms, custody of the codes, their emails, who showed them when, refund terms. It names codes by reference only. The audit log records who downloaded it.",
    access: staff("disputes.evidence", { reauthenticated: true }),
    params: DisputeParams,
    result: binary("application/pdf"),
    errors: ["dispute_unknown", "documents_busy"],
  },
  async ({ viewer, params, locale }) => {
    const { fileName, file } = await takeDisputeEvidence(viewer, params.id, locale);
    return pdfResponse(file, fileName);
  },
);
