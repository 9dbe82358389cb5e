import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { payoutTerms } from "@/db/schema/payouts";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import type { PayoutTermsInput } from "@/lib/payouts/accounts/contract";
import { MINIMUM_SQL } from "@/lib/payouts/terms/next-payout";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import { toCents } from "@/lib/platform/money";

/** Sets the day of the week on which a merchant is paid, and from which amount on. @throws ShopError invalid_input: less than the shop pays out */
export async function setTerms(
  { merchant, actor }: MerchantViewer,
  { weekday, threshold }: PayoutTermsInput,
): Promise<PayoutTermsInput> {
  const terms = { weekday, thresholdCents: toCents(threshold) };
  await transaction(async (tx) => {
    await lockMerchant(tx, merchant.id);
    const [least] = await tx.execute<{ cents: number }>(sql`select ${MINIMUM_SQL} as cents`);
    if (terms.thresholdCents < least!.cents) throw new ShopError("invalid_input");
    const [before] = await tx.execute<{ weekday: number; threshold: number }>(sql`
      select weekday, threshold_cents as threshold from payout_terms where merchant_id = ${merchant.id}`);
    await tx
      .insert(payoutTerms)
      .values({ merchantId: merchant.id, ...terms })
      .onConflictDoUpdate({ target: payoutTerms.merchantId, set: terms });
    const detail = { weekday, threshold, before: before ?? null };
    await audit({ actor, action: "merchant.payout_terms", subject: merchant.id, detail }, tx);
  });
  return { weekday, threshold };
}
