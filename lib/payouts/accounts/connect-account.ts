import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { providerAccounts } from "@/db/schema/payouts";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import { callProvider } from "@/lib/payments/cards/call-provider";
import { markWebhookProcessed } from "@/lib/payments/store-webhook-event";
import { COUNTRY_SQL, methodOf } from "@/lib/payouts/providers/method-of";
import { payoutProvider } from "@/lib/payouts/providers/payout-provider";
import type { NewProviderAccount } from "@/lib/payouts/providers/provider";
import { currentAccountSql, waitingAccountSql } from "@/lib/payouts/terms/next-payout";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { PayoutAccounts } from "./contract";
import { getAccounts } from "./get-accounts";
import { addAccount } from "./set-account";

const connect = () => payoutProvider("stripe_connect");

type Merchant = {
  name: string;
  country: string | null;
  accountId: string | null;
  closed: number;
  email: string;
};

/**
 * The payment provider's page on which an owner gives the merchant's details. The account is made at the first time
 * (docs/product.md#1410-payouts).
 * @throws ShopError no_provider: merchants of this country are paid by the shop's bank; provider_unavailable
 */
export async function connectAccount(viewer: MerchantViewer, locale: Locale): Promise<{ url: string }> {
  const { merchant, actor } = viewer;
  const [row] = await db.execute<Merchant>(sql`
    select m.name, ${COUNTRY_SQL} as country, u.email,
      (select r.id from provider_accounts r where r.merchant_id = m.id and r.state <> 'closed') as "accountId",
      (select count(*)::int from provider_accounts r where r.merchant_id = m.id and r.state = 'closed') as closed
    from merchants m join users u on u.id = ${actor} where m.id = ${merchant.id}`);
  if (!row || methodOf(row.country) !== "stripe_connect") throw new ShopError("no_provider");
  const { name, email, closed } = row;
  const account = { merchantId: merchant.id, name, email, country: row.country!, closed, actor };
  const accountId = row.accountId ?? (await callProvider(() => createAccount(account)));
  const page = localizedPath(`/merchant/${merchant.handle}/money`, { locale, surface: "desktop" });
  const back = (state: string) => new URL(`${page}?connect=${state}`, env().APP_URL).href;
  const addresses = { returnUrl: back("done"), refreshUrl: back("again") };
  const url = await callProvider(() => connect().accountLink(accountId, addresses));
  if (!url) throw new ShopError("no_provider");
  return { url };
}

async function createAccount({ actor, ...input }: NewProviderAccount & { actor: string }): Promise<string> {
  const account = await connect().createAccount(input);
  if (!account) throw new ShopError("no_provider");
  await transaction(async (tx) => {
    await tx
      .insert(providerAccounts)
      .values({ ...account, merchantId: input.merchantId, country: input.country, createdBy: actor })
      .onConflictDoNothing();
    const detail = { account_id: account.id };
    await audit({ actor, action: "merchant.account_connected", subject: input.merchantId, detail }, tx);
  });
  return account.id;
}

/**
 * Reads the state of the merchant's account at the provider again, as after its page. Ready, it is the merchant's account again where an
 * owner had cancelled it, or another one followed.
 */
export async function checkConnectedAccount(viewer: MerchantViewer): Promise<PayoutAccounts> {
  const [row] = await db.execute<{ id: string }>(sql`
    select id from provider_accounts where merchant_id = ${viewer.merchant.id} and state <> 'closed'`);
  if (row) {
    await callProvider(() => refreshProviderAccount(row.id));
    await transaction((tx) => addAgain(tx, viewer));
  }
  return getAccounts(viewer);
}

/** Only an owner adds it again: an event would undo what an owner cancelled. */
async function addAgain(tx: Tx, { merchant, actor }: MerchantViewer): Promise<void> {
  await lockMerchant(tx, merchant.id);
  const [account] = await tx.execute<{ id: string; country: string; merchantCountry: string | null }>(sql`
    select r.id, r.country, ${COUNTRY_SQL} as "merchantCountry" from provider_accounts r join merchants m on m.id = r.merchant_id
    where m.id = ${merchant.id} and r.state = 'active' and not exists (select from payout_accounts a where a.provider_account_id = r.id
      and a.id in (${currentAccountSql(sql`m.id`)}, ${waitingAccountSql(sql`m.id`)}))`);
  if (account && methodOf(account.merchantCountry) === "stripe_connect")
    await addProviderAccount(tx, merchant.id, { ...account, actor });
}

type AddedAccount = { id: string; country: string; actor: string };

const addProviderAccount = (tx: Tx, merchantId: string, { id, country, actor }: AddedAccount) =>
  addAccount(tx, merchantId, {
    details: { scheme: "provider", account: id },
    method: "stripe_connect",
    providerAccountId: id,
    country,
    number: id,
    actor,
  });

type Stored = { merchantId: string; country: string; state: string; createdBy: string; added: boolean };

/**
 * Reads an account at the provider and records its state, whatever the event that named it said. When it is ready for the first time it
 * becomes the merchant's account, which counts after 48 hours. Closed, it is one no more.
 */
export async function refreshProviderAccount(accountId: string, eventId?: string): Promise<void> {
  const [known] = await db.execute(sql`select from provider_accounts where id = ${accountId}`);
  const account = known && (await connect().accountState(accountId));
  await transaction(async (tx) => {
    if (account) await recordState(tx, account);
    await markWebhookProcessed(tx, eventId);
  });
}

async function recordState(
  tx: Tx,
  { id, state, requirements }: { id: string; state: string; requirements: string[] },
): Promise<void> {
  const [before] = await tx.execute<Stored>(sql`
    select r.merchant_id as "merchantId", r.country, r.state, r.created_by as "createdBy",
      exists (select from payout_accounts a where a.provider_account_id = r.id) as added
    from provider_accounts r where r.id = ${id} for update`);
  if (!before) return;
  const { merchantId, country, createdBy, added } = before;
  await tx.execute(sql`
    update provider_accounts set state = ${state}, requirements = ${JSON.stringify(requirements)}::jsonb, read_at = shop_now()
    where id = ${id}`);
  if (before.state !== state) {
    const detail = { account_id: id, before: before.state, after: state };
    await audit({ actor: "system", action: "merchant.account_state", subject: merchantId, detail }, tx);
  }
  if (state === "active" && !added) {
    await lockMerchant(tx, merchantId);
    await addProviderAccount(tx, merchantId, { id, country, actor: createdBy });
  }
  if (state === "closed")
    await tx.execute(sql`
      update payout_accounts set cancelled_at = shop_now(), cancelled_by = 'system'
      where provider_account_id = ${id} and cancelled_at is null`);
}
