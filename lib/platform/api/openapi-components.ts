import { errorMessage } from "@/lib/platform/error-messages";
import { ERROR_NAMES, ERRORS, type ErrorName } from "@/lib/platform/errors";
import { LOCALES } from "@/lib/platform/i18n/locales";

/** Shared components of the OpenAPI document. */
type Json = Record<string, unknown>;

const text = (maxLength: number, description: string, example: string) => ({
  type: "string",
  maxLength,
  description,
  example,
});

/** Attribution fields, accepted in every query and body. */
const ATTRIBUTION = {
  source: text(200, "Source of the visit, as in `utm_source`", "newsletter"),
  campaign: text(200, "Campaign of the visit", "spring"),
  medium: text(200, "Medium of the campaign", "email"),
  content: text(200, "Link or picture of the campaign", "top-button"),
};
const LANGUAGE = {
  type: "string",
  enum: [...LOCALES],
  description: "Language of the response; precedes Accept-Language",
  example: "en",
};

/** Without an example, because the viewer would send it with every request. */
const inQuery = ([name, { description, example, ...schema }]: [string, Json]) => [
  name === "target_lang" ? "TargetLang" : `${name[0]?.toUpperCase()}${name.slice(1)}`,
  { name, in: "query", required: false, description: `${description}, e.g. \`${example}\``, schema },
];

/** Query components; `Object.keys` gives their order in operations. */
export const QUERY_PARAMETERS: Json = Object.fromEntries(
  Object.entries({ target_lang: LANGUAGE, ...ATTRIBUTION }).map(inQuery),
);

export const HEADER_PARAMETERS: Json = {
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    required: false,
    description: "Accepted languages (RFC 9110), e.g. `ja,en;q=0.8`; English if none of them is supported",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A write runs once per key within 24 hours; repeated requests get its response with `Idempotent-Replayed: true`",
    schema: { type: "string", maxLength: 200, pattern: "^[\\x21-\\x7e]{1,200}$" },
  },
};

/** Of calls for merchants. */
export const MERCHANT_PARAMETERS: Json = {
  PasslaneMerchant: {
    name: "Passlane-Merchant",
    in: "header",
    required: false,
    description:
      "The handle of the merchant, for the session of a person who sells for several. A token belongs to one merchant",
    schema: { type: "string", maxLength: 60 },
  },
};

export const MERCHANT_SCHEMES: Json = {
  merchantToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "plm_live_… or plm_test_…",
    description:
      "A token of a merchant (`POST /merchant/tokens`) with the scope that the call names. It may make 600 reads and 120 writes a minute; the headers `RateLimit` and `RateLimit-Policy` say what is left",
  },
};

/** Fields that every JSON or form body accepts. */
export const ATTRIBUTION_PARAMETERS: Json = {
  type: "object",
  description: "Fields that every body accepts in addition to its own",
  properties: { target_lang: LANGUAGE, ...ATTRIBUTION },
};

export const SECURITY_SCHEMES: Json = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `token` of a sign-in; `POST /auth/refresh` renews it",
  },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: "next-auth.session-token",
    description: "The browser's session; `__Secure-next-auth.session-token` over https",
  },
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description: "The payment provider's signature of the body",
  },
};

const ENVELOPE = ["code", "state", "success", "message", "data"];
const issues = {
  type: "array",
  description: "The invalid fields, with `40000`; `expected_total` with the `actual` total, with `40904`",
  items: {
    type: "object",
    required: ["path", "message"],
    properties: { path: { type: "string" }, message: { type: "string" }, actual: { type: "number" } },
  },
};

export const ENVELOPES: Json = {
  Success: {
    type: "object",
    required: ENVELOPE,
    properties: {
      code: { const: "200" },
      state: { const: 0 },
      success: { const: true },
      message: { type: "string", description: "In the language of the request" },
      data: {},
    },
  },
  Failure: {
    type: "object",
    required: ENVELOPE,
    properties: {
      code: { type: "string", enum: [...new Set(ERROR_NAMES.map((name) => ERRORS[name].code))].sort() },
      state: { type: "integer", description: "`code` as a number" },
      success: { const: false },
      message: { type: "string", description: "In the language of the request" },
      data: { type: "null" },
      errors: issues,
    },
  },
};

export const successExample = (data: unknown): Json => ({
  code: "200",
  state: 0,
  success: true,
  message: errorMessage("none", "en"),
  data,
});

/** Example values of error message parameters. */
const EXAMPLE_PARAMS = {
  limit: 1,
  count: 2,
  retryAfterSeconds: 30,
  minutes: 15,
  minimum: "$20.00",
  date: "December 1, 2026",
  day: "December 1, 2026",
  reason: "It was revealed.",
  left: "$12.00",
  total: "$12.90",
  expected: "$11.90",
  part: "filter",
};

export function failureExample(name: ErrorName): Json {
  const { code } = ERRORS[name];
  const message = errorMessage(name, "en", EXAMPLE_PARAMS);
  return {
    summary: `${code} ${name}`,
    value: { code, state: Number(code), success: false, message, data: null },
  };
}
