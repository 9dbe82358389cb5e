import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { KEY_STATES, type KeyState } from "@/lib/delivery/rules";
import { hideOrder } from "@/lib/orders/cancellation/commands";
import { listOrders } from "@/lib/orders/queries";
import { nextStatus, ORDER_EVENTS, ORDER_STATUSES, TRANSITIONS } from "@/lib/orders/rules";
import { lockOrder, transition } from "@/lib/orders/status/commands";
import { postLedger } from "@/lib/payments/commands";
import { isShopError } from "@/lib/platform/errors";

vi.setConfig({ testTimeout: 120_000 });
let user: SignedInUser;
let planId: number;
beforeAll(async () => {
  user = await createSignedInUser();
  planId = (await createProduct({ plans: [{ keys: 10 }] })).plans[0]!.id;
});
afterAll(closeDatabase);

const order = (status: (typeof ORDER_STATUSES)[number]) => createOrder(user, planId, { status });
/** The name of the constraint that refuses, or null. */
const refusedBy = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: { cause?: { constraint_name?: string }; message: string }) =>
      error.cause?.constraint_name ?? error.message,
  );

describe("the database", () => {
  it("holds the same table as the code", async () => {
    const rows = await db.execute<{ row: string }>(
      sql`select from_status || ' ' || event || ' ' || to_status as row from order_transitions`,
    );
    expect(rows.map(({ row }) => row).sort()).toEqual(TRANSITIONS.map((row) => row.join(" ")).sort());
  });

  it("refuses every jump of status that no event leads to, and takes every other", async () => {
    let refused = 0;
    for (const from of ORDER_STATUSES)
      for (const to of ORDER_STATUSES) {
        if (from === to) continue;
        const { id } = await order(from);
        const legal = TRANSITIONS.some((row) => row[0] === from && row[2] === to);
        const answer = await refusedBy(db.execute(sql`update orders set status = ${to} where id = ${id}`));
        expect([from, to, answer]).toEqual([from, to, legal ? null : "orders_transition"]);
        if (!legal) refused++;
      }
    console.log(`status jumps: ${refused} illegal ones refused of ${ORDER_STATUSES.length * 7}`);
  });

  it("refuses a history that the table does not know, and any change of it", async () => {
    const { id } = await order("pending");
    for (const from of ORDER_STATUSES)
      for (const event of ORDER_EVENTS)
        for (const to of ORDER_STATUSES) {
          if (nextStatus(from, event) === to) continue;
          const insert = db.execute(
            sql`insert into order_events (order_id, from_status, event, to_status) values (${id}, ${from}, ${event}, ${to})`,
          );
          expect(await refusedBy(insert)).toBe("order_events_legal");
        }
    expect(await refusedBy(db.execute(sql`delete from order_events where order_id = ${id}`))).toBe(
      "append_only",
    );
    expect(
      await refusedBy(db.execute(sql`update order_events set reason = 'x' where order_id = ${id}`)),
    ).toBe("append_only");
  });

  it("lets an order begin as pending only", async () => {
    const insert =
      db.execute(sql`insert into orders (id, user_id, send_email, locale, status, subtotal_cents, total_cents, hold_ends_at)
      values ('ord_x', ${user.id}, 'a@b.example', 'en', 'paid', 1, 1, shop_now())`);
    expect(await refusedBy(insert)).toBe("orders_transition");
  });

  it("moves a key forward only, to a unit that its line has, and one key to a unit", async () => {
    const { lineId } = await order("pending");
    const LEGAL = [
      "available reserved",
      "available revoked",
      "reserved available",
      "reserved assigned",
      "assigned quarantined",
      "assigned revoked",
      "quarantined revoked",
    ];
    const way: Record<KeyState, KeyState[]> = {
      available: [],
      reserved: ["reserved"],
      assigned: ["reserved", "assigned"],
      quarantined: ["reserved", "assigned", "quarantined"],
      revoked: ["reserved", "assigned", "revoked"],
    };
    const move = (id: string, state: KeyState) => {
      const bound =
        state === "available"
          ? sql`order_line_id = null, slot = null`
          : sql`order_line_id = ${lineId}, slot = 1`;
      return db.execute(sql`update keys set state = ${state}, ${bound} where id = ${id}`);
    };
    for (const from of KEY_STATES)
      for (const to of KEY_STATES) {
        if (from === to) continue;
        await createFreeKey(async (id) => {
          for (const state of way[from]) await move(id, state);
          const answer = await refusedBy(move(id, to));
          expect([from, to, answer]).toEqual([
            from,
            to,
            LEGAL.includes(`${from} ${to}`) ? null : "keys_transition",
          ]);
        });
      }
    const [a, b] = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} and state = 'available' limit 2`,
    );
    const bind = (id: string, slot: number) =>
      db.execute(
        sql`update keys set state = 'reserved', order_line_id = ${lineId}, slot = ${slot} where id = ${id}`,
      );
    expect(await refusedBy(bind(a!.id, 2))).toBe("keys_unit");
    expect(await refusedBy(bind(a!.id, 1))).toBeNull();
    expect(await refusedBy(bind(b!.id, 1))).toBe("keys_one_per_unit");
  });

  it("keeps the ledger in balance, and one transfer once", async () => {
    const { id } = await order("paid");
    const alone = db.execute(
      sql`insert into ledger_entries (transfer_id, account, amount_cents, order_id) values ('t1', 'sales', 5, ${id})`,
    );
    expect(await refusedBy(alone)).toBe("ledger_balance");
    const posting = {
      transferId: "t2",
      orderId: id,
      debit: "provider_cash",
      credit: "sales",
      amountCents: 700,
    } as const;
    for (let i = 0; i < 3; i++) await transaction((tx) => postLedger(tx, posting));
    const rows = await db.execute(sql`select amount_cents from ledger_entries where transfer_id = 't2'`);
    expect(rows.map((row) => row.amount_cents).sort()).toEqual([-700, 700]);
    expect(await refusedBy(db.execute(sql`update ledger_entries set amount_cents = 1`))).toBe("append_only");
  });
});

/** A key whose fate does not outlive the work. */
async function createFreeKey(work: (id: string) => Promise<void>): Promise<void> {
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${planId} and state = 'available' limit 1`,
  );
  await work(key!.id);
  await db.execute(sql`alter table keys disable trigger keys_transition`);
  await db.execute(
    sql`update keys set state = 'available', order_line_id = null, slot = null where id = ${key!.id}`,
  );
  await db.execute(sql`alter table keys enable trigger keys_transition`);
}

describe("transition()", () => {
  it("goes along the table with a history row, and nowhere else", async () => {
    for (const from of ORDER_STATUSES)
      for (const event of ORDER_EVENTS) {
        const { id } = await order(from);
        const to = nextStatus(from, event);
        const moved = refusedBy(
          transaction(async (tx) => transition(tx, (await lockOrder(tx, id))!, event, { reason: "a test" })),
        );
        if (to) expect(await moved).toBeNull();
        else expect(await moved).toContain(`no ${event} from ${from}`);
        const [now] = await db.execute(sql`select status from orders where id = ${id}`);
        expect(now?.status).toBe(to ?? from);
      }
  });
});

describe("taking an order out of the list", () => {
  it("is for finished ones of one's own; the record stays", async () => {
    const other = await createSignedInUser();
    const hide = (viewer: SignedInUser["viewer"], order_id: string) =>
      hideOrder(viewer, { order_id }).then(
        () => null,
        (error: unknown) => (isShopError(error) ? error.error : String(error)),
      );
    for (const status of ORDER_STATUSES) {
      const { id } = await createOrder(other, planId, { status });
      const finished = ["cancelled", "refunded", "completed"].includes(status);
      expect(await hide(user.viewer, id)).toBe("order_unknown");
      expect([status, await hide(other.viewer, id)]).toEqual([
        status,
        finished ? null : "order_not_deletable",
      ]);
      const { orders } = await listOrders(other.viewer, { page: 1, size: 100 }, "en");
      expect(orders.some((one) => one.order_id === id)).toBe(!finished);
      expect(await db.execute(sql`select 1 from orders where id = ${id}`)).toHaveLength(1);
    }
  });
});
