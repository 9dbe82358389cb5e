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
const SOURCE = {
  source: text(200, "Where the visit came from, as `utm_source` names it", "newsletter"),
  campaign: text(200, "The campaign that led here", "spring"),
  medium: text(200, "The medium of the campaign", "email"),
  content: text(200, "Which link or picture of the campaign it was", "top-button"),
};
const LANGUAGE = {
  type: "string",
  enum: [...LOCALES],
  description: "Language of the answer; stronger than Accept-Language",
  example: "en",
};

/** Without an example, because the viewer would send it with every request. */
const inQuery = ([name, { description, example, ...schema }]: [string, Json]) => [
  name === "target_lang" ? "TargetLang" : `${name[0]?.toUpperCase()}${name.slice(1)}`,
  { name, in: "query", required: false, description: `${description}, e.g. \`${example}\``, schema },
];

/** Query components; `Object.keys` gives their order in operations. */
export const QUERY_PARAMETERS: Json = Object.fromEntries(
  Object.entries({ target_lang: LANGUAGE, ...SOURCE }).map(inQuery),
);

export const HEADER_PARAMETERS: Json = {
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    required: false,
    description:
      "Languages that the reader understands (RFC 9110), e.g. `ja,en;q=0.8`; English when none of ours is among them",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "The same key within 24 hours does the write once; its answer is given again with `Idempotent-Replayed: true`",
    schema: { type: "string", maxLength: 200, pattern: "^[\\x21-\\x7e]{1,200}$" },
  },
};

/** Fields that every JSON or form body accepts. */
export const ATTRIBUTION_PARAMETERS: Json = {
  type: "object",
  description: "Any body may carry these besides its own fields",
  properties: { target_lang: LANGUAGE, ...SOURCE },
};

export const SECURITY_SCHEMES: Json = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `token` of a sign-in; `POST /auth/refresh` gives the next one",
  },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: "next-auth.session-token",
    description: "The browser's session; `__Secure-next-auth.session-token` where the shop runs on https",
  },
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description: "Signed over the bytes of the body by the payment provider",
  },
};

const ENVELOPE = ["code", "state", "success", "message", "data"];
const issues = {
  type: "array",
  description: "The fields that were refused; with `40000` only",
  items: {
    type: "object",
    required: ["path", "message"],
    properties: { path: { type: "string" }, message: { type: "string" } },
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
const PARAMS = {
  limit: 1,
  count: 2,
  retryAfterSeconds: 30,
  minimum: "$20.00",
  date: "December 1, 2026",
  reason: "It was revealed.",
};

export function failureExample(name: ErrorName): Json {
  const { code } = ERRORS[name];
  const message = errorMessage(name, "en", PARAMS);
  return {
    summary: `${code} ${name}`,
    value: { code, state: Number(code), success: false, message, data: null },
  };
}
