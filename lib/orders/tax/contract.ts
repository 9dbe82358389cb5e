import { z } from "zod";
import { Country } from "@/lib/accounts/billing/contract";
import { ADDRESS_LINE_PATTERN, NAME_MAX } from "@/lib/accounts/billing/rules";
import { TAX_TREATMENTS } from "@/lib/payments/tax/rules";
import { normalizeVatId, VAT_CHECKS } from "@/lib/payments/tax/rules-vat-id";
import { ActorFields, Instant, Usd } from "@/lib/platform/api/fields";
import { TAX_DOCUMENT_KINDS } from "./rules-document";

const OrderRef = z.object({ ...ActorFields, order_id: z.string().min(1).max(64) });

/** The lines of a business's address, as invoices write them. */
const AddressText = z
  .string()
  .trim()
  .min(1, { error: "field_required" })
  .max(300)
  .transform((text) => text.split(/\r?\n/).flatMap((line) => line.trim() || []))
  .refine((lines) => lines.length <= 6 && lines.every((line) => ADDRESS_LINE_PATTERN.test(line)), {
    error: "invalid_input",
  })
  .transform((lines) => lines.join("\n"));

/** `POST /order/tax/business`: for whom an unpaid order is bought; without `business` for a private person. */
export const TaxBusinessInput = OrderRef.extend({
  business: z
    .object({
      vat_id: z
        .string()
        .max(30)
        .transform(normalizeVatId)
        .pipe(z.string().min(1, { error: "field_required" }).max(20))
        .meta({ example: "DE136695976" }),
      company: z
        .string()
        .trim()
        .min(1, { error: "field_required" })
        .max(NAME_MAX)
        .regex(ADDRESS_LINE_PATTERN, { error: "invalid_input" }),
      address: AddressText,
    })
    .optional(),
});
export type TaxBusinessInput = z.output<typeof TaxBusinessInput>;

/** `POST /order/tax/answer`: where the buyer of a paid order lives, when the evidence contradicts itself. */
export const TaxAnswerInput = OrderRef.extend({ country: Country });
export type TaxAnswerInput = z.output<typeof TaxAnswerInput>;

export const OrderTax = z.object({
  /** where the order is taxed, ISO 3166-1; null: not known before the payment */
  country: z.string().nullable(),
  /** `outside`: the shop owes no tax there; null: not known before the payment */
  treatment: z.enum(TAX_TREATMENTS).nullable(),
  /** the rate in percent, 0 without tax; null: not known before the payment */
  percent: z.number().nullable(),
  /** the tax within the total, before refunds */
  amount: Usd,
  /** the business that buys; its id is checked with the EU's service. null: a private person */
  business: z
    .object({
      vat_id: z.string(),
      company: z.string(),
      address: z.string(),
      /** `unchecked`: the service could not be asked; the tax is due until it is valid. `recorded`: of a country outside of the EU */
      check: z.enum(VAT_CHECKS),
      checked_at: Instant,
    })
    .nullable(),
  /** which id a business may name, where that changes something: one of the EU, or of this form. null: none */
  business_id: z.object({ eu: z.boolean(), example: z.string() }).nullable(),
  /** the countries of which the buyer is asked to name one, because the evidence contradicts itself; null: no question */
  question: z.array(z.string()).nullable(),
  documents: z.array(
    z.object({
      document_id: z.string(),
      kind: z.enum(TAX_DOCUMENT_KINDS),
      number: z.string(),
      amount: Usd,
      issued_at: Instant,
    }),
  ),
});
export type OrderTax = z.output<typeof OrderTax>;
