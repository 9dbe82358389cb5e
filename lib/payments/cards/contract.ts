import { z } from "zod";
import { PaymentIntentView } from "@/lib/payments/contract";
import { ActorFields, Instant } from "@/lib/platform/api/fields";
import { SANDBOX_CARDS } from "./rules";

/**
 * A saved card. The shop receives only the last four digits (payment/cards, docs/product.md#75-orders-and-payment).
 */
export const CardView = z.object({
  payment_id: z.string(),
  brand: z.string().meta({ example: "visa" }),
  last4: z.string().meta({ example: "4242" }),
  exp_month: z.int(),
  exp_year: z.int(),
  created_at: Instant,
});
export type CardView = z.output<typeof CardView>;

export const CardList = z.object({ cards: z.array(CardView) });
export type CardList = z.output<typeof CardList>;

const ProviderId = z.string().min(1).max(100);

/** Empty: opens a setup; with the id of a setup or card: returns the saved card. */
export const AddCardInput = z.object({
  ...ActorFields,
  payment_method_id: ProviderId.optional(),
  setup_id: ProviderId.optional(),
});
export type AddCardInput = z.output<typeof AddCardInput>;

/** What the browser needs to save a card at the provider. */
export const SetupOpened = z.object({ ...PaymentIntentView.shape, setup_id: z.string() });
export type SetupOpened = z.output<typeof SetupOpened>;

export const CardAdded = z.union([SetupOpened, CardView]);

export const DeleteCardInput = z.object({ ...ActorFields, payment_id: ProviderId });
export type DeleteCardInput = z.output<typeof DeleteCardInput>;

export const CardDeleted = z.object({ payment_id: z.string() });

export const ConfirmSandboxSetupInput = z.object({
  client_secret: z.string().min(1).max(200),
  card: z.enum(SANDBOX_CARDS),
});
export type ConfirmSandboxSetupInput = z.output<typeof ConfirmSandboxSetupInput>;

/** `problem`: the provider's error code. */
export const SandboxSetupConfirmed = z.object({ status: z.string(), problem: z.string().nullable() });
export type SandboxSetupConfirmed = z.output<typeof SandboxSetupConfirmed>;
