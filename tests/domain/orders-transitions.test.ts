import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { KEY_STATES, type KeyState } from "@/lib/delivery/rules";
import { hideOrder } from "@/lib/orders/cancellation/hide-order";
import { listOrders } from "@/lib/orders/list-orders";
import { nextStatus, ORDER_EVENTS, ORDER_STATUSES, TRANSITIONS } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import { postLedger } from "@/lib/payments/post-ledger";
import { getErrorName } from "../setup/error-name";

let user: SignedInUser;
let planId: number;
beforeAll(async () => {
  user = await createSignedInUser();
  planId = (await createSinglePlan({ keys: 10 })).id;
});
afterAll(closeDatabase);

const createTestOrder = (status: (typeof ORDER_STATUSES)[number]) => createOrder(user, planId, { status });
/** The name of the constraint that rejects a statement, or null. */
const getConstraint = (action: Promise<unknown>): Promise<string | null> =>
  action.then(
    () => null,
    (error: { cause?: { constraint_name?: string }; message: string }) =>
      error.cause?.constraint_name ?? error.message,
  );

describe("the database", () => {
  it("has the same transitions as the code", async () => {
    const rows = await db.execute<{ row: string }>(
      sql`select from_status || ' ' || event || ' ' || to_status as row from order_transitions`,
    );
    expect(rows.map(({ row }) => row).sort()).toEqual(TRANSITIONS.map((row) => row.join(" ")).sort());
  });

  it("rejects every change of status without an event, and accepts all others", async () => {
    let rejected = 0;
    for (const from of ORDER_STATUSES)
      for (const to of ORDER_STATUSES) {
        if (from === to) continue;
        const { id } = await createTestOrder(from);
        const isLegal = TRANSITIONS.some((row) => row[0] === from && row[2] === to);
        const constraint = await getConstraint(
          db.execute(sql`update orders set status = ${to} where id = ${id}`),
        );
        expect([from, to, constraint]).toEqual([from, to, isLegal ? null : "orders_transition"]);
        if (!isLegal) rejected++;
      }
    console.log(`status changes: ${rejected} of ${ORDER_STATUSES.length * 7} rejected as illegal`);
  });

  it("rejects illegal history rows and any change of the history", async () => {
    const { id } = await createTestOrder("pending");
    for (const from of ORDER_STATUSES)
      for (const event of ORDER_EVENTS)
        for (const to of ORDER_STATUSES) {
          if (nextStatus(from, event) === to) continue;
          const insert = db.execute(
            sql`insert into order_events (order_id, from_status, event, to_status) values (${id}, ${from}, ${event}, ${to})`,
          );
          expect(await getConstraint(insert)).toBe("order_events_legal");
        }
    expect(await getConstraint(db.execute(sql`delete from order_events where order_id = ${id}`))).toBe(
      "append_only",
    );
    expect(
      await getConstraint(db.execute(sql`update order_events set reason = 'x' where order_id = ${id}`)),
    ).toBe("append_only");
  });

  it("accepts new orders as pending only", async () => {
    const insert =
      db.execute(sql`insert into orders (id, user_id, send_email, locale, status, subtotal_cents, total_cents, hold_ends_at)
      values ('ord_x', ${user.id}, 'a@b.example', 'en', 'paid', 1, 1, shop_now())`);
    expect(await getConstraint(insert)).toBe("orders_transition");
  });

  it("accepts legal key states only, units that the line has, and one key for each unit", async () => {
    const { lineId } = await createTestOrder("pending");
    const LEGAL_KEY_MOVES = [
      "available reserved",
      "available revoked",
      "reserved available",
      "reserved assigned",
      "assigned quarantined",
      "assigned revoked",
      "assigned available",
      "quarantined revoked",
      "quarantined assigned",
      "available withheld",
      "reserved withheld",
      "available quarantined",
      "reserved quarantined",
      "withheld available",
      "withheld quarantined",
      "withheld revoked",
    ];
    const path: Record<KeyState, KeyState[]> = {
      available: [],
      withheld: ["withheld"],
      reserved: ["reserved"],
      assigned: ["reserved", "assigned"],
      quarantined: ["reserved", "assigned", "quarantined"],
      revoked: ["reserved", "assigned", "revoked"],
    };
    const moveKey = (id: string, state: KeyState) => {
      const columns =
        state === "available" || state === "withheld"
          ? sql`order_line_id = null, slot = null`
          : sql`order_line_id = ${lineId}, slot = 1`;
      return db.execute(sql`update keys set state = ${state}, ${columns} where id = ${id}`);
    };
    for (const from of KEY_STATES)
      for (const to of KEY_STATES) {
        if (from === to) continue;
        await withAvailableKey(async (id) => {
          for (const state of path[from]) await moveKey(id, state);
          const constraint = await getConstraint(moveKey(id, to));
          const move = `${from} ${to}`;
          // Only a revoked code that was never an order's goes back on sale.
          const refusal = move === "revoked available" ? "keys_unseen" : "keys_transition";
          expect([move, constraint]).toEqual([move, LEGAL_KEY_MOVES.includes(move) ? null : refusal]);
        });
      }
    const [firstKey, secondKey] = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} and state = 'available' limit 2`,
    );
    const reserveKey = (id: string, slot: number) =>
      db.execute(
        sql`update keys set state = 'reserved', order_line_id = ${lineId}, slot = ${slot} where id = ${id}`,
      );
    expect(await getConstraint(reserveKey(firstKey!.id, 2))).toBe("keys_unit");
    expect(await getConstraint(reserveKey(firstKey!.id, 1))).toBeNull();
    expect(await getConstraint(reserveKey(secondKey!.id, 1))).toBe("keys_one_per_unit");
  });

  it("keeps the ledger balanced, and posts a transfer once", async () => {
    const { id } = await createTestOrder("paid");
    const unbalanced = db.execute(
      sql`insert into ledger_entries (transfer_id, account, amount_cents, order_id) values ('t1', 'sales', 5, ${id})`,
    );
    expect(await getConstraint(unbalanced)).toBe("ledger_balance");
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
    expect(await getConstraint(db.execute(sql`update ledger_entries set amount_cents = 1`))).toBe(
      "append_only",
    );
  });
});

/** Runs an action on an available key, then resets the key. */
async function withAvailableKey(action: (id: string) => Promise<void>): Promise<void> {
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${planId} and state = 'available' limit 1`,
  );
  await action(key!.id);
  await db.execute(sql`alter table keys disable trigger keys_transition`);
  await db.execute(
    sql`update keys set state = 'available', order_line_id = null, slot = null where id = ${key!.id}`,
  );
  await db.execute(sql`alter table keys enable trigger keys_transition`);
}

describe("transition()", () => {
  it("follows the table and writes a history row, and rejects other events", async () => {
    for (const from of ORDER_STATUSES)
      for (const event of ORDER_EVENTS) {
        const { id } = await createTestOrder(from);
        const to = nextStatus(from, event);
        const transitioned = getConstraint(
          transaction(async (tx) => transition(tx, (await lockOrder(tx, id))!, event, { reason: "a test" })),
        );
        if (to) expect(await transitioned).toBeNull();
        else expect(await transitioned).toContain(`no ${event} from ${from}`);
        const [updated] = await db.execute(sql`select status from orders where id = ${id}`);
        expect(updated?.status).toBe(to ?? from);
      }
  });
});

describe("hiding an order", () => {
  it("is allowed for the user's own finished orders, and keeps the record", async () => {
    const other = await createSignedInUser();
    const hide = (viewer: SignedInUser["viewer"], order_id: string) =>
      getErrorName(hideOrder(viewer, { order_id }));
    for (const status of ORDER_STATUSES) {
      const { id } = await createOrder(other, planId, { status });
      const finished = ["cancelled", "refunded", "completed"].includes(status);
      expect(await hide(user.viewer, id)).toBe("order_unknown");
      expect([status, await hide(other.viewer, id)]).toEqual([
        status,
        finished ? null : "order_not_deletable",
      ]);
      const { orders } = await listOrders(other.viewer, { page: 1, size: 100 }, "en");
      expect(orders.some((order) => order.order_id === id)).toBe(!finished);
      expect(await db.execute(sql`select 1 from orders where id = ${id}`)).toHaveLength(1);
    }
  });
});
