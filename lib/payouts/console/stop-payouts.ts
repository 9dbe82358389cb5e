import { eq } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { payoutTerms } from "@/db/schema/payouts";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import { DEFAULT_WEEKDAY, LEAST_MINIMUM_CENTS } from "@/lib/payouts/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

/**
 * Stops the payouts of a merchant, with words for it, or lets them go on. What is approved and not sent drops out.
 * @throws ShopError merchant_unknown
 */
export const stopPayouts = (
  { userId }: StaffViewer,
  merchantId: string,
  { stopped, note }: { stopped: boolean; note: string },
): Promise<{ merchant_id: string; stopped: boolean }> =>
  transaction(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw new ShopError("merchant_unknown");
    const stop = stopped
      ? { stoppedAt: shopNow, stoppedBy: userId, stopNote: note || null }
      : { stoppedAt: null, stoppedBy: null, stopNote: null };
    await tx
      .insert(payoutTerms)
      .values({ merchantId, weekday: DEFAULT_WEEKDAY, thresholdCents: LEAST_MINIMUM_CENTS })
      .onConflictDoNothing();
    await tx.update(payoutTerms).set(stop).where(eq(payoutTerms.merchantId, merchantId));
    const detail = { ...(note && { note }) };
    if (stopped)
      await audit({ actor: userId, action: "merchant.payouts_stopped", subject: merchantId, detail }, tx);
    else await audit({ actor: userId, action: "merchant.payouts_resumed", subject: merchantId }, tx);
    return { merchant_id: merchantId, stopped };
  });
