import { z } from "zod";
import { Country } from "@/lib/accounts/billing/contract";
import { DeliveryChoiceFields, OrderRef } from "@/lib/orders/contract";
import { CreatePaymentIntentInput } from "@/lib/payments/contract";

/**
 * `POST /order/update-delivery` (docs/product.md#75-orders-and-payment): how an order is delivered, until it is paid.
 * Absent fields stay unchanged.
 */
export const DeliveryChoiceInput = OrderRef.extend({
  ...DeliveryChoiceFields,
  /** where the buyer lives, ISO 3166-1 with two letters; kept for later orders */
  country: Country.optional(),
});
export type DeliveryChoiceInput = z.output<typeof DeliveryChoiceInput>;

/** `POST /payment/stripe/create-payment-intent`: without `immediate_delivery` an earlier choice counts, else true. */
export const StartPaymentInput = CreatePaymentIntentInput.extend({
  ...DeliveryChoiceFields,
  /** the buyer still chooses, by `/order/update-delivery`: no default is stored with this call */
  choose_later: z.boolean().optional(),
});
export type StartPaymentInput = z.output<typeof StartPaymentInput>;

export const DeliveryChoiceView = z.object({
  order_id: z.string(),
  keep_in_library: z.boolean(),
  /** null: not chosen yet */
  immediate_delivery: z.boolean().nullable(),
  /** null: not known */
  country: z.string().nullable(),
  /** the statutory right of withdrawal applies to the buyer */
  withdrawal_applies: z.boolean(),
  /** the lines whose codes stay in the library */
  kept_order_product_ids: z.array(z.string()),
});
export type DeliveryChoiceView = z.output<typeof DeliveryChoiceView>;
