import type { TradeDetails } from "./contract";
import { TYPED_FIELDS, type TypedField } from "./rules";

/** The stored values of the fields that an owner typed; null for an empty or incomplete field. */
export function toValues(details: TradeDetails): Record<TypedField, unknown> {
  const { legal_name, form, phone, representative, vat_id, tax_id, contact_name, contact_email } = details;
  const { register_name, register_number, unregistered, line1, line2, city, region, postal_code, country } =
    details;
  return {
    legal_name: legal_name || null,
    form,
    register: unregistered
      ? { none: true }
      : register_name && register_number && { name: register_name, number: register_number },
    tax: (vat_id || tax_id) && { vat_id, tax_id },
    address: line1 && city && country && { line1, line2, city, region, postal_code, country },
    phone: phone || null,
    contact: contact_email && { name: contact_name, email: contact_email },
    representative: representative || null,
  };
}

const NO_DETAILS: TradeDetails = {
  legal_name: "",
  form: null,
  unregistered: false,
  register_name: "",
  register_number: "",
  vat_id: "",
  tax_id: "",
  line1: "",
  line2: "",
  city: "",
  region: "",
  postal_code: "",
  country: "",
  phone: "",
  contact_name: "",
  contact_email: null,
  representative: "",
};

type Stored = readonly { field: string; value: unknown }[];

/** The typed details, from the stored values. */
export function toDetails(fields: Stored): TradeDetails {
  const values = new Map(fields.map(({ field, value }) => [field, value]));
  const text = (field: TypedField) => (values.get(field) ?? "") as string;
  const register = (values.get("register") ?? {}) as { none?: boolean; name?: string; number?: string };
  const contact = (values.get("contact") ?? {}) as { name?: string; email?: string };
  return {
    ...NO_DETAILS,
    legal_name: text("legal_name"),
    form: (values.get("form") ?? null) as TradeDetails["form"],
    unregistered: register.none === true,
    register_name: register.name ?? "",
    register_number: register.number ?? "",
    ...(values.get("tax") as Partial<TradeDetails> | undefined),
    ...(values.get("address") as Partial<TradeDetails> | undefined),
    phone: text("phone"),
    contact_name: contact.name ?? "",
    contact_email: contact.email ?? null,
    representative: text("representative"),
  };
}

/** The typed fields whose value differs. Values are compared in their stored form, regardless of the order of keys. */
export function changedFields(before: Stored, details: TradeDetails): TypedField[] {
  const previous = toValues(toDetails(before));
  const next = toValues(details);
  return TYPED_FIELDS.filter(
    (field) => JSON.stringify(previous[field] || null) !== JSON.stringify(next[field] || null),
  );
}
