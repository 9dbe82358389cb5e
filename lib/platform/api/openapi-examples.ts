/* Generates examples from JSON Schema, deterministically. A field overrides its own with `.meta({ example })`. */
type Json = Record<string, unknown>;

const DAY = "2026-11-20";
const INSTANT = `${DAY}T09:30:00.000Z`;

/** Example texts by the end of the field's name; the first match counts. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/password/i, "correct horse battery"],
  [/email$/i, "you@example.com"],
  [/^(verification_)?code$/, "048213"],
  [/^coupon_code$/, "WELCOME5"],
  [/masked_code$/, "ABCD-••••-WXYZ"],
  [/invite|invited_account/, "k3v9x2m7qa"],
  [/refresh_token$/, "rft_2b8Qm4"],
  [/token$/i, "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"],
  [/secret$/i, "pi_3Qx_secret_8mK"],
  [/^(order_id|orderId)$/, "ord_01jd8f2k9x"],
  [/^order_product_id$/, "line_01jd8f2kb3"],
  [/^cart_(record_)?ids?$/, "cart_01jd8f1m2z"],
  [/^library_id$/, "key_01jd8f3c7p"],
  [/user_?id$/i, "usr_01jd8ez4tq"],
  [/_id$/, "id_01jd8f4r6w"],
  [/phone/i, "+14155550123"],
  [/country/, "US"],
  [/currency/, "usd"],
  [/username|^author$|first_name/, "Ada"],
  [/slug$/, "focus-writer"],
  [/product_name$/, "Focus Writer"],
  [/maker$/, "Focus Labs"],
  [/category$/, "writing"],
  [/image$/, "/admin/product-image/7?v=3f2a"],
  [/url$/i, "https://example.com/"],
  [/page$|path$/i, "/product/focus-writer"],
  [/language|locale|lang$/, "en"],
  [/(^|_)(at|on|until|by|time|timestamp)$/, INSTANT],
  [/tagline|title|summary|subject/, "Writes what you mean"],
  [/description|content|message|text/, "Does one thing well."],
  [/html$/, "<p>Does one thing well.</p>"],
  [/line|street|address/, "1 Main Street"],
  [/city/, "Springfield"],
  [/postal|zip/, "90210"],
  [/name$/, "Ada"],
];

const FORMATS: Record<string, string> = {
  email: "you@example.com",
  "date-time": INSTANT,
  date: DAY,
  uri: "https://example.com/",
  uuid: "3f2a8c1e-7b4d-4e6f-9a0b-1c2d3e4f5a6b",
};

/** Texts to try in this order if a pattern rejects the text for the field's name. */
const FALLBACK_TEXTS = [
  "048213",
  "focus-writer",
  "US",
  "Ada",
  "you@example.com",
  INSTANT,
  "1",
  "a",
  "A",
  "true",
];

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/total|count|size|limit|quantity|^page$|left$/, 1],
  [/rating|average/, 5],
  [/width/, 480],
  [/days$/, 7],
  [/hue/, 210],
  [/(after|_in|seconds\w*)$/, 60],
  [/_id$/, 7],
];

type TextSchema = { minLength?: number; maxLength?: number; pattern?: string; format?: string };

function exampleText(schema: Json, name: string): string {
  const { minLength = 0, maxLength = 2000, pattern, format }: TextSchema = schema;
  const fits = (text: string) =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, "u").test(text));
  const named = TEXTS.find(([form]) => form.test(name))?.[1];
  const candidates = [(format && FORMATS[format]) ?? named, named, "text", ...FALLBACK_TEXTS];
  return candidates.find((text) => text !== undefined && fits(text)) ?? "text".padEnd(minLength, "t");
}

function exampleNumber(schema: Json, name: string): number {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = schema as Record<string, number | undefined>;
  const least = minimum ?? (exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1);
  const named = NUMBERS.find(([form]) => form.test(name))?.[1] ?? 1;
  const bounded = Math.min(Math.max(named, least), maximum ?? Infinity);
  return multipleOf ? Math.ceil(bounded / multipleOf) * multipleOf : bounded;
}

function exampleObject(
  { properties = {}, additionalProperties, propertyNames }: Json,
  options: Options,
): Json {
  const fields = Object.entries(properties as Record<string, Json>).filter(
    ([name]) => options.allFields || !OMITTED.has(name),
  );
  if (fields.length === 0 && additionalProperties && typeof additionalProperties === "object") {
    const key = exampleFor((propertyNames as Json) ?? { type: "string" }, { ...options, name: "key" });
    return { [String(key)]: exampleFor(additionalProperties as Json, { ...options, name: "" }) };
  }
  return Object.fromEntries(fields.map(([name, shape]) => [name, exampleFor(shape, { ...options, name })]));
}

/** Fields that are accepted for old clients only. Examples of requests omit them. */
const OMITTED = new Set(["user_id", "update_user_id", "create_user_id", "userId"]);

type Options = { name: string; allFields: boolean };

/** An example value of a schema. Without `allFields` the fields for old clients are left out. */
export function exampleFor(schema: Json, options: Options): unknown {
  if ("example" in schema) return schema.example;
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ("default" in schema) return schema.default;
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return exampleFor(choices.find(({ type }) => type !== "null") ?? {}, options);
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...(schema.allOf as Json[]).map((part) => exampleFor(part, options)));
  const type = Array.isArray(schema.type) ? schema.type.find((item) => item !== "null") : schema.type;
  if (type === "object") return exampleObject(schema, options);
  if (type === "array") {
    const item = exampleFor((schema.items as Json) ?? {}, options);
    return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () => item);
  }
  if (type === "string") return exampleText(schema, options.name);
  if (type === "integer" || type === "number") return exampleNumber(schema, options.name);
  if (type === "boolean") return true;
  return null;
}
