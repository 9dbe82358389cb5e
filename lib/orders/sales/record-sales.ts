import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { merchantSales } from "@/db/schema/merchants";
import { GIFT_CLAIM_DAYS } from "@/lib/orders/gifts/rules";
import { deliveredAtSql } from "@/lib/orders/refunds/find-refundable-line";
import { queueFirstSaleMails } from "@/lib/orders/sales/first-sale-mail";
import { postMerchantShares } from "@/lib/orders/sales/post-merchant-shares";
import { payableAt, reverseSale, shareSale, taxOfSale } from "@/lib/orders/sales/rules";
import { withdrawalApplies, withdrawalEnds } from "@/lib/orders/withdrawal/rules";
import type { RefundRule } from "@/lib/payments/refunds/rules";
import { findRelatedMerchants } from "@/lib/platform/auth/merchant-people";
import { hmacText } from "@/lib/platform/crypto/hmac";

type SoldLine = {
  lineId: string;
  merchantId: string;
  productId: number;
  planId: number;
  userId: string;
  paidAt: string;
  deliveredAt: string;
  units: number;
  grossCents: number;
  discountCents: number;
  totalCents: number;
  refundedUnits: number;
  refundedCents: number;
  goodwillCents: number;
  preOrder: boolean;
  country: string | null;
  timeZone: string | null;
  /** until when a gift that nobody has claimed can be claimed; null: it is none, or claimed or returned */
  claimUntil: string | null;
  rule: RefundRule;
  ruleId: string;
  bps: number;
  fixedCents: number;
  /** of the stored sale, which keeps the commission of its day; null: it is new */
  commissionCents: number | null;
  netCents: number | null;
  taxCents: number | null;
  /** the rate of the tax that the price includes: of the order as it is decided now, or that was taken off; none where it was added */
  taxBps: number;
  fundedBy: Funder | null;
};

/** The buyer under a name that only this merchant's sales have in common. */
const buyerOf = (merchantId: string, userId: string) =>
  `buyer-${hmacText("merchant-buyer", `${merchantId}:${userId}`, 8)}`;

type Funder = (typeof merchantSales.$inferInsert)["fundedBy"];

/**
 * Who bears an order's coupons and gestures: the shop, but for passes that the merchant's own people buy, or claim as a
 * gift. A merchant's own deal is the price itself. It stays as it was when the sale was written, until someone claims a
 * gift.
 */
async function findFunders(
  tx: Tx,
  orderId: string,
  { lines, claimed }: { lines: readonly SoldLine[]; claimed: boolean },
): Promise<(line: SoldLine) => Funder> {
  const isNew = lines.some((line) => line.fundedBy === null);
  if (!isNew && !claimed) return (line) => line.fundedBy!;
  const people = await tx.execute<{
    userId: string;
    email: string;
    claims: boolean;
    addressGroup: string | null;
  }>(sql`
    select u.id as "userId", u.email, u.id <> o.user_id as claims, case when u.id = o.user_id then h.address_group end as "addressGroup"
    from orders o left join order_holds h on h.order_id = o.id join users u on u.id = o.user_id
      or u.id = (select g.claimed_by from gifts g where g.order_id = o.id and g.state = 'claimed')
    where o.id = ${orderId}`);
  const merchantIds = [...new Set(lines.map((line) => line.merchantId))];
  const [own, ownOfClaimer] = [new Set<string>(), new Set<string>()];
  for (const { addressGroup, claims, ...person } of people)
    for (const id of await findRelatedMerchants(tx, person, merchantIds, addressGroup)) {
      own.add(id);
      if (claims) ownOfClaimer.add(id);
    }
  return ({ fundedBy, merchantId }) => {
    if (fundedBy === null) return own.has(merchantId) ? "merchant" : "shop";
    return claimed && ownOfClaimer.has(merchantId) ? "merchant" : fundedBy;
  };
}

/**
 * Writes what the merchants keep of an order's lines that have codes, and what refunds took back
 * (docs/product.md#146-sales-requests-replies-and-insight). The commission is that of the most specific rule at the
 * payment, and stays. `claimed`: someone claims the order as a gift now. The order must be locked. Safe to repeat.
 */
export async function recordSales(tx: Tx, orderId: string, { claimed = false } = {}): Promise<void> {
  const lines = await tx.execute<SoldLine>(sql`
    select l.id as "lineId", p.merchant_id as "merchantId", l.product_id as "productId", l.plan_id as "planId",
      o.user_id as "userId", o.paid_at as "paidAt", d.at as "deliveredAt", l.quantity as units,
      l.unit_price_cents * l.quantity as "grossCents", l.discount_cents as "discountCents", l.total_cents as "totalCents",
      l.refunded_quantity as "refundedUnits", l.refunded_cents as "refundedCents", l.goodwill_cents as "goodwillCents", l.pre_order as "preOrder",
      o.country, o.time_zone as "timeZone",
      (select coalesce(g.claim_until, g.send_at + make_interval(days => ${GIFT_CLAIM_DAYS})) from gifts g
        where g.order_id = o.id and g.state in ('scheduled', 'sent')) as "claimUntil",
      l.refund_rule as rule, c.id as "ruleId", c.bps, c.fixed_cents as "fixedCents",
      s.commission_cents as "commissionCents", s.net_cents as "netCents", s.tax_cents as "taxCents",
      case when o.added_tax_cents < 0 then t.price_bps when t.price_bps is null then coalesce(t.bps, 0) else 0 end as "taxBps", s.funded_by as "fundedBy"
    from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
    left join merchant_sales s on s.line_id = l.id left join order_taxes t on t.order_id = o.id and t.decided_at is not null
    cross join lateral (select ${deliveredAtSql("l")} as at) d
    cross join lateral (
      select r.id, r.bps, r.fixed_cents from commission_rules r
      where case when s.rule_id is not null then r.id = s.rule_id
        else r.valid_from <= o.paid_at and (r.merchant_id is null or r.merchant_id = p.merchant_id)
          and (r.category is null or r.category = p.category) and (r.pass_type is null or r.pass_type = l.pass_type) end
      order by r.merchant_id is not null desc, r.category is not null desc, r.pass_type is not null desc,
        r.valid_from desc, r.created_at desc, r.id desc
      limit 1) c
    where o.id = ${orderId} and o.paid_at is not null and d.at is not null`);
  if (lines.length === 0) return;
  const funderOf = await findFunders(tx, orderId, { lines, claimed });
  const { fundedBy, taxCents, commissionCents, netCents, refundedUnits, refundedCents, state, availableAt } =
    merchantSales;
  const { commissionBackCents, netBackCents } = merchantSales;
  const shares = [fundedBy, taxCents, commissionCents, netCents, commissionBackCents, netBackCents];
  const changing = [...shares, refundedUnits, refundedCents, state, availableAt];
  const excluded = ({ name }: { name: string }) => sql.raw(`excluded.${name}`);
  await tx
    .insert(merchantSales)
    .values(lines.map((line) => toSale(orderId, line, funderOf(line))))
    .onConflictDoUpdate({
      target: merchantSales.lineId,
      set: {
        fundedBy: excluded(fundedBy),
        taxCents: excluded(taxCents),
        commissionCents: excluded(commissionCents),
        netCents: excluded(netCents),
        refundedUnits: excluded(refundedUnits),
        refundedCents: excluded(refundedCents),
        commissionBackCents: excluded(commissionBackCents),
        netBackCents: excluded(netBackCents),
        state: excluded(state),
        availableAt: excluded(availableAt),
      },
      setWhere: sql`(${sql.join(changing, sql`, `)}) is distinct from (${sql.join(changing.map(excluded), sql`, `)})`,
    });
  const idsOf = (some: readonly SoldLine[]) => some.map(({ lineId }) => lineId);
  await postMerchantShares(tx, idsOf(lines));
  const sold = lines.filter((line) => line.fundedBy === null);
  if (sold.length > 0) await queueFirstSaleMails(tx, idsOf(sold));
}

function toSale(orderId: string, line: SoldLine, fundedBy: Funder): typeof merchantSales.$inferInsert {
  const { units, grossCents, discountCents, refundedUnits, rule, preOrder, taxBps } = line;
  const price = { units, grossCents, discountCents, fundedBy, taxBps };
  const refundedCents = line.refundedCents - (fundedBy === "shop" ? line.goodwillCents : 0);
  const [paidAt, deliveredAt] = [new Date(line.paidAt), new Date(line.deliveredAt)];
  const shares =
    line.commissionCents === null ||
    line.netCents === null ||
    line.taxCents === null ||
    line.taxCents !== taxOfSale(price) ||
    line.fundedBy !== fundedBy
      ? shareSale(price, line)
      : { taxCents: line.taxCents, commissionCents: line.commissionCents, netCents: line.netCents };
  const { totalCents: paidCents } = line;
  const hasWindow = rule.refundable && paidCents > 0;
  return {
    lineId: line.lineId,
    merchantId: line.merchantId,
    orderId,
    productId: line.productId,
    planId: line.planId,
    soldAt: paidAt,
    buyer: buyerOf(line.merchantId, line.userId),
    units,
    refundedUnits,
    grossCents,
    discountCents,
    fundedBy,
    ruleId: line.ruleId,
    ...shares,
    refundedCents,
    ...reverseSale({
      units,
      paidCents,
      refundedUnits,
      refundedCents,
      commissionCents: shares.commissionCents,
      netCents: shares.netCents,
    }),
    availableAt: payableAt({
      paidAt,
      deliveredAt,
      preOrder,
      refundDays: hasWindow ? rule.days : null,
      withdrawalUntil:
        paidCents > 0 && withdrawalApplies(line.country, line.timeZone) ? withdrawalEnds(paidAt) : null,
      claimUntil: line.claimUntil === null ? null : new Date(line.claimUntil),
    }),
  };
}
