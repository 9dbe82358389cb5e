import { z } from "zod";
import { SANDBOX_SIGNALS } from "@/lib/orders/console/rules";
import { WARNING_STATES } from "@/lib/payments/rules";
import { Instant, Usd } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

/** GET /admin/fraud-warnings: open ones, the oldest first; decided ones the newest first. */
export const ConsoleWarningsInput = z.object({
  cursor: Cursor,
  state: z.enum(["open", "decided"]).default("open"),
});
export type ConsoleWarningsInput = z.output<typeof ConsoleWarningsInput>;

/** A code by its reference, and when it was seen first; both null: unseen. */
const ShownCode = z.object({
  key_id: z.string(),
  mailed_at: Instant.nullable(),
  revealed_at: Instant.nullable(),
});

export const ConsoleWarning = z.object({
  /** the provider's id */
  warning_id: z.string(),
  state: z.enum(WARNING_STATES),
  /** in the provider's words: `made_with_stolen_card` …; null: not asked yet */
  fraud_type: z.string().nullable(),
  created_at: Instant,
  decided_at: Instant.nullable(),
  /** `rule`, or a colleague's address */
  decided_by: z.string().nullable(),
  note: z.string().nullable(),
  order_number: z.string(),
  customer_id: z.string(),
  email: z.string(),
  /** what is left of the order's money */
  amount: Usd,
  /** what was shown when, at most 50 codes */
  codes: z.array(ShownCode),
  version: Version,
});
export type ConsoleWarning = z.output<typeof ConsoleWarning>;
export const ConsoleWarningList = listOf(ConsoleWarning);
export type ConsoleWarningList = z.output<typeof ConsoleWarningList>;

export const WarningParams = z.object({ id: z.string().trim().min(1).max(100) });
/** POST /admin/fraud-warnings/{id}/refund, /release */
export const DecideWarningInput = SeenVersion.extend({ note: z.string().trim().min(3).max(500) });
export type DecideWarningInput = z.output<typeof DecideWarningInput>;
export const WarningDecided = z.object({ warning_id: z.string(), refunded_amount: Usd });
export type WarningDecided = z.output<typeof WarningDecided>;

/** GET, POST /admin/fraud-warnings/settings */
export const FraudSettings = z.object({
  /** what a dispute costs besides the payment: less is refunded without a look while no code was seen */
  dispute_cost: Usd,
});
export type FraudSettings = z.output<typeof FraudSettings>;
export const FraudSettingsInput = z.object({
  dispute_cost: z.number().min(0).max(10_000).meta({ example: 25 }),
});
export type FraudSettingsInput = z.output<typeof FraudSettingsInput>;

/** POST /admin/orders/{id}/sandbox-signal: what the stand-in of the provider sends about the order's payment. */
export const SandboxSignalInput = z.object({ signal: z.enum(SANDBOX_SIGNALS) });
export type SandboxSignalInput = z.output<typeof SandboxSignalInput>;
export const SandboxSignalSent = z.object({ order_id: z.string(), signal: z.enum(SANDBOX_SIGNALS) });
