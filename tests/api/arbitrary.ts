import fc from "fast-check";

/** JSON Schema as zod writes it → values that fit it. */
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
};

/** Values that exist, by the name of the field: what gets a request past its checks and into the business. */
export type Known = Record<string, unknown[]>;

/** Stands for a value that exists until the request is sent: the world that holds it may be a newer one by then. */
const stand = (name: string, at: number) => `@known ${name} ${at}`;

/** Puts what exists now in the place of what stands for it. */
export function resolved(value: unknown, known: Known): unknown {
  if (typeof value === "string" && value.startsWith("@known ")) {
    const [, name = "", at] = value.split(" ");
    return known[name]?.[Number(at)];
  }
  if (Array.isArray(value)) return value.map((one) => resolved(one, known));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, known)]));
}

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  email: fc.emailAddress(),
  "date-time": fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((day) => day.toISOString()),
  uuid: fc.uuid(),
  uri: fc.webUrl(),
};

/** Letters of many scripts, and now and then what breaks careless code. */
const unit = fc.oneof(
  { weight: 12, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }) },
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom("'", '"', "\\", "%", "<", "\u202e", "\u0301", "\r\n", "😀", "ﬃ") },
);

function textThatFits({ pattern, format, minLength = 0, maxLength = 200 }: Shape): fc.Arbitrary<string> {
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (format && FORMATS[format]) return FORMATS[format].filter(fits);
  if (pattern) {
    const form = new RegExp(pattern);
    return fc.stringMatching(form).filter(fits);
  }
  const ordinary = fc.string({
    unit,
    minLength: Math.min(minLength, 60),
    maxLength: Math.min(maxLength, 60),
  });
  const full = fc.constant("x".repeat(Math.min(maxLength, 20_000)));
  return fc.oneof({ weight: 9, arbitrary: ordinary.filter(fits) }, { weight: 1, arbitrary: full });
}

function numberThatFits(shape: Shape, whole: boolean): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = shape;
  const min = Math.max(
    minimum ?? -Infinity,
    exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1,
  );
  const max = Math.min(maximum ?? Infinity, exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - 1);
  if (!whole) return fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
  const [low, high] = [Math.max(min, Number.MIN_SAFE_INTEGER), Math.min(max, Number.MAX_SAFE_INTEGER)];
  const small = fc.integer({ min: Math.max(low, -1), max: Math.min(high, Math.max(low, 5)) });
  return fc.oneof(
    small,
    fc.maxSafeInteger().filter((n) => n >= low && n <= high),
    fc.constantFrom(low, high),
  );
}

function objectThatFits(shape: Shape, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape.properties ?? {});
  if (fields.length === 0 && typeof shape.additionalProperties === "object")
    return fc.dictionary(fc.string({ maxLength: 20 }), fitting(shape.additionalProperties, "", known), {
      maxKeys: 4,
    });
  const model = Object.fromEntries(fields.map(([name, inner]) => [name, fitting(inner, name, known)]));
  const { required = [] } = shape;
  const least = Object.fromEntries(Object.entries(model).filter(([name]) => required.includes(name)));
  return fc.oneof(fc.record(model, { requiredKeys: required }), fc.record(least));
}

/** A value that fits the shape; mostly one that exists, where the name is known. */
export function fitting(shape: Shape, name: string, known: Known): fc.Arbitrary<unknown> {
  const real = known[name]?.map((_, at) => stand(name, at));
  const made = fittingShape(shape, name, known);
  return real ? fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...real) }, made) : made;
}

function fittingShape(shape: Shape, name: string, known: Known): fc.Arbitrary<unknown> {
  if ("const" in shape) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => fittingShape(choice, name, known)));
  const type = [shape.type].flat()[0];
  if (type === "object") return objectThatFits(shape, known);
  if (type === "array") {
    const { minItems = 0, maxItems = 10 } = shape;
    return fc.array(fitting(shape.items ?? {}, name, known), {
      minLength: minItems,
      maxLength: Math.min(maxItems, 10),
    });
  }
  if (type === "string") return textThatFits(shape);
  if (type === "integer" || type === "number") return numberThatFits(shape, type === "integer");
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  return fc.jsonValue({ maxDepth: 3 });
}

const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });

/** Values that fit no field, or only look as if they did. */
const odd = fc.oneof(
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
    "\ud800",
    "\udfff\ud800",
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
    deep(11),
    deep(30),
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

const FOREIGN_NAMES = [
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

/** A body that was right until one thing in it was changed. */
export const spoilt = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      right,
      fc.nat(),
      odd,
      fc.constantFrom("replace", "remove", "add", "add", "replace", "whole"),
      fc.constantFrom(...FOREIGN_NAMES),
    )
    .map(([value, at, wrong, how, name]) => {
      if (how === "whole" || value === null || typeof value !== "object") return wrong;
      const fields = Object.entries(value);
      const here = fields[at % Math.max(1, fields.length)]?.[0];
      if (how === "add" || here === undefined) return { ...value, [name]: wrong };
      const rest = Object.fromEntries(fields.filter(([other]) => other !== here));
      return how === "remove" ? rest : { ...rest, [here]: wrong };
    });
