import { and, eq, isNull, or, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { orderLines, orders } from "@/db/schema/orders";
import { saveCountry } from "@/lib/accounts/billing/save-billing-address";
import { type ConsentSource, createConsent } from "@/lib/delivery/rules";
import type { DeliveryChoiceInput, DeliveryChoiceView } from "@/lib/orders/delivery-options/contract";
import { findGift } from "@/lib/orders/gifts/find-gift";
import { paidMustDeliverNow, requireMayKeepUnrevealed } from "@/lib/orders/returns/must-deliver-now";
import { isPayable } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { addTax, withRetaxing } from "@/lib/orders/tax/add-tax";
import { withdrawalApplies } from "@/lib/orders/withdrawal/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { frozenError } from "./change-delivery-email";

/**
 * Saves how an order is delivered, until it is paid (`/order/update-delivery`, docs/product.md#83-delivery). Only
 * codes of refundable lines can be kept in the library. The choice of immediate delivery is stored on each line, a
 * consent with its time, terms and wording (docs/reliability.md#privacy); repeating it keeps the first time.
 * Another country may change the tax and so the total (`addTax`).
 * @throws ShopError order_unknown, delivery_frozen, delivery_order_cancelled, unrevealed_returns, order_not_payable,
 * provider_unavailable
 */
export async function chooseDelivery(
  viewer: UserViewer,
  input: DeliveryChoiceInput,
  locale: Locale = viewer.locale,
  ip?: string,
): Promise<DeliveryChoiceView> {
  return withRetaxing(input.order_id, async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (!isPayable(order.status)) throw frozenError(order);
    if (input.country) {
      await storeCountry(tx, order, input.country);
      await addTax(tx, order.id);
    }
    await storeChoice(tx, order.id, input, locale);
    const requestsUnrevealed = input.immediate_delivery === false || input.keep_in_library === true;
    return requestsUnrevealed
      ? requireDeliverable(tx, viewer, order.id, ip)
      : readDeliveryChoice(tx, order.id);
  });
}

/**
 * Stores where the buyer lives, on the order and for later orders. A consent that was given where no right of withdrawal
 * applies did not name that right, so it does not count in a country with it: the buyer chooses again.
 */
async function storeCountry(tx: Tx, order: LockedOrder, country: string): Promise<void> {
  const before = await readDeliveryChoice(tx, order.id);
  await tx.update(orders).set({ country }).where(eq(orders.id, order.id));
  await saveCountry(tx, order.userId, country);
  if (before.withdrawal_applies || !withdrawalApplies(country, null)) return;
  await tx
    .update(orderLines)
    .set({ immediateDelivery: null, immediateConsentAt: null, consent: null })
    .where(and(eq(orderLines.orderId, order.id), eq(orderLines.immediateDelivery, true)));
}

/**
 * Saves the choice of a call that pays, whose default is immediate delivery: paying requests it, under the terms
 * accepted at registration. A choice in the call wins over an earlier one, which wins over the default, which is not
 * stored with `choose_later`. The order must be locked and payable.
 * @throws ShopError unrevealed_returns
 */
export async function chooseDeliveryByPaying(
  tx: Tx,
  { viewer, orderId, ip }: { viewer: UserViewer; orderId: string; ip?: string },
  { choose_later: later, ...choice }: DeliveryChoice & { choose_later?: boolean },
  locale: Locale,
): Promise<DeliveryChoiceView> {
  await storeChoice(tx, orderId, choice, locale);
  if (!later) await storeDefaultChoice(tx, orderId, locale);
  return requireDeliverable(tx, viewer, orderId, ip);
}

/**
 * Stores the choice of a paid order on the lines that have none: immediate delivery, except where the law requires
 * consent, in which case their codes stay unrevealed. A consent from before the choice existed counts. A payment may be
 * opened before its buyer has returned too many units unrevealed; codes that would stay unrevealed are then delivered
 * immediately, as the terms say.
 */
export async function storeChoiceOfPaid(tx: Tx, orderId: string, locale: Locale): Promise<void> {
  const choice = await readDeliveryChoice(tx, orderId);
  if (choice.immediate_delivery && !choice.keep_in_library) return;
  if (choice.withdrawal_applies)
    await tx
      .update(orderLines)
      .set({ immediateDelivery: false })
      .where(
        and(
          eq(orderLines.orderId, orderId),
          isNull(orderLines.immediateDelivery),
          isNull(orderLines.immediateConsentAt),
        ),
      );
  await storeDefaultChoice(tx, orderId, locale);
  if (!(await hasUnrevealedLines(tx, orderId))) return;
  if ((await findGift(tx, orderId)) !== null) return; // its codes never go to the buyer
  if (await paidMustDeliverNow(tx, orderId))
    await tx
      .update(orderLines)
      .set({ ...consentNow("returns-limit", locale), keepInLibrary: false })
      .where(and(eq(orderLines.orderId, orderId), lineStaysUnrevealed));
}

const lineStaysUnrevealed = or(eq(orderLines.immediateDelivery, false), eq(orderLines.keepInLibrary, true));
const hasUnrevealedLines = async (tx: Tx, orderId: string) =>
  (await tx.$count(orderLines, and(eq(orderLines.orderId, orderId), lineStaysUnrevealed))) > 0;

/** A consent from before the choice existed keeps its time. */
async function storeDefaultChoice(tx: Tx, orderId: string, locale: Locale): Promise<void> {
  const immediateConsentAt = sql`coalesce(${orderLines.immediateConsentAt}, shop_now())`;
  await tx
    .update(orderLines)
    .set({ ...consentNow("api-default", locale), immediateConsentAt })
    .where(and(eq(orderLines.orderId, orderId), isNull(orderLines.immediateDelivery)));
}

/**
 * Returns the choice. Throws when codes of the order would stay unrevealed, by choice or because the law requires one and
 * none was made, and its buyer has returned too many.
 * @throws ShopError unrevealed_returns
 */
async function requireDeliverable(
  tx: Tx,
  viewer: UserViewer,
  orderId: string,
  ip?: string,
): Promise<DeliveryChoiceView> {
  const choice = await readDeliveryChoice(tx, orderId);
  const isUndecided = choice.immediate_delivery === null && choice.withdrawal_applies;
  if (isUndecided || choice.immediate_delivery === false || choice.keep_in_library)
    await requireMayKeepUnrevealed(tx, viewer, orderId, ip);
  return choice;
}

type DeliveryChoice = Pick<DeliveryChoiceInput, "keep_in_library" | "immediate_delivery">;

const consentNow = (source: ConsentSource, locale: Locale) => ({
  immediateDelivery: true,
  immediateConsentAt: shopNow,
  consent: createConsent(source, locale),
});

/**
 * Stores an explicit choice on the lines of a locked order. Absent fields stay unchanged. The codes of a gift are never
 * delivered to the buyer, so that a consent to it is not stored.
 */
async function storeChoice(tx: Tx, orderId: string, choice: DeliveryChoice, locale: Locale): Promise<void> {
  const { keep_in_library: keep } = choice;
  const isGift = choice.immediate_delivery === true && (await findGift(tx, orderId)) !== null;
  const immediate = isGift ? false : choice.immediate_delivery;
  const ofOrder = eq(orderLines.orderId, orderId);
  if (keep !== undefined)
    await tx
      .update(orderLines)
      .set({ keepInLibrary: keep && sql`(${orderLines.refundRule}->>'refundable')::boolean` })
      .where(ofOrder);
  if (immediate === true)
    await tx
      .update(orderLines)
      .set(consentNow("ticked", locale))
      .where(and(ofOrder, sql`${orderLines.consent}->>'source' is distinct from 'ticked'`));
  if (immediate === false)
    await tx
      .update(orderLines)
      .set({ immediateDelivery: false, immediateConsentAt: null, consent: null })
      .where(ofOrder);
}

type ChoiceRow = {
  id: string;
  kept: boolean;
  immediate: boolean | null;
  country: string | null;
  timeZone: string | null;
};

async function readDeliveryChoice(tx: Tx, orderId: string): Promise<DeliveryChoiceView> {
  const lines = await tx.execute<ChoiceRow>(sql`
    select l.id, l.keep_in_library as kept, l.immediate_delivery as immediate, o.country, o.time_zone as "timeZone"
    from order_lines l join orders o on o.id = l.order_id where o.id = ${orderId} order by l.position`);
  const country = lines[0]?.country ?? null;
  const keptLineIds = lines.filter((line) => line.kept).map((line) => line.id);
  return {
    order_id: orderId,
    keep_in_library: keptLineIds.length > 0,
    immediate_delivery: lines[0]?.immediate ?? null, // equal on all lines
    kept_order_product_ids: keptLineIds,
    country,
    withdrawal_applies: withdrawalApplies(country, lines[0]?.timeZone ?? null),
  };
}
