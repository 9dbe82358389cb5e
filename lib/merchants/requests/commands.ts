import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { hasCode } from "@/lib/delivery/code-text/queries";
import { approveReplacement, refuseReplacement } from "@/lib/delivery/replacement/commands";
import type { AnswerRequestInput, RequestAnswered } from "@/lib/merchants/requests/contract";
import { isFitting, type RequestKind } from "@/lib/merchants/requests/rules";
import { decideRefundRequest } from "@/lib/orders/refunds/commands-requests";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";

/**
 * Answers what a buyer asks: whether a code is used before its refund, by the decision of the mailed link; or whether there
 * is another code for one that does not work, by the decision of staff. The first answer counts, and silence decides about
 * a refund.
 * @throws ShopError request_unknown, answer_unfit, reason_missing, note_has_code; refund_decided, own_refund, payment_disputed;
 *   replacement_decided, replacement_no_stock, replacement_locked
 */
export async function answerRequest(
  viewer: MerchantViewer,
  id: string,
  { answer, reason }: AnswerRequestInput,
): Promise<RequestAnswered> {
  const kind = await findKind(viewer, id);
  if (!kind) throw new ShopError("request_unknown");
  if (!isFitting(kind, answer)) throw new ShopError("answer_unfit");
  if (kind === "refund") {
    const decision = answer === "used" ? "refused" : "approved";
    const result = await decideRefundRequest(id, { decision, by: viewer.actor });
    if (!result) throw new ShopError("request_unknown");
    if (result.outcome === "disputed") throw new ShopError("payment_disputed");
    if (result.outcome === "already") throw new ShopError("refund_decided");
    return { request_id: id, kind, state: decision };
  }
  if (answer === "refuse" && !reason) throw new ShopError("reason_missing");
  if (reason && (await hasCode(db, reason))) throw new ShopError("note_has_code");
  const result =
    answer === "refuse"
      ? await refuseReplacement(id, viewer.actor, reason ?? "")
      : await approveReplacement(id, viewer.actor);
  if (!result) throw new ShopError("request_unknown");
  if (!("state" in result))
    throw new ShopError(result.outcome === "no_stock" ? "replacement_no_stock" : "replacement_locked");
  if (result.outcome === "already") throw new ShopError("replacement_decided");
  return { request_id: id, kind, state: answer === "refuse" ? "refused" : "approved" };
}

/** What the merchant's request with this id is about; null: it has none. */
async function findKind({ merchant }: MerchantViewer, id: string): Promise<RequestKind | null> {
  const [row] = await db.execute<{ kind: RequestKind }>(sql`
    select 'refund' as kind from refund_requests where id = ${id} and merchant_id = ${merchant.id}
    union all select 'replacement' from replacement_requests where id = ${id} and merchant_id = ${merchant.id}`);
  return row?.kind ?? null;
}
