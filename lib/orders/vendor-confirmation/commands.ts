import { answerRefundRequest } from "@/lib/orders/refunds/commands-requests";
import { ShopError } from "@/lib/platform/errors";
import type { VendorAnswerInput, VendorAnswerView } from "./contract";
import { parseVendorLink } from "./queries";

/**
 * Takes the vendor's answer through the signed link: the refund is refused or made. The first answer counts.
 * @throws ShopError link_invalid
 */
export async function answerVendorConfirmation({ token }: VendorAnswerInput): Promise<VendorAnswerView> {
  const link = parseVendorLink(token);
  if (!link) throw new ShopError("link_invalid");
  const decision = link.answer === "used" ? "refused" : "approved";
  const done = await answerRefundRequest(link.requestId, { decision, by: "vendor" });
  if (!done) throw new ShopError("link_invalid");
  return { answer: link.answer, decided: done.outcome === "decided", state: done.state };
}
