import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listConsoleRefunds } from "@/lib/orders/console/queries-refunds";
import { REFUND_LISTS } from "@/lib/orders/console/rules";
import type { SeenVersion } from "@/lib/platform/console/version";

// What staff were shown of something, as their screens send it with a decision.

/** Of a refund that the console lists; without a version where it lists none. */
export async function seenRefund(id: string): Promise<SeenVersion> {
  for (const state of REFUND_LISTS) {
    const { items } = await listConsoleRefunds(ConsoleRefundsInput.parse({ state }), "en");
    const refund = items.find(({ refund_id }) => refund_id === id);
    if (refund) return { version: refund.version };
  }
  return {};
}

/** Of several refunds. */
export async function seenRefunds(ids: readonly string[]) {
  const versions: Record<string, string> = {};
  for (const id of ids) {
    const { version } = await seenRefund(id);
    if (version) versions[id] = version;
  }
  return { refund_ids: [...ids], versions };
}
