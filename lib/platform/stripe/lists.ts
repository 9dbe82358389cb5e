import type Stripe from "stripe";
import type { z } from "zod";
import { ask } from "./answers";
import { ProviderError } from "./errors";
import { DisputeView, IntentView, ListPage, RefundView } from "./views";

/** What the daily comparison asks the provider: everything since a moment, the newest first. */
export type LookBack = {
  intentsSince(since: Date): AsyncGenerator<IntentView>;
  refundsSince(since: Date): AsyncGenerator<RefundView>;
  disputesSince(since: Date): AsyncGenerator<DisputeView>;
  /** All refunds of one intent, the newest first. */
  refundsOf(intentId: string): AsyncGenerator<RefundView>;
};

const PAGE = 100;
/** So many pages and no more: a provider that always says "there is more" is not believed for ever. */
const MOST_PAGES = 1000;

type Paging = { limit: number; starting_after?: string };

export function listsOver(stripe: Stripe): LookBack {
  const since = (date: Date) => ({ created: { gte: Math.floor(date.getTime() / 1000) } });
  return {
    intentsSince: (date) =>
      pages("list_intents", IntentView, (page) => stripe.paymentIntents.list({ ...since(date), ...page })),
    refundsSince: (date) =>
      pages("list_refunds", RefundView, (page) => stripe.refunds.list({ ...since(date), ...page })),
    disputesSince: (date) =>
      pages("list_disputes", DisputeView, (page) => stripe.disputes.list({ ...since(date), ...page })),
    refundsOf: (payment_intent) =>
      pages("list_refunds", RefundView, (page) => stripe.refunds.list({ payment_intent, ...page })),
  };
}

async function* pages<S extends z.ZodType<{ id: string }>>(
  operation: string,
  schema: S,
  list: (page: Paging) => Promise<unknown>,
): AsyncGenerator<z.output<S>> {
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const paging = { limit: PAGE, ...(after && { starting_after: after }) };
    const { items, more } = await ask(operation, ListPage, () => list(paging), {});
    for (const item of items) {
      const parsed = schema.safeParse(item);
      if (!parsed.success)
        throw new ProviderError("invalid_answer", operation, "an entry is not what it should be");
      after = parsed.data.id;
      yield parsed.data;
    }
    if (!more || items.length === 0) return;
  }
  throw new ProviderError("invalid_answer", operation, "the list has no end");
}
