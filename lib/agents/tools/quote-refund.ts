import type { z } from "zod";
import { refundOnDay } from "@/lib/agents/planning/rules";
import { plainText } from "@/lib/agents/rules";
import { findByIdentifiers } from "@/lib/agents/ucp/find-by-identifiers";
import { toVariant } from "@/lib/agents/ucp/rules-products";
import { responseWording } from "@/lib/agents/ucp/wording";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { RefundRequest, RefundResponse } from "./contract";

/**
 * How much of a pass's price is refunded when its use stops on a day, by the refund rule (`refund_quote`,
 * docs/agents.md). Null if no such pass is on sale.
 */
export async function quoteRefund(
  { id, day }: z.output<typeof RefundRequest>,
  locale: Locale,
): Promise<RefundResponse | null> {
  const hit = (await findByIdentifiers([id], locale)).get(id);
  const plan = hit?.product.vip_options.find(({ vip_id }) => vip_id === (hit.vipId ?? hit.product.vip_id));
  if (!hit || !plan) return null;
  const { title, url, price, metadata, id: passId } = toVariant(hit.product, plan, responseWording(locale));
  const now = new Date(hit.product.server_time);
  const back = (from: number) => ({
    amount: refundOnDay([{ pass: plan, from, to: null }], day, now),
    currency: "USD" as const,
  });
  return {
    id: passId,
    product: plainText(hit.product.product_name),
    pass: title,
    url,
    day,
    price,
    // The first day of use: never, or the day of the payment.
    back_if_unused: back(Number.POSITIVE_INFINITY),
    back_if_used: back(0),
    refund_days: metadata.refund_days,
    refund: metadata.refund,
    by_law: plan.refund.right !== null,
  };
}
