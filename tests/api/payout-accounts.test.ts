import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as cancelAccount } from "@/app/api/v1/merchant/money/account/cancel/route";
import { GET as getAccounts, POST as setAccount } from "@/app/api/v1/merchant/money/account/route";
import { GET as getMoney } from "@/app/api/v1/merchant/money/route";
import { POST as setTerms } from "@/app/api/v1/merchant/money/terms/route";
import { db } from "@/db/client";
import { createApiToken, createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { TEST_IBAN } from "@/db/factories/payouts";
import { resealAccounts } from "@/lib/payouts/accounts/reseal-accounts";
import { unseal } from "@/lib/platform/crypto/vault";
import { env } from "@/lib/platform/env";
import * as sale from "../setup/sale";
import { call } from "./call";

let seller: Seller;
let partner: Seller;
let other: Seller;

beforeAll(async () => {
  seller = await createSeller(await createMerchant());
  partner = await createSeller(seller.merchant);
  other = await createSeller(await createMerchant());
});
afterAll(sale.closeSale);

const account = { scheme: "iban", holder: "Kettle Row Software Ltd", iban: "DE89 3704 0044 0532 0130 00" };
const set = (body: object, headers: Record<string, string> = seller.headers) =>
  call(setAccount, "/merchant/money/account", { method: "POST", headers, body });
const cancel = (account_id: string, headers = seller.headers) =>
  call(cancelAccount, "/merchant/money/account/cancel", { method: "POST", headers, body: { account_id } });
const read = async () =>
  (await call(getAccounts, "/merchant/money/account", { headers: seller.headers })).body.data;
const readNext = async () =>
  (await call(getMoney, "/merchant/money", { headers: seller.headers })).body.data.next_payout;
const mailsAbout = async (what: string) =>
  (
    await db.execute<{ to: string }>(sql`
      select to_address as to from mails where event = 'payout-account' and refs->>'what' = ${what} order by to_address`)
  ).map(({ to }) => to);
const letWaitingCount = () =>
  db.execute(
    sql`update payout_accounts set counts_from = shop_now() where counts_from > shop_now() and cancelled_at is null`,
  );

it("a new account counts after 48 hours, in which nothing is paid, and all owners are mailed", async () => {
  expect(await readNext()).toMatchObject({ obstacle: "no_account", on: null, threshold: 25, weekday: 1 });
  const { body } = await set(account);
  const { current, waiting } = body.data;
  expect(current).toBeNull();
  expect(waiting).toMatchObject({ scheme: "iban", country: "DE", last_four: "3000", set_by: seller.email });
  expect(Date.parse(waiting.counts_from) - Date.parse(waiting.set_at)).toBe(48 * 3_600_000);
  expect(await readNext()).toMatchObject({ obstacle: "account_waits" });
  expect(await mailsAbout("set")).toEqual([partner.email, seller.email].sort());
  await letWaitingCount();
  expect(await read()).toMatchObject({ current: { last_four: "3000" }, waiting: null });
  expect(await readNext()).toMatchObject({ obstacle: null, on: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) });
});

it("any owner cancels a change, and the account before it is used again", async () => {
  const { body } = await set({
    scheme: "routing",
    holder: "Someone Else",
    country: "US",
    bank: "021000021",
    account: "000123456789",
  });
  const { account_id } = body.data.waiting;
  expect((await cancel(account_id, other.headers)).body.code).toBe("40440");
  expect((await cancel("pac_none")).body.code).toBe("40440");
  expect((await cancel(account_id, partner.headers)).body.data).toMatchObject({
    current: { last_four: "3000" },
    waiting: null,
  });
  expect((await cancel(account_id)).body.code).toBe("40440");
  expect(await mailsAbout("cancelled")).toHaveLength(2);
});

it("a wrong number is refused with the field that has it", async () => {
  const refusals = [
    [{ ...account, iban: "DE88370400440532013000" }, "iban"],
    [{ ...account, iban: "nonsense" }, "iban"],
    [{ ...account, holder: "<b>" }, "holder"],
    [{ scheme: "routing", holder: "A", country: "US", bank: "021000022", account: "1234" }, "bank"],
    [{ scheme: "routing", holder: "A", country: "JP", bank: "123456", account: "1234567" }, "bank"],
    [{ scheme: "routing", holder: "A", country: "AU", bank: "NOBIC", account: "1234567" }, "bank"],
    [{ scheme: "routing", holder: "A", country: "US", bank: "021000021", account: "12" }, "account"],
  ] as const;
  for (const [body, field] of refusals) {
    const response = await set(body);
    expect([response.body.code, response.body.errors?.[0]?.path], JSON.stringify(body)).toEqual([
      "40000",
      field,
    ]);
  }
});

it("only an owner with a recent reauthentication sets an account, and no token", async () => {
  const member = await createSeller(seller.merchant, { role: "member" });
  const late = await createSeller(seller.merchant, { entered: false });
  const { bearer } = await createApiToken(seller.merchant);
  expect((await set(account, member.headers)).body.code).toBe("40300");
  expect((await set(account, late.headers)).body.code).toBe("40314");
  expect((await set(account, { authorization: bearer })).body.code).toBe("40300");
});

it("numbers and holders stand sealed in the account only, also under a new vault key", async () => {
  const [stored] = await db.execute<{ id: string; sealed: Buffer; vaultKeyId: string; row: string }>(sql`
    select id, sealed, vault_key_id as "vaultKeyId", to_jsonb(a)::text as row from payout_accounts a where last_four = '3000' limit 1`);
  const { id, row, ...sealed } = stored!;
  const texts = await db.execute<{ text: string }>(sql`
    select detail::text as text from audit_entries union all select refs::text from mails union all select ${row}`);
  for (const { text } of texts) expect(text).not.toMatch(/370400|Kettle Row Software Ltd/);
  expect(JSON.parse(unseal(id, sealed))).toEqual({ scheme: "iban", holder: account.holder, iban: TEST_IBAN });
  const old = env().VAULT_KEY;
  Object.assign(env(), { VAULT_KEY: Buffer.alloc(32, 7).toString("base64"), VAULT_KEYS_OLD: [old] });
  expect(await resealAccounts()).toBeGreaterThan(0);
  expect(await resealAccounts()).toBe(0);
  Object.assign(env(), { VAULT_KEYS_OLD: [] });
  const [again] = await db.execute<{ sealed: Buffer; vaultKeyId: string }>(sql`
    select sealed, vault_key_id as "vaultKeyId" from payout_accounts where id = ${id}`);
  expect(JSON.parse(unseal(id, again!))).toMatchObject({ iban: TEST_IBAN });
  Object.assign(env(), { VAULT_KEY: old });
  const change = db.execute(sql`update payout_accounts set last_four = '9999' where id = ${id}`);
  await expect(change).rejects.toMatchObject({ cause: { constraint_name: "payout_accounts_final" } });
});

it("an owner chooses the day and the amount, and not less than the shop's least", async () => {
  const ask = (body: object) =>
    call(setTerms, "/merchant/money/terms", { method: "POST", headers: seller.headers, body });
  expect((await ask({ weekday: 5, threshold: 24.99 })).body.code).toBe("40000");
  expect((await ask({ weekday: 8, threshold: 100 })).body.code).toBe("40000");
  expect((await ask({ weekday: 5, threshold: 100 })).body.data).toEqual({ weekday: 5, threshold: 100 });
  const next = await readNext();
  expect(next).toMatchObject({ weekday: 5, threshold: 100 });
  expect(new Date(`${next.on}T00:00:00Z`).getUTCDay()).toBe(5);
});
