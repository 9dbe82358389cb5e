import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Db, db, type Tx } from "@/db/client";
import { sandboxPayouts, sandboxTransfers } from "@/db/schema/sandbox";
import { selectAccount } from "./connect-accounts";
import {
  Cents,
  Limit,
  Metadata,
  notFound,
  type Params,
  parseParams,
  SandboxError,
  Seconds,
  stripeId,
} from "./http";
import { listConditions, listObject } from "./lists";

/** Transfers to connected accounts, their reversals, and the balance that they are taken from. */
type TransferRow = typeof sandboxTransfers.$inferSelect;

const transferObject = ({
  id,
  accountId,
  amountCents,
  reversedCents,
  transferGroup,
  metadata,
  createdAt,
}: TransferRow) => ({
  id,
  object: "transfer",
  amount: amountCents,
  amount_reversed: reversedCents,
  reversed: reversedCents === amountCents,
  currency: "usd",
  destination: accountId,
  transfer_group: transferGroup,
  metadata,
  created: Math.floor(createdAt.getTime() / 1000),
  livemode: false,
});

/** The balance: payments minus refunds, transfers and payouts to the bank. */
async function readCents(tx: Db): Promise<{ available: number; pending: number }> {
  const [row] = await tx.execute<{ available: number; pending: number }>(sql`
    select (select coalesce(sum(received_cents - refunded_cents), 0) from sandbox_intents)::float8
      - (select coalesce(sum(amount_cents - reversed_cents), 0) from sandbox_transfers)::float8
      + coalesce(sum(amount_cents) filter (where status <> 'failed' and available_at <= shop_now()), 0)::float8 as available,
      coalesce(sum(amount_cents) filter (where status <> 'failed' and available_at > shop_now()), 0)::float8 as pending
    from sandbox_payouts`);
  return row!;
}

export async function readBalance(): Promise<object> {
  const { available, pending } = await readCents(db);
  const usd = (amount: number) => [{ amount, currency: "usd", source_types: { card: amount } }];
  return { object: "balance", available: usd(available), pending: usd(pending), livemode: false };
}

const TransferParams = z.strictObject({
  amount: Cents,
  currency: z.string(),
  destination: z.string(),
  transfer_group: z.string().optional(),
  metadata: Metadata,
});

/** Countries whose accounts the shop's platform cannot reach. */
const UNREACHED = ["CN", "JP"];

export async function createTransfer(tx: Tx, params: Params) {
  const { amount, currency, destination, transfer_group, metadata } = parseParams(TransferParams, params);
  const refuse = (code: string, message: string) => new SandboxError(400, { code, message });
  if (currency !== "usd") throw refuse("invalid_currency", `The account does not take ${currency}.`);
  const [account] = await selectAccount(tx, destination).for("share");
  if (!account) throw notFound(400, "destination", destination, "destination");
  if (UNREACHED.includes(account.country))
    throw refuse("transfers_not_allowed", `Funds can't be sent to accounts located in ${account.country}.`);
  if (account.state !== "active")
    throw refuse(
      "insufficient_capabilities_for_transfer",
      "Your destination account needs to have the stripe_transfers capability enabled.",
    );
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sandbox balance'))`);
  const { available } = await readCents(tx);
  if (amount > available)
    throw refuse("balance_insufficient", "You have insufficient available funds in your Stripe account.");
  const [row] = await tx
    .insert(sandboxTransfers)
    .values({
      id: stripeId("tr"),
      accountId: destination,
      amountCents: amount,
      transferGroup: transfer_group ?? null,
      metadata,
    })
    .returning();
  return transferObject(row!);
}

export async function retrieveTransfer(id: string) {
  const [row] = await db.select().from(sandboxTransfers).where(eq(sandboxTransfers.id, id));
  if (!row) throw notFound(404, "transfer", id, "id");
  return transferObject(row);
}

const ReversalParams = z.strictObject({ amount: Cents });

export async function reverseTransfer(tx: Tx, params: Params, id: string) {
  const { amount } = parseParams(ReversalParams, params);
  const [row] = await tx.select().from(sandboxTransfers).where(eq(sandboxTransfers.id, id)).for("update");
  if (!row) throw notFound(404, "transfer", id, "id");
  if (amount > row.amountCents - row.reversedCents - row.spentCents)
    throw new SandboxError(400, {
      code: "balance_insufficient",
      message: "The connected account has insufficient funds to reverse this transfer.",
    });
  await tx
    .update(sandboxTransfers)
    .set({ reversedCents: row.reversedCents + amount })
    .where(eq(sandboxTransfers.id, id));
  return { id: stripeId("trr"), object: "transfer_reversal", transfer: id, amount, currency: "usd" };
}

const ListParams = z.strictObject({
  created: z.strictObject({ gte: Seconds }).optional(),
  transfer_group: z.string().optional(),
  starting_after: z.string().optional(),
  limit: Limit,
});

export async function listTransfers(params: Params): Promise<object> {
  const { transfer_group: group, limit, ...query } = parseParams(ListParams, params);
  const rows = await db
    .select()
    .from(sandboxTransfers)
    .where(
      and(
        listConditions(sandboxTransfers, query),
        group ? eq(sandboxTransfers.transferGroup, group) : undefined,
      ),
    )
    .orderBy(desc(sandboxTransfers.createdAt), desc(sandboxTransfers.id))
    .limit(limit + 1);
  return listObject("/v1/transfers", rows.map(transferObject), limit);
}

/** The payouts to the shop's bank, without top-ups. */
export async function listPayouts(params: Params): Promise<object> {
  const { limit, transfer_group: _, ...query } = parseParams(ListParams, params);
  const rows = await db
    .select()
    .from(sandboxPayouts)
    .where(and(listConditions(sandboxPayouts, query), sql`${sandboxPayouts.amountCents} < 0`))
    .orderBy(desc(sandboxPayouts.createdAt), desc(sandboxPayouts.id))
    .limit(limit + 1);
  const objects = rows.map(({ id, amountCents, status }) => ({
    id,
    object: "payout",
    amount: -amountCents,
    currency: "usd",
    status,
    livemode: false,
  }));
  return listObject("/v1/payouts", objects, limit);
}

/** Moves the shop's balance as the provider's dashboard does: a payout to the bank (below zero), or a top-up. Returns its id. */
export async function moveBalance(
  cents: number,
  { status = "paid", pending = false }: { status?: "paid" | "pending" | "failed"; pending?: boolean } = {},
): Promise<string> {
  const id = stripeId(cents < 0 ? "po" : "tu");
  const availableAt = pending ? sql`shop_now() + interval '2 days'` : sql`shop_now()`;
  await db.insert(sandboxPayouts).values({ id, amountCents: cents, status, availableAt });
  return id;
}
