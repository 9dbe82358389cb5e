import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { payoutAccounts } from "@/db/schema/payouts";
import { lockMerchant, mailOwners } from "@/lib/merchants/states/change-state";
import { COUNTRY_SQL, methodOf } from "@/lib/payouts/providers/method-of";
import { ACCOUNT_WAIT_HOURS, type PayoutMethod } from "@/lib/payouts/rules";
import { waitingAccountSql } from "@/lib/payouts/terms/next-payout";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { checkAccount, countryOf, numberOf } from "./check-account";
import type { PayoutAccountInput, PayoutAccounts } from "./contract";
import { getAccounts } from "./get-accounts";
import type { AccountDetails, ProviderDetails } from "./rules";

/**
 * Sets the bank account to which a merchant is paid. It counts after 48 hours, in which nothing is paid; all owners are mailed, and
 * any of them can cancel it. Another one that waits is cancelled by it (docs/product.md#1410-payouts).
 * @throws ShopError holder_invalid, iban_invalid, bank_number_invalid, account_number_invalid; provider_needed: merchants of this country
 *   are paid at the payment provider
 */
export async function setAccount(
  viewer: MerchantViewer,
  input: PayoutAccountInput,
  locale: Locale,
): Promise<PayoutAccounts> {
  const { merchant, actor } = viewer;
  const details = checkAccount(input, locale);
  await transaction(async (tx) => {
    await lockMerchant(tx, merchant.id);
    const [row] = await tx.execute<{ country: string | null }>(sql`
      select ${COUNTRY_SQL} as country from merchants m where m.id = ${merchant.id}`);
    if (methodOf(row!.country) !== "manual") throw new ShopError("provider_needed");
    await addAccount(tx, merchant.id, {
      details,
      method: "manual",
      country: countryOf(details),
      number: numberOf(details),
      actor,
    });
  });
  return getAccounts(viewer);
}

type NewAccount = {
  details: AccountDetails | ProviderDetails;
  method: PayoutMethod;
  country: string;
  number: string;
  providerAccountId?: string;
  actor: string;
};

/** Adds an account of a merchant whose row is locked. It counts after 48 hours, and all owners are mailed. */
export async function addAccount(
  tx: Tx,
  merchantId: string,
  { details, method, country, number, providerAccountId, actor }: NewAccount,
): Promise<void> {
  const id = newId("pac");
  const lastFour = number.slice(-4);
  const waiting = await findWaiting(tx, merchantId);
  if (waiting) await cancel(tx, waiting, actor);
  await tx.insert(payoutAccounts).values({
    id,
    merchantId,
    method,
    scheme: details.scheme,
    country,
    lastFour,
    providerAccountId: providerAccountId ?? null,
    ...seal(id, JSON.stringify(details)),
    createdBy: actor,
    countsFrom: sql`shop_now() + make_interval(hours => ${ACCOUNT_WAIT_HOURS})`,
  });
  const detail = { account_id: id, country, last_four: lastFour };
  await audit({ actor, action: "merchant.account_set", subject: merchantId, detail }, tx);
  const refs = { accountId: id, what: "set" };
  await mailOwners(tx, merchantId, { event: "payout-account", refs, about: `set:${id}` });
}

/**
 * Cancels an account that does not count yet: the one before it is used again.
 * @throws ShopError payout_account_unknown: none of this merchant that waits
 */
export async function cancelAccount(viewer: MerchantViewer, accountId: string): Promise<PayoutAccounts> {
  const { merchant, actor } = viewer;
  await transaction(async (tx) => {
    await lockMerchant(tx, merchant.id);
    if ((await findWaiting(tx, merchant.id)) !== accountId) throw new ShopError("payout_account_unknown");
    await cancel(tx, accountId, actor);
    const detail = { account_id: accountId };
    await audit({ actor, action: "merchant.account_cancelled", subject: merchant.id, detail }, tx);
    const refs = { accountId, what: "cancelled" };
    await mailOwners(tx, merchant.id, { event: "payout-account", refs, about: `cancelled:${accountId}` });
  });
  return getAccounts(viewer);
}

async function findWaiting(tx: Tx, merchantId: string): Promise<string | null> {
  const [row] = await tx.execute<{ id: string | null }>(
    sql`select ${waitingAccountSql(sql`${merchantId}`)} as id`,
  );
  return row!.id;
}

const cancel = (tx: Tx, id: string, actor: string) =>
  tx
    .update(payoutAccounts)
    .set({ cancelledAt: shopNow, cancelledBy: actor })
    .where(eq(payoutAccounts.id, id));
