import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSales } from "@/db/factories/merchants";
import { payoutAccounts, payouts, providerAccounts } from "@/db/schema/payouts";
import { sandboxAccounts } from "@/db/schema/sandbox";
import type { AccountDetails } from "@/lib/payouts/accounts/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";

/** An IBAN of a test account with the right checksum. */
export const TEST_IBAN = "DE89370400440532013000";

const IBAN_ACCOUNT: AccountDetails = { scheme: "iban", holder: "Test Holder", iban: TEST_IBAN };

/** An account of a merchant that counts since yesterday, or `waits` until tomorrow. Returns its id. */
export async function createPayoutAccount(
  merchantId: string,
  { details = IBAN_ACCOUNT, waits = false }: { details?: AccountDetails; waits?: boolean } = {},
): Promise<string> {
  const id = newId("pac");
  const number = details.scheme === "iban" ? details.iban : details.account;
  await db.insert(payoutAccounts).values({
    id,
    merchantId,
    method: "manual",
    scheme: details.scheme,
    country: details.scheme === "iban" ? details.iban.slice(0, 2) : details.country,
    ...seal(id, JSON.stringify(details)),
    lastFour: number.slice(-4),
    createdBy: "system",
    createdAt: sql`shop_now() - interval '3 days'`,
    countsFrom: waits ? sql`shop_now() + interval '1 day'` : sql`shop_now() - interval '1 day'`,
  });
  return id;
}

/** An account of a merchant at the payment provider, which accepted it and which counts since yesterday. Returns the provider's id. */
export async function createProviderAccount(merchantId: string): Promise<string> {
  const id = newId("acct");
  const account = newId("pac");
  const sealed = seal(account, JSON.stringify({ scheme: "provider", account: id }));
  await db.insert(sandboxAccounts).values({
    id,
    country: "DE",
    displayName: "Test",
    state: "active",
    requirements: [],
    metadata: { merchant_id: merchantId },
  });
  await db
    .insert(providerAccounts)
    .values({ id, merchantId, country: "DE", state: "active", requirements: [], createdBy: "system" });
  await db.insert(payoutAccounts).values({
    id: account,
    merchantId,
    method: "stripe_connect",
    scheme: "provider",
    country: "DE",
    ...sealed,
    lastFour: id.slice(-4),
    providerAccountId: id,
    createdBy: "system",
    createdAt: sql`shop_now() - interval '3 days'`,
    countsFrom: sql`shop_now() - interval '1 day'`,
  });
  return id;
}

/** A draft of $30 in a run, for a merchant of its own and without sales. Returns its id. */
export async function createDraftPayout(runId: string): Promise<string> {
  const { id: merchantId } = await createMerchant();
  const accountId = await createPayoutAccount(merchantId);
  const id = newId("po");
  await db.insert(payouts).values({ id, runId, merchantId, accountId, cents: 3_000 });
  return id;
}

/** A statement of a merchant with one payout that came back. Returns its id. */
export async function createStatement(merchantId: string): Promise<string> {
  const [id, transferId] = [newId("st"), `payout:${newId("po")}:1:back`];
  const entries = await db.execute<{ id: string; account: string }>(sql`
    insert into ledger_entries (transfer_id, account, amount_cents, merchant_id)
    select ${transferId}, a.account, a.cents, ${merchantId} from (values ('merchant_payable', -850), ('bank_cash', 850)) a(account, cents)
    returning id::text, account`);
  await db.execute(sql`
    with made as (
      insert into statements (id, merchant_id, number, kind, to_at, opening_cents, closing_cents, lines, held, hash, created_by)
      values (${id}, ${merchantId}, 1, 'on_demand', shop_now(), 0, 850, 1, '[]', 'none', 'system')
    )
    insert into statement_lines (entry_id, statement_id, position, kind, cents, at)
    select ${entries.find(({ account }) => account === "merchant_payable")!.id}::bigint, ${id}, 1, 'payout_back', 850, shop_now()`);
  return id;
}

/** A sale of a merchant of which $8.50 was paid out before all of it was returned. */
export async function createDebt(merchantId: string): Promise<void> {
  const { plans } = await createProduct({
    merchantId,
    plans: [{ type: "month", keys: 0, priceCents: 1_000 }],
  });
  const [line] = await createSales(await createSignedInUser(), plans[0]!.id, 1);
  await db.execute(
    sql`update merchant_sales set net_back_cents = net_cents, state = 'refunded', paid_out_cents = 850 where line_id = ${line!}`,
  );
  const payoutId = newId("po");
  await db.execute(sql`
    insert into ledger_entries (transfer_id, account, amount_cents, merchant_id)
    select ${`payout:${payoutId}:1`}, a.account, a.cents, ${merchantId} from (values ('merchant_payable', 850), ('bank_cash', -850)) a(account, cents)`);
}

/** Removes what `createDebt` invented for a merchant: no audit of the shop would accept it. */
export async function removeDebts(merchantIds: readonly string[]): Promise<void> {
  const ofMerchants = sql`merchant_id = any(${sql.param(merchantIds)}::text[])`;
  await transaction(async (tx) => {
    // These tables only grow.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(
      sql`delete from payout_lines where payout_id in (select id from payouts where ${ofMerchants})`,
    );
    await tx.execute(sql`delete from payouts where ${ofMerchants}`);
    await tx.execute(sql`delete from ledger_entries where ${ofMerchants}`);
    await tx.execute(sql`
      with sales as (delete from merchant_sales where ${ofMerchants} returning order_id),
        lines as (delete from order_lines where order_id in (select order_id from sales))
      delete from orders where id in (select order_id from sales)`);
  });
}
