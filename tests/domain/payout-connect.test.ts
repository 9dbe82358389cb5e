import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSales, createSeller, type Seller } from "@/db/factories/merchants";
import { createPayoutAccount, TEST_IBAN } from "@/db/factories/payouts";
import { createStaff, endAllMemberships, type StaffUser } from "@/db/factories/staff";
import {
  checkConnectedAccount,
  connectAccount,
  refreshProviderAccount,
} from "@/lib/payouts/accounts/connect-account";
import { getAccounts } from "@/lib/payouts/accounts/get-accounts";
import { receiveAccountEvent } from "@/lib/payouts/accounts/receive-account-event";
import { cancelAccount, setAccount } from "@/lib/payouts/accounts/set-account";
import { makeBankFile } from "@/lib/payouts/bank-files/make-bank-file";
import { closeLedger } from "@/lib/payouts/closings/close-ledger";
import { endAccountWait } from "@/lib/payouts/console/end-window";
import { getPayoutSettings, setMinimum } from "@/lib/payouts/console/settings";
import { getMoney } from "@/lib/payouts/money/get-money";
import { askForRun } from "@/lib/payouts/runs/approve-run";
import { endPayoutByStaff } from "@/lib/payouts/runs/end-payout";
import { fillRun, prepareRun } from "@/lib/payouts/runs/prepare-run";
import { sendRun } from "@/lib/payouts/runs/send-run";
import { readProviderBalance, reconcileTransfers } from "@/lib/payouts/transfers/reconcile-transfers";
import { sendTransfers } from "@/lib/payouts/transfers/send-transfers";
import { env } from "@/lib/platform/env";
import { isShopError } from "@/lib/platform/errors";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { connectProvider } from "@/lib/platform/stripe/provider";
import {
  answerOnboarding,
  changeAccount,
  findOnboarding,
  type OnboardingChoice,
} from "@/lib/platform/stripe/sandbox/connect-accounts";
import { moveBalance } from "@/lib/platform/stripe/sandbox/connect-transfers";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";
import { runAsCall } from "../setup/second-person";
import { decideSeen } from "../setup/seen";
import { clearSandboxFaults, dropSandboxEvents, failSandbox } from "../setup/stripe-faults";

const CENTS = 3_400;

let asking: StaffUser;
let deciding: StaffUser;
let buyer: sale.Buyer;

beforeAll(async () => {
  buyer = await sale.createBuyer();
});
beforeEach(async () => {
  dropSandboxEvents();
  await endAllMemberships();
  [asking, deciding] = [await createStaff({ roles: ["finance"] }), await createStaff({ roles: ["finance"] })];
});
afterEach(clearSandboxFaults);
afterAll(sale.closeSale);

async function createOwner(country: string): Promise<Seller> {
  const merchant = await createMerchant({ trust: "trusted" });
  await db.execute(sql`
    insert into merchant_trade_fields (merchant_id, field, value, given_at, given_by)
    values (${merchant.id}, 'address', ${JSON.stringify({ country })}::jsonb, shop_now(), 'system')`);
  return createSeller(merchant);
}

/** An owner presses the button, and answers the provider's page. Returns the account's id. */
async function onboard(owner: Seller, choice: OnboardingChoice): Promise<string> {
  const { url } = await connectAccount(owner.member, "en");
  const { pathname, searchParams } = new URL(url);
  const id = pathname.split("/").at(-1)!;
  const token = searchParams.get("link")!;
  const back = await answerOnboarding(id, token, choice);
  expect(back).toContain(`/money?connect=${choice === "link_expired" ? "again" : "done"}`);
  expect(await answerOnboarding(id, token, "complete")).toBeNull();
  return id;
}

it("the provider's page speaks the language of the page that opened it", async () => {
  const owner = await createOwner("DE");
  for (const locale of LOCALES) {
    const { pathname, searchParams } = new URL((await connectAccount(owner.member, locale)).url);
    const found = await findOnboarding(pathname.split("/").at(-1)!, searchParams.get("link")!);
    expect(found).toMatchObject({ locale, name: owner.merchant.name });
  }
});

/** A merchant that is paid at the provider, with sales of $34 that are available. */
async function createPaid(): Promise<{ owner: Seller; accountId: string }> {
  const owner = await createOwner("DE");
  const accountId = await onboard(owner, "complete");
  await checkConnectedAccount(owner.member);
  await endAccountWait(asking.viewer, owner.merchant.id);
  await addSales(owner);
  return { owner, accountId };
}
async function addSales(owner: Seller): Promise<void> {
  const { plans } = await createProduct({
    merchantId: owner.merchant.id,
    plans: [{ type: "month", keys: 0, priceCents: 1_000 }],
  });
  const lines = await createSales(buyer, plans[0]!.id, 4);
  await db.execute(sql`
    with booked as (update merchant_sales s set booked_cents = net_cents where line_id = any(${sql.param(lines)}::text[])
      returning s.line_id, s.merchant_id, s.order_id, s.net_cents as cents)
    insert into ledger_entries (transfer_id, account, amount_cents, order_id, merchant_id, line_id)
    select 'settle:' || b.line_id, a.account, a.sign * b.cents, b.order_id, b.merchant_id, b.line_id
    from booked b cross join (values ('merchant_share', 1), ('merchant_payable', -1)) a(account, sign)`);
}
async function pay(): Promise<string> {
  const { run_id: runId } = await prepareRun(asking.viewer);
  await fillRun(runId);
  const error = await runAsCall(asking.viewer, () => askForRun(runId)).catch((thrown: unknown) => thrown);
  if (!isShopError(error, "approval_required")) throw error;
  await decideSeen(deciding.viewer, { id: error.issues![0]!.message, decision: "approve" });
  await sendRun(runId);
  return runId;
}
type Payout = {
  id: string;
  key: string;
  state: string;
  transferId: string | null;
  lacks: boolean;
  reason: string | null;
};
const payoutOf = async ({ merchant }: Seller): Promise<Payout> =>
  (
    await db.execute<Payout>(sql`
      select p.id, t.key, p.state, t.transfer_id as "transferId", t.lacks_funds as lacks, t.reason from payouts p
      join payout_attempts t on t.payout_id = p.id and t.attempt = p.attempt where p.merchant_id = ${merchant.id}
      order by p.created_at desc limit 1`)
  )[0]!;
const transfersOf = async (accountId: string): Promise<{ id: string; cents: number; reversed: number }[]> => [
  ...(await db.execute<{ id: string; cents: number; reversed: number }>(sql`
    select id, amount_cents as cents, reversed_cents as reversed from sandbox_transfers where account_id = ${accountId}`)),
];
const cashOf = async (account: string): Promise<number> =>
  (
    await db.execute<{ cents: number }>(
      sql`select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where account = ${account}`,
    )
  )[0]!.cents;

it("an account at the provider is pending, restricted, accepted and closed, and counts 48 hours after it was accepted", async () => {
  const owner = await createOwner("DE");
  expect(await getAccounts(owner.member)).toMatchObject({ method: "stripe_connect", provider: null });
  const id = await onboard(owner, "link_expired");
  expect(await getAccounts(owner.member)).toMatchObject({ provider: { state: "pending" }, waiting: null });
  expect(await onboard(owner, "document_missing")).toBe(id);
  const restricted = await checkConnectedAccount(owner.member);
  expect(restricted).toMatchObject({
    provider: { state: "restricted", requirements: ["identity.individual.documents.primary_verification"] },
    waiting: null,
  });
  await onboard(owner, "complete");
  await checkConnectedAccount(owner.member);
  expect(await checkConnectedAccount(owner.member)).toMatchObject({
    provider: { state: "active" },
    waiting: { scheme: "provider", last_four: id.slice(-4) },
    current: null,
  });
  await endAccountWait(asking.viewer, owner.merchant.id);
  expect((await getMoney(owner)).next_payout.obstacle).toBeNull();
  await transaction((tx) => changeAccount(tx, id, { state: "restricted", requirements: ["x"] }));
  await refreshProviderAccount(id);
  expect((await getMoney(owner)).next_payout.obstacle).toBe("account_inactive");
  await transaction((tx) => changeAccount(tx, id, { state: "closed", requirements: [] }));
  await refreshProviderAccount(id);
  expect(await getAccounts(owner.member)).toMatchObject({ current: null, provider: null });
  expect((await getMoney(owner)).next_payout.obstacle).toBe("no_account");
});

it("an account at the provider that an owner cancelled waits again for 48 hours when an owner checks it, never by an event", async () => {
  const owner = await createOwner("DE");
  const id = await onboard(owner, "complete");
  const first = (await checkConnectedAccount(owner.member)).waiting!;
  await cancelAccount(owner.member, first.account_id);
  await refreshProviderAccount(id); // as an event does
  expect(await getAccounts(owner.member)).toMatchObject({ current: null, waiting: null });
  const { waiting } = await checkConnectedAccount(owner.member);
  expect(waiting).toMatchObject({ scheme: "provider", last_four: id.slice(-4), set_by: owner.email });
  expect(Date.parse(waiting!.counts_from) - Date.parse(waiting!.set_at)).toBe(48 * 3_600_000);
  expect((await checkConnectedAccount(owner.member)).waiting).toEqual(waiting);
  await endAccountWait(asking.viewer, owner.merchant.id);
  expect(await checkConnectedAccount(owner.member)).toMatchObject({
    current: { account_id: waiting!.account_id },
    waiting: null,
  });
  // A bank account followed it while the merchant was of another country.
  const bank = await createPayoutAccount(owner.merchant.id, { waits: true });
  await endAccountWait(asking.viewer, owner.merchant.id);
  const ofCountry = (country: string) =>
    db.execute(
      sql`update merchant_trade_fields set value = ${JSON.stringify({ country })}::jsonb where merchant_id = ${owner.merchant.id}`,
    );
  await ofCountry("JP");
  expect(await checkConnectedAccount(owner.member)).toMatchObject({
    current: { account_id: bank },
    waiting: null,
  });
  await ofCountry("DE");
  expect(await checkConnectedAccount(owner.member)).toMatchObject({
    current: { account_id: bank },
    waiting: { scheme: "provider" },
  });
});

it("merchants of countries that the provider does not reach are paid to a bank account, the others are not", async () => {
  const bank = { scheme: "iban", holder: "Kettle Row Software Ltd", iban: TEST_IBAN } as const;
  for (const country of ["JP", "CN"]) {
    const owner = await createOwner(country);
    expect((await getAccounts(owner.member)).method).toBe("manual");
    await expect(connectAccount(owner.member, "en")).rejects.toThrow("no_provider");
    expect(await setAccount(owner.member, bank, "en")).toMatchObject({ waiting: { scheme: "iban" } });
  }
  const reached = await createOwner("DE");
  await expect(setAccount(reached.member, bank, "en")).rejects.toThrow("provider_needed");
  expect(await getAccounts(reached.member)).toMatchObject({ current: null, waiting: null });
});

it("events about an account are signed, may repeat and come late, and only its present state counts", async () => {
  const owner = await createOwner("DE");
  const id = await onboard(owner, "complete");
  const event = (name: string, type: string) =>
    JSON.stringify({
      id: `evt_${name}_${id}`,
      object: "v2.core.event",
      type,
      livemode: false,
      created: new Date(),
      related_object: { id, type: "v2.core.account", url: `/v2/core/accounts/${id}` },
    });
  const send = (payload: string, secret = env().STRIPE_WEBHOOK_SECRET) =>
    receiveAccountEvent(Buffer.from(payload), Stripe.webhooks.generateTestHeaderString({ payload, secret }));
  const closed = event("closed", "v2.core.account.closed");
  await expect(send(closed, "whsec_other")).rejects.toThrow();
  await send(closed);
  await send(closed);
  await send(event("requirements", "v2.core.account[requirements].updated"));
  await sale.runQueue({ mails: false });
  expect(await getAccounts(owner.member)).toMatchObject({ provider: { state: "active" } });
  const [events] = await db.execute<{ stored: number; open: number }>(sql`
    select count(*)::int as stored, count(*) filter (where processed_at is null)::int as open from webhook_events where object_id = ${id}`);
  expect(events).toEqual({ stored: 2, open: 0 });
});

it("a payout is one transfer, whatever answer was lost, and two workers send it once", async () => {
  await moveBalance(100_000);
  for (const fault of ["500", "timeout", "reset"] as const) {
    const { owner, accountId } = await createPaid();
    const before = await cashOf("provider_cash");
    const runId = await pay();
    failSandbox("create_transfer", { when: "after", as: fault });
    await sendTransfers();
    expect(await payoutOf(owner)).toMatchObject({ state: "sent", transferId: null });
    expect(await transfersOf(accountId)).toHaveLength(1);
    await Promise.all([sendTransfers(), sendTransfers()]);
    const transfers = await transfersOf(accountId);
    expect(transfers).toMatchObject([{ cents: CENTS }]);
    expect(await payoutOf(owner)).toMatchObject({ state: "confirmed", transferId: transfers[0]!.id });
    expect(await cashOf("provider_cash")).toBe(before - CENTS);
    await expect(makeBankFile(asking.viewer, runId)).rejects.toThrow("nothing_to_send");
  }
});

it("a transfer whose answer was lost is found by its key a day later, and by the reconciliation", async () => {
  await moveBalance(100_000);
  const lost = async () => {
    const { owner, accountId } = await createPaid();
    await pay();
    failSandbox("create_transfer", { when: "after", as: "timeout" });
    await sendTransfers();
    return { owner, accountId };
  };
  const late = await lost();
  await db.execute(
    sql`update payout_attempts set tried_at = shop_now() - interval '30 hours' where ended_at is null`,
  );
  await db.execute(sql`delete from sandbox_requests`); // the provider has forgotten the key
  await sendTransfers();
  expect(await payoutOf(late.owner)).toMatchObject({ state: "confirmed" });
  expect(await transfersOf(late.accountId)).toHaveLength(1);

  const listed = await lost();
  expect(await reconcileTransfers()).toMatchObject({ recorded: 1, unexplained: 0 });
  expect(await payoutOf(listed.owner)).toMatchObject({ state: "confirmed" });
  expect(await reconcileTransfers()).toMatchObject({ recorded: 0, unexplained: 0 });

  const strange = {
    key: "strange",
    idempotencyKey: "strange",
    accountId: listed.accountId,
    cents: 5,
    group: "strange",
  };
  const { id } = await connectProvider().createTransfer(strange);
  expect(await reconcileTransfers()).toMatchObject({ recorded: 0, unexplained: 1 });
  expect((await getPayoutSettings()).provider).toMatchObject({ unexplained: 1 });
  await db.execute(sql`delete from sandbox_transfers where id = ${id}`);
});

it("a transfer whose answer was lost is not made again after a day in which each hour's try got no answer", async () => {
  await moveBalance(100_000);
  const { owner, accountId } = await createPaid();
  await pay();
  failSandbox("create_transfer", { when: "after", as: "500" });
  await sendTransfers();
  const down = { when: "before", as: "reset" } as const;
  failSandbox("create_transfer", down, 100);
  failSandbox("list_transfers", down, 100);
  for (const hours of [...Array(20).keys(), 24]) {
    await sale.setClockAhead(`${hours + 1} hours`);
    await sendTransfers().catch(() => {});
  }
  expect(await payoutOf(owner)).toMatchObject({ state: "sent", transferId: null });
  clearSandboxFaults();
  dropSandboxEvents();
  await db.execute(sql`delete from sandbox_requests`); // the provider has forgotten the key
  await sendTransfers();
  const transfers = await transfersOf(accountId);
  expect(transfers).toMatchObject([{ cents: CENTS }]);
  expect(await payoutOf(owner)).toMatchObject({ state: "confirmed", transferId: transfers[0]!.id });
  await sale.setClockAhead("0");
});

it("a provider that does not answer is asked once, and the next run goes on with the other transfers", async () => {
  await moveBalance(100_000);
  const paid: Awaited<ReturnType<typeof createPaid>>[] = [];
  for (let count = 0; count < 6; count++) paid.push(await createPaid());
  await pay();
  const states = async () => {
    const payouts = await Promise.all(paid.map(({ owner }) => payoutOf(owner)));
    return payouts.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ state }) => state);
  };
  failSandbox("create_transfer", { when: "before", as: "500" }, 100);
  await sendTransfers();
  const [{ tried }] = (await db.execute<{ tried: number }>(sql`
    select count(*)::int as tried from payout_attempts where tried_at is not null and ended_at is null`)) as [
    { tried: number },
  ];
  expect(tried).toBeLessThanOrEqual(4); // those under way at once
  clearSandboxFaults();
  dropSandboxEvents();
  // Four that are never answered, as many as are under way at once, do not keep the others waiting.
  const first = await db.execute<{ account: string }>(sql`
    select a.provider_account_id as account from payout_attempts t join payout_accounts a on a.id = t.account_id
    where t.ended_at is null order by t.key limit 4`);
  for (const { account } of first)
    failSandbox("create_transfer", { when: "before", as: "500", of: account }, 100);
  for (let run = 0; run < 5; run++) await sendTransfers();
  expect(await states()).toEqual(["sent", "sent", "sent", "sent", "confirmed", "confirmed"]);
  clearSandboxFaults();
  dropSandboxEvents();
  await sendTransfers();
  expect(new Set(await states())).toEqual(new Set(["confirmed"]));
});

it("too little money at the provider is a state: the payout waits, and is sent once there is enough", async () => {
  const { owner, accountId } = await createPaid();
  const [{ cents }] = (await db.execute<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int - (select coalesce(sum(amount_cents - reversed_cents), 0)::int from sandbox_transfers)
      + (select coalesce(sum(received_cents - refunded_cents), 0)::int from sandbox_intents) as cents from sandbox_payouts`)) as [
    { cents: number },
  ];
  await moveBalance(1 - cents);
  expect(await readProviderBalance()).toBe((CENTS - 1) / 100);
  await pay();
  await sendTransfers();
  expect(await payoutOf(owner)).toMatchObject({ state: "sent", lacks: true });
  expect(await getPayoutSettings()).toMatchObject({
    lacking_funds: 1,
    provider: { short: (CENTS - 1) / 100 },
  });
  await moveBalance(CENTS, { pending: true });
  await sendTransfers();
  expect(await transfersOf(accountId)).toEqual([]);
  await moveBalance(CENTS);
  await sendTransfers();
  expect(await payoutOf(owner)).toMatchObject({ state: "confirmed", lacks: false });
  expect(await getPayoutSettings()).toMatchObject({ lacking_funds: 0 });
});

it("the balance that the provider keeps is read from the closed part of the ledger and what came after it", async () => {
  const { owner } = await createPaid();
  const readNeeded = async () => {
    await readProviderBalance();
    const [row] = await db.execute<{ cents: number }>(
      sql`select provider_needed_cents::int as cents from payout_settings`,
    );
    return row!.cents;
  };
  const before = await readNeeded();
  await sale.setClockAhead("2 hours");
  await closeLedger();
  expect(await readNeeded()).toBe(before);
  const setClosed = (cents: number) =>
    db.execute(sql`
      update ledger_closings set cents = cents + ${cents} where account = 'merchant_payable' and merchant_id = ${owner.merchant.id}`);
  await setClosed(-500);
  expect(await readNeeded()).toBe(before + 500);
  await setClosed(500);
  await sale.setClockAhead("0");
  await addSales(owner);
  expect(await readNeeded()).toBe(before + CENTS);
});

it("a transfer whose region or currency the provider refuses fails the payout, and its sales are owed again", async () => {
  await moveBalance(100_000);
  const refusals = {
    region: (id: string) => db.execute(sql`update sandbox_accounts set country = 'CN' where id = ${id}`),
    currency: async () => failSandbox("create_transfer", { when: "before", as: "currency" }),
  };
  for (const [named, refuse] of Object.entries(refusals)) {
    const reason = expect.stringContaining(named === "region" ? "CN" : "usd");
    const { owner, accountId } = await createPaid();
    await pay();
    await refuse(accountId);
    await sendTransfers();
    await sendTransfers(); // refused once, it is not sent again
    expect(await payoutOf(owner)).toMatchObject({ state: "failed", reason });
    expect(await transfersOf(accountId)).toEqual([]);
    expect(await getMoney(owner)).toMatchObject({ available: CENTS / 100, in_transit: 0 });
    await db.execute(sql`update sandbox_accounts set state = 'restricted' where id = ${accountId}`);
    await refreshProviderAccount(accountId); // later runs leave it out
  }
});

it("finance takes a transfer back only where the account still has the money, and cannot tell its end otherwise", async () => {
  await moveBalance(100_000);
  const { owner, accountId } = await createPaid();
  await pay();
  const { id } = await payoutOf(owner);
  for (const outcome of ["confirmed", "failed"] as const)
    await expect(endPayoutByStaff(asking.viewer, id, { outcome })).rejects.toThrow("payout_state");
  await sendTransfers();
  await db.execute(sql`update sandbox_transfers set spent_cents = 1 where account_id = ${accountId}`);
  await expect(endPayoutByStaff(asking.viewer, id, { outcome: "returned" })).rejects.toThrow(
    "destination_empty",
  );
  expect(await payoutOf(owner)).toMatchObject({ state: "confirmed" });
  await db.execute(sql`update sandbox_transfers set spent_cents = 0 where account_id = ${accountId}`);
  failSandbox("reverse_transfer", { when: "after", as: "500" });
  await expect(endPayoutByStaff(asking.viewer, id, { outcome: "returned" })).rejects.toThrow(
    "provider_unavailable",
  );
  await endPayoutByStaff(asking.viewer, id, { outcome: "returned" });
  expect(await transfersOf(accountId)).toMatchObject([{ reversed: CENTS }]);
  expect(await getMoney(owner)).toMatchObject({ available: CENTS / 100 });
});

it("a transfer of which a part was taken back at the provider is not taken back whole, and the reconciliation shows it", async () => {
  await moveBalance(100_000);
  const { owner, accountId } = await createPaid();
  await pay();
  await sendTransfers();
  const { id, transferId } = await payoutOf(owner);
  await connectProvider().reverseTransfer(transferId!, 1_000);
  await expect(endPayoutByStaff(asking.viewer, id, { outcome: "returned" })).rejects.toThrow(
    "destination_empty",
  );
  expect(await payoutOf(owner)).toMatchObject({ state: "confirmed" });
  expect(await transfersOf(accountId)).toMatchObject([{ reversed: 1_000 }]);
  const findings = async () => (await getPayoutSettings()).provider!.unexplained;
  const before = await findings();
  expect(await reconcileTransfers()).toMatchObject({ unexplained: 1 });
  expect(await findings()).toBe(before + 1);
  // The rest is taken back there too: now finance records that all of it is back.
  await connectProvider().reverseTransfer(transferId!, CENTS - 1_000);
  await endPayoutByStaff(asking.viewer, id, { outcome: "returned" });
  expect(await reconcileTransfers()).toMatchObject({ unexplained: 0 });
  expect(await findings()).toBe(before);
  expect(await getMoney(owner)).toMatchObject({ available: CENTS / 100 });
});

it("an account that the provider refused is closed, and the next one is another", async () => {
  const owner = await createOwner("DE");
  const refused = await onboard(owner, "refuse");
  expect(await checkConnectedAccount(owner.member)).toMatchObject({ provider: null, current: null });
  const next = await onboard(owner, "complete");
  expect(next).not.toBe(refused);
  expect(await checkConnectedAccount(owner.member)).toMatchObject({ provider: { state: "active" } });
});

it("what the provider pays to the shop's bank moves from one account of the ledger to the other, and back if it fails", async () => {
  await moveBalance(100_000);
  await reconcileTransfers();
  const [provider, bank] = [await cashOf("provider_cash"), await cashOf("bank_cash")];
  const id = await moveBalance(-40_000);
  await reconcileTransfers();
  await reconcileTransfers();
  expect([await cashOf("provider_cash"), await cashOf("bank_cash")]).toEqual([
    provider - 40_000,
    bank + 40_000,
  ]);
  await db.execute(sql`update sandbox_payouts set status = 'failed' where id = ${id}`);
  await reconcileTransfers();
  expect([await cashOf("provider_cash"), await cashOf("bank_cash")]).toEqual([provider, bank]);
});

it("the least payout is a setting that drafts and merchants' thresholds follow", async () => {
  const { owner } = await createPaid();
  await setMinimum(asking.viewer, { minimum: 50 });
  expect((await getMoney(owner)).next_payout).toMatchObject({ minimum: 50, threshold: 50, amount: 0 });
  await setMinimum(asking.viewer, { minimum: 25 });
  expect((await getMoney(owner)).next_payout).toMatchObject({ threshold: 25, amount: CENTS / 100 });
});

it("the audit of the whole database finds each transfer's payout and each payout's transfer", async () => {
  const broken = await auditSale();
  expect(broken.filter((rule) => /payout|paid out|run sent|ledger|transfer/.test(rule))).toEqual([]);
});
