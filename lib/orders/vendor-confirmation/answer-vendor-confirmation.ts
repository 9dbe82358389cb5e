import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { ShopError } from "@/lib/platform/errors";
import type { VendorAnswerInput, VendorAnswerView } from "./contract";
import { parseVendorLink, questionVersionSql } from "./vendor-link";

/**
 * Decides a refund request by the vendor's answer from the signed link. The first answer counts.
 * @throws ShopError link_invalid; revision_conflict: the email names other codes than the request is about now; payment_disputed while the payment is disputed: the time to answer stands still
 */
export async function answerVendorConfirmation({ token }: VendorAnswerInput): Promise<VendorAnswerView> {
  const link = parseVendorLink(token);
  if (!link) throw new ShopError("link_invalid");
  const decision = link.answer === "used" ? "refused" : "approved";
  const { version } = link;
  const shown = version === undefined ? undefined : { version, sql: questionVersionSql("q") };
  const result = await decideRefundRequest(link.requestId, {
    decision,
    by: "vendor",
    ...(shown && { shown }),
  });
  if (!result) throw new ShopError("link_invalid");
  if (result.outcome === "disputed") throw new ShopError("payment_disputed");
  return { answer: link.answer, decided: result.outcome === "decided", state: result.state };
}
