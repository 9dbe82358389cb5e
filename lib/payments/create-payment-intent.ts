import { client } from "@/db/client";
import { callProvider } from "@/lib/payments/cards/call-provider";
import { attachCustomer } from "@/lib/payments/cards/ensure-customer";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { toDecimal } from "@/lib/platform/money";
import { paymentProvider, publishableKey } from "@/lib/platform/stripe/provider";
import type { CreatePaymentIntentInput, PaymentIntentView } from "./contract";
import {
  type LivePayment,
  recordCanceled,
  recordIntent,
  retrieveOrCreateIntent,
} from "./retrieve-or-create-intent";
import { CURRENCY } from "./rules";

/**
 * Opens the payment of an order, or returns the open one: one live intent per order
 * (docs/product.md#75-orders-and-payment). Writes the row and its idempotency key first, then calls the provider,
 * then stores the response (docs/reliability.md#calls-to-providers).
 * @throws ShopError order_unknown, order_not_payable, amount_differs, provider_unavailable, session_ended
 */
export async function createPaymentIntent(
  viewer: UserViewer,
  input: CreatePaymentIntentInput,
): Promise<PaymentIntentView> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const payment = await openPayment(viewer.userId, input);
    const intent = await callProvider(() => retrieveOrCreateIntent(payment, payment.opened));
    if (!intent) continue; // the payment was closed in the meantime
    if (intent.state === "canceled") {
      await recordCanceled(payment.id);
      continue;
    }
    const recordedId = await recordIntent(payment.id, intent);
    if (recordedId !== intent.id) {
      // The order was cancelled, or another intent was recorded, during the call. This one must not stay payable.
      await callProvider(() => paymentProvider().cancelIntent(intent.id));
      if (recordedId === null) break;
      continue;
    }
    if (intent.state === "succeeded") break;
    await attachCustomer(viewer, intent, input.save_card ?? false);
    return {
      client_secret: intent.clientSecret,
      publishableKey: publishableKey(),
      payment_mode: env().PAYMENT_MODE,
    };
  }
  throw new ShopError("order_not_payable");
}

type OrderPayment = LivePayment & { opened: boolean };
type OpenedPayment = { payable: boolean; total_cents: number; payment: OrderPayment | null };

/**
 * The live payment of an order, opened if there is none, in one statement that locks the order. An opened one is claimed for this
 * process (`claimCreation`). A payment that another request wrote while this one waited is not visible to the statement, so it is repeated.
 */
async function openPayment(userId: string, input: CreatePaymentIntentInput): Promise<OrderPayment> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const [order] = await client()<OpenedPayment[]>`
      with ordered as (
        select id, total_cents, send_email, status in ('pending', 'processingPayment') and hold_ends_at > shop_now()
          and total_cents > 0 as payable
        from orders where id = ${input.order_id} and user_id = ${userId} and hidden_at is null for update
      ), live as (
        select p.id, p.order_id as "orderId", p.intent_id as "intentId", p.amount_cents as "amountCents",
          p.receipt_email as "receiptEmail", false as opened
        from payments p join ordered o on o.id = p.order_id where p.state <> 'canceled'
      ), opened as (
        insert into payments (id, order_id, amount_cents, currency, receipt_email, requested_at)
        select ${newId("pay")}, o.id, o.total_cents, ${CURRENCY}, o.send_email, shop_now() from ordered o
        where o.payable and (o.total_cents = ${input.amount ?? null}::numeric * 100) is not false and not exists (select from live)
        on conflict do nothing
        returning id, order_id as "orderId", intent_id as "intentId", amount_cents as "amountCents",
          receipt_email as "receiptEmail", true as opened
      )
      select o.payable, o.total_cents, (select to_json(p) from (select * from live union all select * from opened) p) as payment
      from ordered o`;
    if (!order) throw new ShopError("order_unknown");
    if (!order.payable) throw new ShopError("order_not_payable");
    if (input.amount !== undefined && input.amount !== toDecimal(order.total_cents))
      throw new ShopError("amount_differs");
    if (order.payment) return order.payment;
  }
  throw new ShopError("order_not_payable");
}
