import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import {
  approveReplacement,
  refuseReplacement,
  requireDecided,
} from "@/lib/delivery/replacement/decide-replacement";
import type { AnswerRequestInput, RequestAnswered } from "@/lib/merchants/requests/contract";
import { isFitting, type RequestKind } from "@/lib/merchants/requests/rules";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import { ownRequestSql, shownRefundSql, shownReplacementSql } from "./list-merchant-requests";

/**
 * Answers what a buyer asks: whether a code is used before its refund, by the decision of the mailed link; or whether there
 * is another code for one that does not work, by the decision of staff. The first answer counts, and silence decides about
 * a refund.
 * @throws ShopError request_unknown, own_request: who answers, or made the token, has asked or is the buyer; answer_unfit,
 *   reason_missing, note_has_code; revision_conflict: it is not as it was listed; refund_decided, payment_disputed; replacement_decided, replacement_no_stock,
 *   replacement_locked
 */
export async function answerRequest(
  viewer: MerchantViewer,
  id: string,
  { answer, reason, version }: AnswerRequestInput,
): Promise<RequestAnswered> {
  const found = await findRequest(viewer, id);
  if (!found) throw new ShopError("request_unknown");
  if (found.own) throw new ShopError("own_request");
  const { kind } = found;
  if (!isFitting(kind, answer)) throw new ShopError("answer_unfit");
  if (kind === "refund") {
    const decision = answer === "used" ? "refused" : "approved";
    const shown = { version, sql: shownRefundSql("q") };
    const result = await decideRefundRequest(id, { decision, by: viewer.actor, shown });
    if (!result) throw new ShopError("request_unknown");
    if (result.outcome === "disputed") throw new ShopError("payment_disputed");
    if (result.outcome === "already") throw new ShopError("refund_decided");
    return { request_id: id, kind, state: decision };
  }
  if (answer === "refuse" && !reason) throw new ShopError("reason_missing");
  await requireNoCode(db, reason, { merchantId: viewer.merchant.id });
  const shown = { version, sql: shownReplacementSql("r") };
  const result =
    answer === "refuse"
      ? await refuseReplacement(id, viewer.actor, reason ?? "", shown)
      : await approveReplacement(id, viewer.actor, shown);
  requireDecided(result);
  return { request_id: id, kind, state: answer === "refuse" ? "refused" : "approved" };
}

type FoundRequest = { kind: RequestKind; own: boolean };

/** What the merchant's request with this id is about, and whether the viewer asked it; null: the merchant has none. */
async function findRequest(viewer: MerchantViewer, id: string): Promise<FoundRequest | null> {
  const { merchant } = viewer;
  const [row] = await db.execute<FoundRequest>(sql`
    select 'refund' as kind, ${ownRequestSql(viewer, sql`r.user_id, r.asked_by, o.user_id`)} as own
    from refund_requests r join order_lines l on l.id = r.order_line_id join orders o on o.id = l.order_id
    where r.id = ${id} and r.merchant_id = ${merchant.id} and r.stated_country is null
    union all select 'replacement', ${ownRequestSql(viewer, sql`r.user_id, r.asked_by, o.user_id`)}
    from replacement_requests r join keys k on k.id = r.key_id join order_lines l on l.id = k.order_line_id
    join orders o on o.id = l.order_id where r.id = ${id} and r.merchant_id = ${merchant.id}`);
  return row ?? null;
}
