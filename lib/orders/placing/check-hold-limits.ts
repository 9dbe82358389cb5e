import type { PendingQuery, Row } from "postgres";
import { client, statements, type Tx } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import {
  EXEMPTION_ENDS_AFTER,
  FURTHER_UNITS_PER_ADDRESS,
  FURTHER_UNITS_PER_DEVICE,
  HELD_STOCK_SHARE,
  pauseMinutes,
  UNPAID_ORDERS_MAX,
  UNPAID_UNITS_MAX,
  UNVERIFIED_UNITS_MAX,
} from "@/lib/orders/rules";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { hmac } from "@/lib/platform/crypto/hmac";
import { type ErrorName, isShopError, ShopError } from "@/lib/platform/errors";
import { ipGroup } from "@/lib/platform/http/ip";
import type { CapturedAttribution } from "@/lib/platform/routing/attribution-cookie";
import type { Buyer } from "./lock-buyer-and-identity";

/** Where an order comes from: the client's address, its device cookie, time zone and attribution; missing if unknown. */
export type OrderOrigin = {
  ip?: string;
  device?: string;
  timeZone?: string | null;
  attribution?: CapturedAttribution | null;
};

/** What a new order would hold. */
type HeldLine = { planId: number; quantity: number; preOrder: boolean };

/** The row of order_holds of a new order. */
export type Hold = {
  emailIdentity: string;
  emailVerified: boolean;
  device: string | null;
  addressGroup: string | null;
  further: boolean;
};

/** The unpaid orders of one identity, device or address group: open ones, and those of the last day that ended unpaid. */
type UnpaidOrders = {
  orders: number;
  units: number;
  /** Until the first open order's hold ends. */
  secondsLeft: number | null;
  ended: number;
  secondsSinceEnd: number | null;
};

/**
 * Checks the limits on unpaid orders (docs/product.md#89-unpaid-orders) and returns the row to store with the order. The
 * buyer and the email identity must be locked (`lockBuyerAndIdentity`). The first unpaid order of a verified identity is
 * refused by none of them, a pause included, unless its account or address group left several unpaid within a day; a further
 * one is counted per device, address group and plan, under a lock on each until the
 * transaction ends, so that parallel orders cannot pass together. Locks are taken in one order: identity, device, address
 * group, plans by id.
 * @throws ShopError holds_full, holds_paused, holds_unverified, holds_shared, stock_held, exemption_ended (all with
 * retryAfterSeconds)
 */
export async function checkHoldLimits(
  tx: Tx,
  { userId, emailIdentity, emailVerified }: Buyer,
  origin: OrderOrigin,
  lines: HeldLine[],
): Promise<Hold> {
  const sql = client();
  const newUnits = lines.reduce((sum, line) => sum + line.quantity, 0);
  const own = await countUnpaidOrders(
    tx,
    sql`h.email_identity = ${emailIdentity} and h.email_verified = ${emailVerified}`,
  );
  const units = own.units + newUnits;
  const addressGroup = origin.ip === undefined ? null : hmac("order-address", ipGroup(origin.ip));
  const isFirst = emailVerified && own.orders === 0;
  const exemptionEnded =
    isFirst && (own.ended >= EXEMPTION_ENDS_AFTER || (await leavesManyUnpaid(tx, { userId, addressGroup })));
  const further = !isFirst || exemptionEnded;
  if (further) rejectDuringPause(own);
  if (own.orders >= UNPAID_ORDERS_MAX || units > UNPAID_UNITS_MAX) throw limitError("holds_full", own);
  if (!emailVerified && units > UNVERIFIED_UNITS_MAX) throw limitError("holds_unverified", own);
  const hold: Hold = {
    emailIdentity,
    emailVerified,
    device: origin.device === undefined ? null : hmac("order-device", origin.device),
    addressGroup,
    further,
  };
  if (!hold.further) return hold;
  try {
    await checkDevice(tx, hold.device, newUnits);
    await checkAddressGroup(tx, hold.addressGroup, newUnits);
    await checkStockShare(tx, lines);
  } catch (error) {
    // Tells a buyer without an unpaid order why the limits concern them.
    if (exemptionEnded && (isShopError(error, "holds_shared") || isShopError(error, "stock_held")))
      throw new ShopError("exemption_ended", { params: error.params });
    throw error;
  }
  return hold;
}

/** Whether the account or the address group has EXEMPTION_ENDS_AFTER orders of a day that were cancelled or expired unpaid. */
async function leavesManyUnpaid(
  tx: Tx,
  { userId, addressGroup }: { userId: string; addressGroup: string | null },
): Promise<boolean> {
  const ended = client()`o.status = 'cancelled' and o.cancelled_at > shop_now() - interval '24 hours'`;
  const [row] = await statements(tx)<{ many: boolean }[]>`
    select greatest(
      (select count(*) from orders o join order_holds h on h.order_id = o.id where o.user_id = ${userId} and ${ended}),
      (select count(*) from order_holds h join orders o on o.id = h.order_id where h.address_group = ${addressGroup} and ${ended})
    ) >= ${EXEMPTION_ENDS_AFTER}::int as many`;
  return row!.many;
}

async function checkDevice(tx: Tx, device: string | null, newUnits: number): Promise<void> {
  if (device === null) return;
  await lock(tx, ADVISORY_LOCKS.ordersOfDevice, device);
  const unpaid = await countUnpaidOrders(tx, client()`h.device = ${device} and h.further`);
  rejectDuringPause(unpaid);
  if (unpaid.units + newUnits > FURTHER_UNITS_PER_DEVICE) throw limitError("holds_shared", unpaid);
}

async function checkAddressGroup(tx: Tx, addressGroup: string | null, newUnits: number): Promise<void> {
  if (addressGroup === null) return;
  await lock(tx, ADVISORY_LOCKS.ordersOfAddress, addressGroup);
  const unpaid = await countUnpaidOrders(tx, client()`h.address_group = ${addressGroup} and h.further`);
  if (unpaid.units + newUnits > FURTHER_UNITS_PER_ADDRESS) throw limitError("holds_shared", unpaid);
}

async function lock(tx: Tx, number: number, text: string): Promise<void> {
  await statements(tx)`select pg_advisory_xact_lock(${number}::int, hashtext(${text}))`;
}

async function countUnpaidOrders(tx: Tx, isHolder: PendingQuery<Row[]>): Promise<UnpaidOrders> {
  const [row] = await statements(tx)<UnpaidOrders[]>`
    select count(*) filter (where open)::int as orders, coalesce(sum(units) filter (where open), 0)::int as units,
      ceil(extract(epoch from min(hold_ends_at) filter (where open) - shop_now()))::int as "secondsLeft",
      count(*) filter (where not open)::int as ended,
      floor(extract(epoch from shop_now() - max(cancelled_at) filter (where not open)))::int as "secondsSinceEnd"
    from (
      select o.status <> 'cancelled' as open, o.hold_ends_at, o.cancelled_at,
        (select sum(l.quantity) from order_lines l where l.order_id = o.id) as units
      from order_holds h join orders o on o.id = h.order_id
      where ${isHolder} and (o.status in ('pending', 'processingPayment')
        or (o.status = 'cancelled' and o.cancelled_at > shop_now() - interval '24 hours'))) unpaid`;
  return row!;
}

/** @throws ShopError holds_paused after many unpaid orders */
function rejectDuringPause({ ended, secondsSinceEnd }: UnpaidOrders): void {
  const secondsLeft = pauseMinutes(ended) * 60 - (secondsSinceEnd ?? 0);
  if (ended > 0 && secondsLeft > 0) throw limitError("holds_paused", { secondsLeft });
}

/**
 * Limits the units of each plan that unpaid orders hold to a share of its stock, rounded up. Counts at most as many
 * available keys as decide it.
 * @throws ShopError stock_held
 */
async function checkStockShare(tx: Tx, lines: HeldLine[]): Promise<void> {
  const inStock = lines.filter((line) => !line.preOrder).sort((a, b) => a.planId - b.planId);
  for (const { planId, quantity } of inStock) {
    await statements(tx)`select pg_advisory_xact_lock(${ADVISORY_LOCKS.heldPlan}::int, ${planId}::int)`;
    const [held] = await statements(tx)<{ units: number; secondsLeft: number | null }[]>`
      select coalesce(sum(l.quantity), 0)::int as units,
        ceil(extract(epoch from min(o.hold_ends_at) - shop_now()))::int as "secondsLeft"
      from orders o join order_lines l on l.order_id = o.id
      where o.status in ('pending', 'processingPayment') and l.plan_id = ${planId} and l.state = 'reserved' and not l.pre_order`;
    const { units, secondsLeft } = held!;
    const enough = Math.ceil((units + quantity) / HELD_STOCK_SHARE);
    const [available] = await statements(tx)<{ keys: number }[]>`
      select count(*)::int as keys from (
        select from keys k where k.plan_id = ${planId} and ${client().unsafe(SELLABLE_KEY)} limit ${enough}) k`;
    const allowed = Math.ceil((units + available!.keys) * HELD_STOCK_SHARE);
    if (units + quantity > allowed) throw limitError("stock_held", { secondsLeft });
  }
}

/** Deletes the rows of orders that are older than a day and can no longer be paid. */
export async function deleteOldHolds(): Promise<void> {
  await client()`
    delete from order_holds h using orders o
    where o.id = h.order_id and h.created_at < shop_now() - interval '25 hours'
      and o.status not in ('pending', 'processingPayment')
      and coalesce(o.cancelled_at, o.created_at) < shop_now() - interval '25 hours'`;
}

/** The refusal by a limit, until the first of the holds that fill it ends. */
function limitError(error: ErrorName, { secondsLeft }: Pick<UnpaidOrders, "secondsLeft">): ShopError {
  const retryAfterSeconds = Math.max(1, secondsLeft ?? 60);
  const params = {
    retryAfterSeconds,
    minutes: Math.ceil(retryAfterSeconds / 60),
    limit: UNVERIFIED_UNITS_MAX,
  };
  return new ShopError(error, { params });
}
