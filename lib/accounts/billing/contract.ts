import { z } from "zod";
import type { CardView } from "@/lib/payments/cards/contract";
import { ActorFields } from "@/lib/platform/api/fields";
import {
  ADDRESS_LINE_PATTERN,
  CITY_MAX,
  COUNTRIES,
  LINE_MAX,
  NAME_MAX,
  POSTAL_CODE_MAX,
  REGION_MAX,
} from "./rules";
import { isPostalCode, normalizePostalCode } from "./rules-postal-code";

/** A billing address (auth/billing, docs/product.md#72-accounts). */
export const BillingAddress = z.object({
  address_id: z.string(),
  full_name: z.string(),
  line1: z.string(),
  line2: z.string().nullable(),
  city: z.string(),
  region: z.string().nullable(),
  postal_code: z.string().nullable(),
  country: z.string().meta({ description: "ISO 3166-1, two letters", example: "JP" }),
  is_default: z.boolean(),
});
export type BillingAddress = z.output<typeof BillingAddress>;

export const BillingList = z.object({ addresses: z.array(BillingAddress) });
export type BillingList = z.output<typeof BillingList>;

const TextLine = (max: number) =>
  z.string().trim().max(max).regex(ADDRESS_LINE_PATTERN, { error: "invalid_input" });
const RequiredLine = (max: number) =>
  z.string().trim().min(1, { error: "field_required" }).pipe(TextLine(max));
const OptionalLine = (max: number) =>
  TextLine(max)
    .nullish()
    .transform((text) => text || null);

/** Where someone lives: ISO 3166-1, two letters. */
export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => COUNTRIES.includes(code), { error: "country_invalid" })
  .meta({ example: "DE" });

const AddressId = z.string().min(1).max(64);

/** Without `address_id` a new address is created; with it the whole address is replaced. */
export const SaveBillingInput = z
  .object({
    ...ActorFields,
    address_id: AddressId.optional(),
    full_name: RequiredLine(NAME_MAX),
    line1: RequiredLine(LINE_MAX),
    line2: OptionalLine(LINE_MAX),
    city: RequiredLine(CITY_MAX),
    region: OptionalLine(REGION_MAX),
    postal_code: z
      .string()
      .transform(normalizePostalCode)
      .pipe(TextLine(POSTAL_CODE_MAX))
      .nullish()
      .transform((text) => text || null),
    country: z.string().trim().min(1, { error: "field_required" }).pipe(Country),
    /** Exactly one address is the default: true moves it here, false changes nothing. */
    is_default: z.boolean().optional(),
  })
  .refine(({ postal_code, country }) => !postal_code || isPostalCode(postal_code, country), {
    error: "postal_code_invalid",
    path: ["postal_code"],
  });
export type SaveBillingInput = z.output<typeof SaveBillingInput>;

export const BillingSaved = z.object({ address_id: z.string(), ...BillingList.shape });
export type BillingSaved = z.output<typeof BillingSaved>;

export const DeleteBillingInput = z.object({ ...ActorFields, address_id: AddressId });
export type DeleteBillingInput = z.output<typeof DeleteBillingInput>;

/** `cards` is null while the payment provider does not answer. */
export type BillingPage = { addresses: BillingAddress[]; cards: CardView[] | null };
