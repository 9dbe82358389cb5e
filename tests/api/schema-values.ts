import fc from "fast-check";

/** JSON Schema as zod emits it; this file turns it into arbitrary values that match it. */
export type Shape = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  additionalProperties?: Shape | boolean;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
};

/** Values of existing records by field name, which let a generated request pass validation. */
export type ExistingValues = Record<string, unknown[]>;

/** Placeholder for an existing value, resolved when the request is sent: the fixture may be replaced until then. */
const placeholder = (name: string, index: number) => `@existing ${name} ${index}`;

/** Replaces placeholders with the values of the current fixture. */
export function resolvePlaceholders(value: unknown, existing: ExistingValues): unknown {
  if (typeof value === "string" && value.startsWith("@existing ")) {
    const [, name = "", index] = value.split(" ");
    return existing[name]?.[Number(index)];
  }
  if (Array.isArray(value)) return value.map((one) => resolvePlaceholders(one, existing));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolvePlaceholders(one, existing)]),
  );
}

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  email: fc.emailAddress(),
  "date-time": fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((day) => day.toISOString()),
  uuid: fc.uuid(),
  uri: fc.webUrl(),
};

/** Characters of many scripts, and occasionally ones that break careless code. */
const unit = fc.oneof(
  { weight: 12, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }) },
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom("'", '"', "\\", "%", "<", "\u202e", "\u0301", "\r\n", "😀", "ﬃ") },
);

function validText({ pattern, format, minLength = 0, maxLength = 200 }: Shape): fc.Arbitrary<string> {
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (format && FORMATS[format]) return FORMATS[format].filter(fits);
  if (pattern) {
    const expression = new RegExp(pattern);
    return fc.stringMatching(expression).filter(fits);
  }
  const ordinary = fc.string({
    unit,
    minLength: Math.min(minLength, 60),
    maxLength: Math.min(maxLength, 60),
  });
  const longest = fc.constant("x".repeat(Math.min(maxLength, 20_000)));
  return fc.oneof({ weight: 9, arbitrary: ordinary.filter(fits) }, { weight: 1, arbitrary: longest });
}

function validNumber(shape: Shape, whole: boolean): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
  const min = Math.max(
    minimum ?? -Infinity,
    exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1,
  );
  const max = Math.min(maximum ?? Infinity, exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - 1);
  const any = fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
  if (!whole && multipleOf === 0.01 && max < 1e9) {
    // Mostly amounts in whole cents, and others, which clients send too.
    const cents = fc.integer({ min: Math.ceil(Math.max(min, 0) * 100), max: Math.floor(max * 100) });
    return fc.oneof({ weight: 3, arbitrary: cents.map((n) => n / 100) }, any);
  }
  if (!whole) return any;
  const [low, high] = [Math.max(min, Number.MIN_SAFE_INTEGER), Math.min(max, Number.MAX_SAFE_INTEGER)];
  const small = fc.integer({ min: Math.max(low, -1), max: Math.min(high, Math.max(low, 5)) });
  return fc.oneof(small, fc.integer({ min: low, max: high }), fc.constantFrom(low, high));
}

function validObject(shape: Shape, existing: ExistingValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape.properties ?? {});
  if (fields.length === 0 && typeof shape.additionalProperties === "object")
    return fc.dictionary(fc.string({ maxLength: 20 }), validValue(shape.additionalProperties, "", existing), {
      maxKeys: 4,
    });
  const model = Object.fromEntries(fields.map(([name, inner]) => [name, validValue(inner, name, existing)]));
  const { required = [] } = shape;
  const requiredOnly = Object.fromEntries(Object.entries(model).filter(([name]) => required.includes(name)));
  return fc.oneof(fc.record(model, { requiredKeys: required }), fc.record(requiredOnly));
}

/** A value that matches the shape; usually an existing one, where the field name has some. */
export function validValue(shape: Shape, name: string, existing: ExistingValues): fc.Arbitrary<unknown> {
  const placeholders = existing[name]?.map((_, index) => placeholder(name, index));
  const generated = validShapeValue(shape, name, existing);
  return placeholders
    ? fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...placeholders) }, generated)
    : generated;
}

function validShapeValue(shape: Shape, name: string, existing: ExistingValues): fc.Arbitrary<unknown> {
  if ("const" in shape) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => validShapeValue(choice, name, existing)));
  const type = [shape.type].flat()[0];
  if (type === "object") return validObject(shape, existing);
  if (type === "array") {
    const { minItems = 0, maxItems = 10 } = shape;
    return fc.array(validValue(shape.items ?? {}, name, existing), {
      minLength: minItems,
      maxLength: Math.min(maxItems, 10),
    });
  }
  if (type === "string") return validText(shape);
  if (type === "integer" || type === "number") return validNumber(shape, type === "integer");
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  return fc.jsonValue({ maxDepth: 3 });
}

const nestedObject = (depth: number): unknown => (depth === 0 ? 1 : { a: nestedObject(depth - 1) });

/** Values that match no field, or only appear to. */
const invalidValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    "NaN",
    "Infinity",
    "1e309",
    "0x10",
    "null",
    "undefined",
    "true",
    "\u0000",
    "a\u0000b",
    "\u0001\u001f\u007f\u0085",
    "a\u001bb\u2028",
    "\ud800",
    "\udfff\ud800",
    `${"a".repeat(63)}😀`,
    `${"a".repeat(199)}😀`,
    "\uffff",
    "x".repeat(5000),
    "😀".repeat(2000),
    "' or 1=1 --",
    "#{7*7}",
    "{{7*7}}",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "\r\nSet-Cookie: a=b",
    "a@b\r\nBcc: c@d.example",
    [],
    {},
    [[]],
    [null],
    { $ne: null },
    { length: 1 },
    { toString: 1 },
    Array(500).fill(1),
    nestedObject(11),
    nestedObject(30),
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

const UNKNOWN_FIELD_NAMES = [
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "valueOf",
  "is_admin",
  "role",
  "price",
  "status",
  "total_cents",
  "email_verified",
  "userId",
  "id",
  "a\u0000b",
  "\ud800",
  "",
  "a.b",
  "a[]",
  "$where",
];

/** A valid body with one field replaced, removed or added, or replaced as a whole. */
export const withOneDefect = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      right,
      fc.nat(),
      invalidValue,
      fc.constantFrom("replace", "remove", "add", "add", "replace", "whole"),
      fc.constantFrom(...UNKNOWN_FIELD_NAMES),
    )
    .map(([value, index, invalid, change, name]) => {
      if (change === "whole" || value === null || typeof value !== "object") return invalid;
      const fields = Object.entries(value);
      const changedField = fields[index % Math.max(1, fields.length)]?.[0];
      if (change === "add" || changedField === undefined) return { ...value, [name]: invalid };
      const otherFields = Object.fromEntries(fields.filter(([other]) => other !== changedField));
      return change === "remove" ? otherFields : { ...otherFields, [changedField]: invalid };
    });
