import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { findVatCountry, readBusinessRules } from "@/lib/payments/tax/business-rules";
import { findTaxRate } from "@/lib/payments/tax/find-tax-rate";
import {
  EU_COUNTRIES,
  isInEu,
  owesTaxIn,
  type TaxEvidenceState,
  type TaxTreatment,
  taxTreatment,
  taxWithin,
} from "@/lib/payments/tax/rules";
import type { VatCheck } from "@/lib/payments/tax/rules-vat-id";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { OrderTax } from "./contract";
import type { TaxDocumentKind } from "./rules-document";

type Row = {
  named: string | null;
  totalCents: number;
  billing: string | null;
  card: string | null;
  network: string | null;
  evidence: TaxEvidenceState | null;
  country: string | null;
  treatment: TaxTreatment | null;
  bps: number | null;
  vatId: string | null;
  vatCheck: VatCheck | null;
  vatCheckedAt: string | null;
  company: string | null;
  companyAddress: string | null;
  documents: { id: string; kind: TaxDocumentKind; number: string; cents: number; at: string }[];
};

/**
 * How an order is taxed and its invoices: as decided at the payment, before it by the country that the buyer named
 * (docs/product.md#821-tax). Null without taxes, and for a free order.
 */
export async function findOrderTax(orderId: string, tx: Pick<Db, "execute"> = db): Promise<OrderTax | null> {
  const [row] = await tx.execute<Row>(sql`
    select o.country as named, o.total_cents as "totalCents", t.billing_country as billing, t.card_country as card,
      t.network_country as network, t.evidence, t.country, t.treatment, t.bps, t.vat_id as "vatId", t.vat_check as "vatCheck",
      t.vat_checked_at as "vatCheckedAt", t.company, t.company_address as "companyAddress",
      (select coalesce(json_agg(json_build_object('id', d.id, 'kind', d.kind, 'number', d.content->>'number', 'cents', d.gross_cents,
        'at', d.created_at) order by d.created_at, d.kind, d.number), '[]') from tax_documents d where d.order_id = o.id) as documents
    from orders o left join order_taxes t on t.order_id = o.id where o.id = ${orderId}`);
  if (!row || row.totalCents === 0 || (row.treatment === null && !taxSettings())) return null;
  const { country, treatment, bps } = await readDecision(tx, row);
  return {
    country,
    treatment,
    percent: bps === null ? null : bps / 100,
    amount: toDecimal(taxWithin(row.totalCents, bps ?? 0)),
    business: toBusiness(row),
    business_id: await findBusinessId(row.named),
    question: row.evidence === "conflict" ? piecesOf(row) : null,
    documents: row.documents.map(({ id, kind, number, cents, at }) => ({
      document_id: id,
      kind,
      number,
      amount: toDecimal(cents),
      issued_at: instant(at)!,
    })),
  };
}

/** The countries of the evidence, each once. */
export const piecesOf = ({ billing, card, network }: Pick<Row, "billing" | "card" | "network">): string[] => [
  ...new Set([billing, card, network].filter((piece) => piece !== null)),
];

type Decision = { country: string | null; treatment: TaxTreatment | null; bps: number | null };

async function readDecision(tx: Pick<Db, "execute">, row: Row): Promise<Decision> {
  const { country, treatment, bps, vatId, vatCheck, named } = row;
  if (treatment !== null) return { country, treatment, bps };
  const vatCountry = await findVatCountry({ vatId, vatCheck });
  const settings = taxSettings()!;
  // A total to which the tax is added needs one.
  const expected = vatCountry ?? named ?? (settings.pricesWithoutTax ? settings.country : null);
  if (expected === null) return { country: null, treatment: null, bps: null };
  const shown = taxTreatment({ country: expected, vatCountry }, settings);
  return {
    country: expected,
    treatment: shown,
    bps: shown === "taxed" ? await findTaxRate(tx, expected, new Date()) : 0,
  };
}

/** One of the EU also of a buyer whose country is not known, because it may name the country. */
async function findBusinessId(named: string | null): Promise<OrderTax["business_id"]> {
  const settings = taxSettings();
  if (!settings) return null;
  if (named === null || isInEu(named))
    return owesTaxIn(named ?? EU_COUNTRIES[0]!, settings) ? { eu: true, example: "DE136695976" } : null;
  if (!owesTaxIn(named, settings)) return null;
  const rule = (await readBusinessRules()).find(({ country }) => country === named);
  return rule ? { eu: false, example: rule.example } : null;
}

function toBusiness({ vatId, vatCheck, vatCheckedAt, company, companyAddress }: Row): OrderTax["business"] {
  if (!vatId || !vatCheck || !company) return null;
  return {
    vat_id: vatId,
    company,
    address: companyAddress ?? "",
    check: vatCheck,
    checked_at: instant(vatCheckedAt)!,
  };
}
