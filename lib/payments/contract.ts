import { z } from "zod";
import { ActorFields, UsdParam } from "@/lib/platform/api/fields";
import { CURRENCY, SANDBOX_OUTCOMES } from "./rules";

/** Only the order counts: an amount, if sent, must equal its total, and `product_name` is ignored. */
export const CreatePaymentIntentInput = z.object({
  ...ActorFields,
  order_id: z.string().min(1).max(64),
  amount: UsdParam.optional(),
  currency: z.string().toLowerCase().pipe(z.literal(CURRENCY)).optional(),
  product_name: z.string().max(500).optional(),
  save_card: z.boolean().optional(),
});
export type CreatePaymentIntentInput = z.output<typeof CreatePaymentIntentInput>;

export const PaymentIntentView = z.object({
  client_secret: z.string(),
  /** empty in the sandbox, which has no provider script */
  publishableKey: z.string(),
  payment_mode: z.enum(["sandbox", "test", "live"]),
});
export type PaymentIntentView = z.output<typeof PaymentIntentView>;

export const ConfirmSandboxInput = z.object({
  client_secret: z.string().min(1).max(200),
  outcome: z.enum(SANDBOX_OUTCOMES),
  /** `card`, a wallet, `alipay`, `wechat_pay`, or the id of a saved card */
  payment_method: z.string().min(1).max(100).optional(),
  /** the path of this shop to which the page of `alipay` and `wechat_pay` leads back */
  return_path: z
    .string()
    .max(300)
    .regex(/^\/(?![/\\])[!-~]*$/)
    .optional(),
});
export type ConfirmSandboxInput = z.output<typeof ConfirmSandboxInput>;

export const SandboxConfirmed = z.object({
  status: z.string(),
  /** the page on which it is paid; null: it is paid here */
  redirect_url: z.string().nullable(),
});
