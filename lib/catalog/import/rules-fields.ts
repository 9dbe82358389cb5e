import type { PlainFields } from "./contract-fields";

export type PlainField = keyof PlainFields;

/** How a plain field is typed in the editor, and who sets it: a merchant cannot propose what the shop sets. */
export const PLAIN_FIELDS: Record<PlainField, { type: "text" | "number"; setBy: "merchant" | "shop" }> = {
  slug: { type: "text", setBy: "merchant" },
  vendor: { type: "text", setBy: "merchant" },
  vendor_email: { type: "text", setBy: "shop" },
  category: { type: "text", setBy: "merchant" },
};

export const PLAIN_FIELD_NAMES = Object.keys(PLAIN_FIELDS) as PlainField[];

export const isPlainField = (name: string): name is PlainField => Object.hasOwn(PLAIN_FIELDS, name);

/** A value for each plain field. */
export const byField = <T>(of: (field: PlainField) => T): Record<PlainField, T> =>
  Object.assign({}, ...PLAIN_FIELD_NAMES.map((field) => ({ [field]: of(field) })));

/** A record of which every field is named, though it may have no value. A field that is forgotten fails the type check. */
export type EveryField<Fields> = { [Name in keyof Required<Fields>]: Fields[Name] | undefined };

/** The fields that have a value. */
export const withoutAbsent = <Fields extends object>(fields: EveryField<Fields>): Fields =>
  Object.fromEntries(Object.entries<unknown>(fields).filter(([, value]) => value !== undefined)) as Fields;
