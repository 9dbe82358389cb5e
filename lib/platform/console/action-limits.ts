import type { StaffViewer } from "@/lib/platform/auth/session";
import { takeRateLimit } from "@/lib/platform/rate-limit";

/** How often one staff member does what cannot be undone, or what a customer feels, in an hour. */
export const ACTIONS_PER_HOUR = {
  /** ending sessions, requiring a new password, unlocking: together */
  "customer.access": 20,
  "coupon.give": 20,
  "coupon.revoke": 20,
  "order.cancel": 20,
  "batch.withdraw": 20,
  "review.hide": 60,
} as const;
export type LimitedAction = keyof typeof ACTIONS_PER_HOUR;

/**
 * Counts an action of a staff member. Previews and what a rollback undoes `within` a transaction are not counted.
 * @throws ShopError too_many_requests
 */
export async function countAction(
  { userId }: StaffViewer,
  action: LimitedAction,
  options?: Parameters<typeof takeRateLimit>[1],
): Promise<void> {
  const counter = { name: `staff:${action}`, who: userId, limit: ACTIONS_PER_HOUR[action], seconds: 3600 };
  await takeRateLimit([counter], options);
}
