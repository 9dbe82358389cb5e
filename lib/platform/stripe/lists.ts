import type Stripe from "stripe";
import type { z } from "zod";
import { callStripe } from "./call";
import { ProviderError } from "./errors";
import { DisputeView, FraudWarningView, IntentView, ListPage, RefundView, ReviewView } from "./views";

const PAGE_SIZE = 100;
/** Ends the loop if the provider claims another page for ever. */
const MAX_PAGES = 1000;

type Paging = { limit: number; starting_after?: string };

const since = (date: Date) => ({ created: { gte: Math.floor(date.getTime() / 1000) } });

/** The lists that the daily reconciliation reads: all objects created since a date, the newest first. */
export const listCalls = (stripe: Stripe) => ({
  intentsSince: (date: Date) =>
    readPages("list_intents", IntentView, (page) => stripe.paymentIntents.list({ ...since(date), ...page })),
  refundsSince: (date: Date) =>
    readPages("list_refunds", RefundView, (page) => stripe.refunds.list({ ...since(date), ...page })),
  disputesSince: (date: Date) =>
    readPages("list_disputes", DisputeView, (page) => stripe.disputes.list({ ...since(date), ...page })),
  fraudWarningsSince: (date: Date) =>
    readPages("list_fraud_warnings", FraudWarningView, (page) =>
      stripe.radar.earlyFraudWarnings.list({ ...since(date), ...page }),
    ),
  /** Open ones only: the provider does not list closed ones. */
  reviewsSince: (date: Date) =>
    readPages("list_reviews", ReviewView, (page) => stripe.reviews.list({ ...since(date), ...page })),
  /** All refunds of one intent, the newest first. */
  refundsOf: (payment_intent: string) =>
    readPages("list_refunds", RefundView, (page) => stripe.refunds.list({ payment_intent, ...page })),
});

/** The entries of a list, page by page, the newest first. */
export async function* readPages<S extends z.ZodType<{ id: string }>>(
  operation: string,
  schema: S,
  list: (page: Paging) => Promise<unknown>,
): AsyncGenerator<z.output<S>> {
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const paging = { limit: PAGE_SIZE, ...(after && { starting_after: after }) };
    const { items, hasMore } = await callStripe(operation, ListPage, () => list(paging), {});
    for (const item of items) {
      const parsed = schema.safeParse(item);
      if (!parsed.success)
        throw new ProviderError("invalid_answer", operation, "an entry has an unexpected shape");
      after = parsed.data.id;
      yield parsed.data;
    }
    if (!hasMore || items.length === 0) return;
  }
  throw new ProviderError("invalid_answer", operation, "the list has no end");
}
