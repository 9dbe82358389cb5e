import { addressLines } from "@/lib/accounts/billing/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { Trader } from "./contract";

type Address = {
  line1: string;
  line2: string;
  city: string;
  region: string;
  postal_code: string;
  country: string;
};
/** The stored values of a merchant's trader file by field; each may be missing. */
export type TraderValues = {
  legal_name?: string;
  register?: { none?: boolean; name?: string; number?: string };
  tax?: { vat_id?: string };
  address?: Address;
  phone?: string;
  contact?: { email?: string };
  representative?: string;
  certification?: object;
};

/** The public part of a trader file, in the reader's language; null: not even a name was given. */
export function toTrader(values: TraderValues | null, locale: Locale): Trader | null {
  if (!values?.legal_name) return null;
  const { legal_name, register, tax, address, phone, contact, representative, certification } = values;
  const countries = new Intl.DisplayNames([locale], { type: "region" });
  return {
    legal_name,
    register: register?.name ? `${register.name} ${register.number}` : null,
    vat_id: tax?.vat_id || null,
    address: address ? addressLines(address, countries.of(address.country) ?? address.country) : [],
    country: address?.country ?? null,
    phone: phone ?? null,
    email: contact?.email ?? null,
    representative: representative ?? null,
    certified: certification !== undefined,
  };
}
