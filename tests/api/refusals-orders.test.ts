import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll } from "vitest";
import { POST as create } from "@/app/api/v1/order/create/route";
import { POST as payNothing } from "@/app/api/v1/order/free-payment/route";
import { POST as updateEmail } from "@/app/api/v1/order/update/email/route";
import { POST as withdraw } from "@/app/api/v1/order/withdraw/route";
import { POST as joinWaitList } from "@/app/api/v1/wait-list/create/route";
import { client, db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine, createOrder, type OrderInput } from "@/db/factories/orders";
import { deriveVerificationCode } from "@/lib/accounts/queries";
import { CODE_TRIES, CODES_PER_HOUR } from "@/lib/accounts/rules";
import { sendWithdrawalCode } from "@/lib/accounts/verification/commands";
import { UNPAID_UNITS_MAX } from "@/lib/orders/rules";
import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { formatPrice } from "@/lib/platform/money";
import * as sale from "../setup/sale";
import { noteChanges, type Refused, refusals, type Ways } from "./refused";

let plain: number;
let limited: number;
let free: number;
let cheap: number;
let gone: number;
beforeAll(async () => {
  const { plans } = await createProduct({
    plans: [
      { keys: 40 },
      { type: "month", keys: 9, purchaseLimit: 1 },
      { type: "day", keys: 9, priceCents: 0 },
      { type: "year", keys: 9, priceCents: MINIMUM_CHARGE_CENTS - 1 },
      { type: "week", days: 8 },
    ],
  });
  [plain, limited, free, cheap, gone] = plans.map(({ id }) => id) as [number, number, number, number, number];
});
noteChanges();
afterAll(sale.endSale);

const fresh = () => `${newId("ref")}@example.com`.toLowerCase();
const unproved = () => sale.newBuyer({ verified: false });
/** An address that has had as many codes as an hour allows. */
async function crowded(): Promise<string> {
  const email = fresh();
  await db.execute(sql`
    insert into verification_codes (id, email, purpose, code_hash, expires_at, created_at)
    select 'vc_' || ${email} || n, ${email}, 'register', 'x', shop_now(), shop_now() - make_interval(mins => 2 * n)
    from generate_series(1, ${CODES_PER_HOUR}::int) as n`);
  return email;
}
/** Where an address is to be proved, its code goes out at once. */
const CODE_MAILED = ["insert verification_codes", "insert mails", "insert jobs"];

/** What an address of one's own choice is refused for, wherever keys or news are to go there. */
function toAnotherAddress(world: (who: sale.Buyer, email: string) => Promise<object>): Ways {
  const asked = async (who: sale.Buyer, email: string) => ({ who, body: await world(who, email) });
  return {
    delivery_email_unverified: async () => ({
      ...(await asked(await sale.newBuyer(), fresh())),
      leaves: CODE_MAILED,
    }),
    email_unverified: async () => asked(await unproved(), fresh()),
    too_many_codes: async () => asked(await sale.newBuyer(), await crowded()),
  };
}

async function withCart(planId: number, who?: sale.Buyer): Promise<Refused & { who: sale.Buyer }> {
  const buyer = who ?? (await sale.newBuyer());
  await createCartLine(buyer.id, planId);
  return { who: buyer, body: {} };
}
/** Somebody who has had a unit of a plan with a limit. */
async function owner(planId: number): Promise<sale.Buyer> {
  const who = await sale.newBuyer();
  const { id } = await createOrder(who, planId, { status: "completed" });
  await db.execute(
    sql`insert into purchase_claims (user_id, plan_id, slot, order_id) values (${who.id}, ${planId}, 1, ${id})`,
  );
  return who;
}
/** Every connection of the shop gives up a lock after so long, instead of ten seconds. */
async function shortenPatience(patience: string): Promise<void> {
  const all = await Promise.all(Array.from({ length: env().DATABASE_POOL }, () => client().reserve()));
  for (const one of all) await one`select set_config('lock_timeout', ${patience}, false)`;
  for (const one of all) one.release();
}
/** Something else holds the buyer's row for as long as the order is ready to wait. */
async function locked(): Promise<Refused> {
  await shortenPatience("200ms");
  const asked = await withCart(plain);
  const [held, ends] = [signal(), signal()];
  const rival = client().begin(async (tx) => {
    await tx`select 1 from users where id = ${asked.who.id} for update`;
    held.give();
    await ends.given;
  });
  letGo = async () => {
    ends.give();
    await rival;
  };
  await held.given;
  return asked;
}
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}
let letGo = async () => {};
afterEach(() => letGo());

refusals("/order/create", create, {
  nothing_selected: async () => ({ who: await sale.newBuyer(), body: {} }),
  sold_out: () => withCart(gone),
  purchase_limit: async () => ({
    ...(await withCart(limited, await owner(limited))),
    params: () => ({ limit: 1 }),
  }),
  already_claimed: async () => withCart(free, await owner(free)),
  ...toAnotherAddress(async (who, send_email) => {
    await createCartLine(who.id, plain);
    return { send_email };
  }),
  amount_too_small: async () => ({
    ...(await withCart(cheap)),
    params: (locale) => ({ minimum: formatPrice(MINIMUM_CHARGE_CENTS, locale) }),
  }),
  holds_full: async () => {
    const asked = await withCart(plain);
    for (let n = 0; n < UNPAID_UNITS_MAX / 10; n++) await createOrder(asked.who, plain, { quantity: 10 });
    return asked;
  },
  first_order_open: async () => {
    const asked = await withCart(plain);
    const { id } = await createOrder(asked.who, plain);
    const code = await createCoupon({ firstOrderOnly: true, userId: asked.who.id });
    await db.execute(sql`update coupons set state = 'reserved', order_id = ${id} where code = ${code}`);
    return asked;
  },
  unavailable: locked,
});

async function ordered(planId: number, given?: OrderInput, more: object = {}, who?: sale.Buyer) {
  const buyer = who ?? (await sale.newBuyer());
  const { id } = await createOrder(buyer, planId, given);
  return { who: buyer, body: { order_id: id, ...more } };
}

refusals("/order/free-payment", payNothing, {
  free_payment_not_zero: () => ordered(plain),
  amount_differs: () => ordered(free, {}, { final_amount: 10 }),
  order_not_payable: () => ordered(free, { holdMinutes: -1 }),
  email_unverified: async () => ordered(free, {}, {}, await unproved()),
});

refusals("/order/update/email", updateEmail, {
  ...toAnotherAddress(async (who, send_email) => ({
    order_id: (await createOrder(who, plain)).id,
    send_email,
  })),
  delivery_frozen: async () => {
    const asked = await ordered(plain, { status: "completed" });
    const email = fresh();
    await db.execute(sql`insert into verified_emails (user_id, email) values (${asked.who.id}, ${email})`);
    return { ...asked, body: { ...asked.body, send_email: email } };
  },
});

refusals("/wait-list/create", joinWaitList, {
  plan_in_stock: async () => ({ who: await sale.newBuyer(), body: { vip_id: plain } }),
  ...toAnotherAddress(async (_, email) => ({ vip_id: gone, email })),
});

/** A withdrawal by the order's address, for which a code was mailed. */
async function withdrawing() {
  const { who, body } = await ordered(plain, { status: "completed" });
  await sendWithdrawalCode(who.email, "en", "203.0.113.7", async () => true);
  const [row] = await db.execute<{ id: string }>(
    sql`select id from verification_codes where email = ${who.email} and purpose = 'withdraw'`,
  );
  return { id: row!.id, body: { ...body, email: who.email } };
}
refusals("/order/withdraw", withdraw, {
  code_expired: async () => {
    const { id, body } = await withdrawing();
    await db.execute(sql`update verification_codes set expires_at = shop_now() where id = ${id}`);
    return { body: { ...body, code: deriveVerificationCode(id) } };
  },
  code_used_up: async () => {
    const { id, body } = await withdrawing();
    await db.execute(sql`update verification_codes set tries = ${CODE_TRIES} where id = ${id}`);
    return { body: { ...body, code: deriveVerificationCode(id) } };
  },
  code_just_sent: async () => ({ body: (await withdrawing()).body }),
  too_many_codes: async () => ({ body: { order_id: newId("ord"), email: await crowded() } }),
});
