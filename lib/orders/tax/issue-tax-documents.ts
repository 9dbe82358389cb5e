import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { selectBillingAddresses } from "@/lib/accounts/billing/list-billing-addresses";
import { addressLines } from "@/lib/accounts/billing/rules";
import { findRates } from "@/lib/payments/exchange-rates/get-exchange-rates";
import { postLedger } from "@/lib/payments/post-ledger";
import {
  declaredCurrency,
  EU_SCHEME,
  isInEu,
  type TaxTreatment,
  taxBack,
  taxOfLines,
  taxWithin,
} from "@/lib/payments/tax/rules";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { instant } from "@/lib/platform/instant";
import { sellerIdentity } from "@/lib/platform/seller";
import {
  documentNumber,
  seriesOf,
  type TaxDocumentContent,
  type TaxDocumentKind,
  type TaxDocumentLine,
} from "./rules-document";

type Decision = { country: string; treatment: TaxTreatment; bps: number; vatId: string | null };

type OrderFacts = Decision & {
  orderNumber: string;
  userId: string;
  email: string;
  timeZone: string | null;
  paidAt: string;
  now: string;
  company: string | null;
  companyAddress: string | null;
  /** what is left of the payment, in cents */
  leftCents: number;
};

type Root = Decision & {
  id: string;
  number: string;
  grossCents: number;
  taxCents: number;
  /** what its corrections left of both */
  leftCents: number;
  leftTaxCents: number;
};

/**
 * Issues what the invoices of an order lack, so that what is left of them is what is left of its payment, taxed as it is decided now:
 * its invoice, a credit note for what was refunded since, an invoice for money of a refund that came back, and after another decision a
 * credit note of all and a new invoice (docs/product.md#821-tax). The ledger follows each. The order must be locked; the number's series
 * stays locked until the transaction ends, so that this is called last in it. Safe to repeat.
 */
export async function issueTaxDocuments(tx: Tx, orderId: string): Promise<void> {
  const order = await readOrder(tx, orderId);
  if (!order) return;
  const root = await readRoot(tx, orderId);
  const isSame = root && DECISION.every((name) => root[name] === order[name]);
  if (root && isSame) return correct(tx, orderId, { order, root, toCents: order.leftCents });
  if (root) await correct(tx, orderId, { order, root, toCents: 0 });
  if (order.leftCents > 0) await issueInvoice(tx, orderId, order);
}

const DECISION = ["country", "treatment", "bps", "vatId"] as const satisfies readonly (keyof Decision)[];

/** The paid order with its decision, and what refunds and lost disputes left of its payment; undefined: it has none. */
async function readOrder(tx: Tx, orderId: string): Promise<OrderFacts | undefined> {
  const [order] = await tx.execute<OrderFacts>(sql`
    select o.order_number as "orderNumber", o.user_id as "userId", o.send_email as email, o.time_zone as "timeZone", o.paid_at as "paidAt",
      shop_now() as now, t.country, t.treatment, t.bps, case when t.vat_check in ('valid', 'recorded') then t.vat_id end as "vatId", t.company,
      t.company_address as "companyAddress", greatest(0, o.total_cents
        - (select coalesce(sum(r.amount_cents), 0) from refunds r where r.order_id = o.id and r.state in ('succeeded', 'settled') and r.reason <> 'overpaid'
          and coalesce(r.intent_id, o.transaction_id) = o.transaction_id)
        - (select coalesce(sum(e.amount_cents), 0) from ledger_entries e join disputes d on d.id = split_part(e.transfer_id, ':', 1)
          where e.order_id = o.id and e.account = 'refunds' and d.intent_id = o.transaction_id))::int as "leftCents"
    from orders o join order_taxes t on t.order_id = o.id where o.id = ${orderId} and o.paid_at is not null and t.decided_at is not null`);
  return order;
}

/** The order's newest invoice that corrects no other. */
async function readRoot(tx: Tx, orderId: string): Promise<Root | undefined> {
  const [root] = await tx.execute<Root>(sql`
    select d.id, d.content->>'number' as number, d.country, d.treatment, d.bps, d.content->'buyer'->>'vat_id' as "vatId",
      d.gross_cents as "grossCents", d.tax_cents as "taxCents", d.gross_cents + c.gross as "leftCents", d.tax_cents + c.tax as "leftTaxCents"
    from tax_documents d cross join lateral (
      select coalesce(sum(c.gross_cents * s.sign), 0)::int as gross, coalesce(sum(c.tax_cents * s.sign), 0)::int as tax
      from tax_documents c cross join lateral (select case c.kind when 'invoice' then 1 else -1 end as sign) s
      where c.invoice_id = d.id) c
    where d.order_id = ${orderId} and d.invoice_id is null order by d.created_at desc, d.series desc, d.number desc limit 1`);
  return root;
}

/** Corrects an invoice so that `toCents` are left of it. */
async function correct(
  tx: Tx,
  orderId: string,
  { order, root, toCents }: { order: OrderFacts; root: Root; toCents: number },
): Promise<void> {
  const cents = toCents - root.leftCents;
  if (cents === 0) return;
  // Money that came back after a new invoice was made for less is more than that invoice.
  const toTaxCents =
    toCents <= root.grossCents
      ? root.taxCents - taxBack(root, root.grossCents - toCents)
      : root.taxCents + taxWithin(toCents - root.grossCents, root.bps);
  await store(tx, orderId, order, {
    ...root,
    kind: cents < 0 ? "credit_note" : "invoice",
    invoice: root,
    lines: [],
    grossCents: Math.abs(cents),
    taxCents: Math.abs(toTaxCents - root.leftTaxCents),
  });
}

async function issueInvoice(tx: Tx, orderId: string, order: OrderFacts): Promise<void> {
  const rows = await tx.execute<Omit<TaxDocumentLine, "tax_cents"> & { added_cents: number }>(sql`
    select (select jsonb_object_agg(n.locale, n.name) from product_texts n where n.product_id = l.product_id) as names, p.vendor,
      l.pass_type, l.duration_days, l.quantity, l.unit_price_cents as unit_cents, l.discount_cents, l.total_cents as gross_cents, l.added_tax_cents as added_cents
    from order_lines l join products p on p.id = l.product_id where l.order_id = ${orderId} order by l.position`);
  const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0);
  const grossCents = rows.map((row) => row.gross_cents);
  const added = rows.map((row) => row.added_cents);
  const total = sum(grossCents);
  // The tax that was added stands at its lines as the buyer saw it, unless another was decided.
  const taxes = sum(added) === taxWithin(total, order.bps) ? added : taxOfLines(grossCents, order.bps);
  // After refunds a new invoice is for the rest, which belongs to no line alone.
  const lines =
    total === order.leftCents
      ? rows.map(({ added_cents: _, ...row }, index) => ({ ...row, tax_cents: taxes[index] ?? 0 }))
      : [];
  await store(tx, orderId, order, {
    ...order,
    kind: "invoice",
    invoice: null,
    lines,
    grossCents: order.leftCents,
    taxCents: taxWithin(order.leftCents, order.bps),
  });
}

type NewDocument = Decision & {
  kind: TaxDocumentKind;
  invoice: Pick<Root, "id" | "number"> | null;
  lines: TaxDocumentLine[];
  grossCents: number;
  taxCents: number;
};

/** Writes a document with the next number of its series and its transfer in the ledger. */
async function store(tx: Tx, orderId: string, order: OrderFacts, document: NewDocument): Promise<void> {
  const { kind, country, treatment, bps, grossCents, taxCents } = document;
  const now = new Date(order.now);
  const id = newId("tax");
  const series = seriesOf(kind, now);
  const content = {
    id,
    kind,
    corrects: document.invoice?.number ?? null,
    order_number: order.orderNumber,
    issued_at: now.toISOString(),
    paid_at: instant(order.paidAt)!,
    time_zone: order.timeZone ?? "UTC",
    seller: describeSeller(document),
    buyer: { ...(await describeBuyer(tx, order)), country, vat_id: document.vatId },
    country,
    treatment,
    bps,
    lines: document.lines,
    gross_cents: grossCents,
    tax_cents: taxCents,
    local: await convert(tx, document),
  } satisfies Omit<TaxDocumentContent, "number">;
  const [taken] = await tx.execute<{ last: number }>(sql`
    insert into tax_series as s (series, last) values (${series}, 1)
    on conflict (series) do update set last = s.last + 1 returning last`);
  const number = taken!.last;
  const named: TaxDocumentContent = { ...content, number: documentNumber(series, number) };
  const [sealed] = await tx.execute<{ hash: string }>(sql`
    insert into tax_documents (id, kind, series, number, order_id, invoice_id, country, treatment, bps, gross_cents, tax_cents, content, hash)
    select ${id}, ${kind}, ${series}, ${number}, ${orderId}, ${document.invoice?.id ?? null}, ${country}, ${treatment}, ${bps},
      ${grossCents}, ${taxCents}, c.content, encode(sha256(convert_to(c.content::text, 'UTF8')), 'hex')
    from (select ${JSON.stringify(named)}::jsonb as content) c returning hash`);
  const detail = { number: named.number, order_id: orderId, hash: sealed!.hash };
  const action = kind === "invoice" ? "invoice.issued" : "credit_note.issued";
  await audit({ actor: "system", action, subject: id, detail }, tx);
  if (taxCents === 0) return;
  const isDue = kind === "invoice";
  await postLedger(tx, {
    transferId: `tax:${id}`,
    orderId,
    debit: isDue ? "sales_tax" : "tax_payable",
    credit: isDue ? "tax_payable" : "sales_tax",
    amountCents: taxCents,
  });
}

/** The seller, with its number in the country of the tax beside that of its own. */
function describeSeller({ country, treatment }: NewDocument): TaxDocumentContent["seller"] {
  const { name, address, registration, taxId, site, email } = sellerIdentity();
  const { country: own, ids } = taxSettings() ?? { country, ids: {} };
  const there =
    treatment === "taxed" ? (ids[country] ?? (isInEu(country) ? ids[EU_SCHEME] : undefined)) : undefined;
  const taxIds = [there, ids[own], taxId].filter((id) => id !== undefined && id !== null);
  return { name, address, registration, tax_ids: [...new Set(taxIds)], contact: [site, email] };
}

/** The business that the buyer named, else the default billing address. */
async function describeBuyer(tx: Tx, { userId, email, company, companyAddress }: OrderFacts) {
  if (company) return { name: company, lines: companyAddress?.split("\n") ?? [], email };
  const [address] = await selectBillingAddresses(tx, userId);
  return {
    name: address?.full_name ?? null,
    lines: address ? addressLines(address, address.country) : [],
    email,
  };
}

/** The tax in the currency in which it is declared, at the newest rate that the shop knows. */
async function convert(
  tx: Tx,
  { country, treatment, taxCents }: NewDocument,
): Promise<TaxDocumentContent["local"]> {
  const settings = taxSettings();
  const currency = settings && treatment === "taxed" ? declaredCurrency(country, settings) : null;
  if (!currency) return null;
  const { day, rates } = await findRates(tx);
  const rate = rates[currency];
  if (!rate) return null;
  const minor = currency === "JPY" ? 1 : 100;
  return { currency, rate, day, tax_minor: Math.round((taxCents / 100) * rate * minor) };
}
