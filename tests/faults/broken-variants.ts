import { sql } from "drizzle-orm";
import { client, closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createOrder } from "@/db/factories/orders";
import { env } from "@/lib/platform/env";
import { migrate } from "@/scripts/migrate";
import { auditSale } from "./audit";
import { sleep } from "./shopper";

/**
 * Broken variants: check-then-update inside READ COMMITTED transactions. The audit must detect each. `controlOf` runs this
 * file as a process and reads its last line.
 */
async function inLanes(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

async function naiveAllocator(): Promise<string> {
  const planId = (await createProduct({ plans: [{ keys: 1000 }] })).plans[0]!.id;
  const someone = await createSignedInUser();
  const sold: string[] = [];
  await inLanes(1000, async () => {
    await client().begin(async (tx) => {
      const [key] = await tx<{ id: string }[]>`
        select id from keys where plan_id = ${planId} and state = 'available' order by created_at, id limit 1`;
      if (!key) return;
      const { lineId } = await createOrder(someone, planId);
      await tx`update keys set state = 'reserved', order_line_id = ${lineId}, slot = 1 where id = ${key.id}`;
      sold.push(key.id);
    });
  });
  const twice = sold.length - new Set(sold).size;
  return said(
    "an open order lacks the keys it holds",
    `a naive allocator sold ${twice} of ${sold.length} twice`,
    twice,
  );
}

async function naiveCoupon(): Promise<string> {
  const planId = (await createProduct({ plans: [{ keys: 0 }] })).plans[0]!.id;
  const someone = await createSignedInUser();
  const code = await createCoupon();
  let used = 0;
  await inLanes(40, async () => {
    await client().begin(async (tx) => {
      const [coupon] = await tx<
        { id: string }[]
      >`select id from coupons where code = ${code} and state = 'open'`;
      if (!coupon) return;
      const { id, lineId } = await createOrder(someone, planId);
      await db.execute(
        sql`update orders set discount_cents = 500, total_cents = 500, coupon_id = ${coupon.id} where id = ${id}`,
      );
      await db.execute(
        sql`update order_lines set discount_cents = 500, total_cents = 500 where id = ${lineId}`,
      );
      await tx`update coupons set state = 'reserved', order_id = ${id}, user_id = ${someone.id}, bound_at = now() where id = ${coupon.id}`;
      used++;
    });
  });
  return said("a coupon was used twice", `check-then-update gave one coupon to ${used} orders`, used - 1);
}

/** SKIP LOCKED without a second, waiting pass: sells nothing twice, but refuses buyers while other transactions hold keys. */
async function skipLockedAlone(): Promise<string> {
  const planId = (await createProduct({ plans: [{ keys: 200 }] })).plans[0]!.id;
  const someone = await createSignedInUser();
  let refused = 0;
  let holding = false;
  let asked = false;
  const rival = client()
    .begin(async (tx) => {
      await tx`select id from keys where plan_id = ${planId} order by id limit 80 for update`;
      holding = true;
      while (!asked) await sleep(20);
      throw new Error("rolled back");
    })
    .catch(() => {});
  while (!holding) await sleep(20);
  await inLanes(200, async () => {
    const [key] =
      await client()`update keys set state = 'reserved', order_line_id = ${(await createOrder(someone, planId)).lineId}, slot = 1
      where id = (select id from keys where plan_id = ${planId} and state = 'available' limit 1 for update skip locked) returning id`;
    if (!key) refused++;
  });
  asked = true;
  await rival;
  if (refused === 0) throw new Error("not seen: SKIP LOCKED alone refuses");
  return `SKIP LOCKED alone refused ${refused} of 200 and left as many keys unsold: seen`;
}

async function said(rule: string, what: string, broken: number): Promise<string> {
  const seen = (await auditSale()).filter((line) => line.startsWith(rule));
  if (broken < 1 || seen.length === 0) throw new Error(`not seen: ${what}`);
  return `${what}: seen`;
}

await migrate(env().DATABASE_URL);
const variants: Record<string, () => Promise<string>> = {
  coupon: naiveCoupon,
  allocator: naiveAllocator,
  "skip-locked": skipLockedAlone,
};
const last = await variants[process.argv[2] ?? ""]!();
await closeDatabase();
console.log(last);
