import { sql } from "drizzle-orm";
import { client, closeDatabase, db, pool } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createOrder } from "@/db/factories/orders";
import { env } from "@/lib/platform/env";
import { migrate } from "@/scripts/migrate";
import { auditSale } from "@/tests/setup/audit";
import { sleep } from "@/tests/setup/shopper";

/**
 * Broken variants: check-then-update inside READ COMMITTED transactions. The audit must detect each. `controlOf` runs this
 * file as a process and reads its last line.
 */
async function repeatConcurrently(count: number, action: () => Promise<void>): Promise<void> {
  let remaining = count;
  const worker = async () => {
    while (remaining-- > 0) await action();
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

async function naiveAllocator(): Promise<string> {
  const planId = (await createProduct({ plans: [{ keys: 1000 }] })).plans[0]!.id;
  const buyer = await createSignedInUser();
  const sold: string[] = [];
  await repeatConcurrently(1000, async () => {
    await pool().begin(async (tx) => {
      const [key] = await tx<{ id: string }[]>`
        select id from keys where plan_id = ${planId} and state = 'available' order by created_at, id limit 1`;
      if (!key) return;
      const { lineId } = await createOrder(buyer, planId);
      await tx`update keys set state = 'reserved', order_line_id = ${lineId}, slot = 1 where id = ${key.id}`;
      sold.push(key.id);
    });
  });
  const twice = sold.length - new Set(sold).size;
  return expectDetected(
    "an open order lacks the keys it holds",
    `a naive allocator sold ${twice} of ${sold.length} twice`,
    twice,
  );
}

async function naiveCoupon(): Promise<string> {
  const planId = (await createProduct({ plans: [{ keys: 0 }] })).plans[0]!.id;
  const buyer = await createSignedInUser();
  const code = await createCoupon();
  let used = 0;
  await repeatConcurrently(40, async () => {
    await pool().begin(async (tx) => {
      const [coupon] = await tx<
        { id: string }[]
      >`select id from coupons where code = ${code} and state = 'open'`;
      if (!coupon) return;
      const { id, lineId } = await createOrder(buyer, planId);
      await db.execute(
        sql`update orders set discount_cents = 500, total_cents = 500, coupon_id = ${coupon.id} where id = ${id}`,
      );
      await db.execute(
        sql`update order_lines set discount_cents = 500, total_cents = 500 where id = ${lineId}`,
      );
      await tx`update coupons set state = 'reserved', order_id = ${id}, user_id = ${buyer.id}, bound_at = now() where id = ${coupon.id}`;
      used++;
    });
  });
  return expectDetected(
    "a coupon was used twice",
    `check-then-update gave one coupon to ${used} orders`,
    used - 1,
  );
}

/** SKIP LOCKED without a second pass that waits: sells no key twice, but rejects buyers while other transactions lock keys. */
async function skipLockedOnly(): Promise<string> {
  const planId = (await createProduct({ plans: [{ keys: 200 }] })).plans[0]!.id;
  const buyer = await createSignedInUser();
  let rejected = 0;
  let locked = false;
  let finished = false;
  const otherTransaction = pool()
    .begin(async (tx) => {
      await tx`select id from keys where plan_id = ${planId} order by id limit 80 for update`;
      locked = true;
      while (!finished) await sleep(20);
      throw new Error("rolled back");
    })
    .catch(() => {});
  while (!locked) await sleep(20);
  await repeatConcurrently(200, async () => {
    const [key] =
      await client()`update keys set state = 'reserved', order_line_id = ${(await createOrder(buyer, planId)).lineId}, slot = 1
      where id = (select id from keys where plan_id = ${planId} and state = 'available' limit 1 for update skip locked) returning id`;
    if (!key) rejected++;
  });
  finished = true;
  await otherTransaction;
  if (rejected === 0) throw new Error("not detected: SKIP LOCKED alone rejects buyers");
  return `SKIP LOCKED alone rejected ${rejected} of 200 and left as many keys unsold: detected`;
}

async function expectDetected(rule: string, description: string, violations: number): Promise<string> {
  const detected = (await auditSale()).filter((message) => message.startsWith(rule));
  if (violations < 1 || detected.length === 0) throw new Error(`not detected: ${description}`);
  return `${description}: detected`;
}

await migrate(env().DATABASE_URL);
const variants: Record<string, () => Promise<string>> = {
  coupon: naiveCoupon,
  allocator: naiveAllocator,
  "skip-locked": skipLockedOnly,
};
const summary = await variants[process.argv[2] ?? ""]!();
await closeDatabase();
console.log(summary);
