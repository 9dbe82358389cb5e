import { z } from "zod";
import { LOCALES } from "@/lib/platform/i18n/locales";

/**
 * All configuration, declared once. `.env.example` names the same variables; an architecture test compares them. A
 * demo fills missing values from `.data/secrets.json` and the embedded database (scripts/serve.ts); production
 * generates nothing.
 */
const text = z.string().optional();
const required = (description: string) => z.string({ error: `is missing: ${description}` });
const isKey = (value: string) => Buffer.from(value, "base64").length === 32;
const key32 = (description: string) => required(description).refine(isKey, "must be 32 bytes in base64");
/** A URL that only tests change, without a trailing slash. */
const address = (defaultValue: string) =>
  z
    .url({ protocol: /^https?$/ })
    .transform((value) => value.replace(/\/$/, ""))
    .default(defaultValue);
/** Parses `Mastodon=https://…, YouTube=https://…`. */
const socialLinks = z
  .string()
  .transform((value) => value.split(",").map((pair) => pair.trim().split(/=(.*)/s, 2)))
  .pipe(z.array(z.tuple([z.string().min(1).max(30), z.url({ protocol: /^https?$/ })])))
  .transform((pairs) => pairs.map(([name, href]) => ({ name, href })))
  .optional();
/** Parses `{"en": "…"}` into texts by language. */
const announcement = z.preprocess(
  (value) => {
    if (typeof value !== "string") return {};
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  },
  z.partialRecord(z.enum(LOCALES), z.string().max(300), {
    error: 'must be JSON like {"en":"…","zh":"…","ja":"…"}',
  }),
);
/** Parses keys for decryption only: `base64,base64`. */
const oldKeys = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((key) => key.trim()) : []).filter(Boolean),
  z.array(z.string().refine(isKey, "must be 32 bytes in base64, between commas")),
);
const flag = z.preprocess((value) => value === "1" || value === "true" || value === true, z.boolean());

/** Invented accounts of the demo. */
const DEMO_SOCIAL_LINKS = ["Mastodon", "Bluesky", "YouTube", "LinkedIn", "GitHub"].map((name) => ({
  name,
  href: `https://passlane.example/${name.toLowerCase()}`,
}));

/** The invented seller of the demo. */
const DEMO_SELLER = {
  SELLER_ADDRESS: "1 Harbour Street|Dublin|Ireland",
  SELLER_REGISTRATION: "DEMO-000000",
  SELLER_REPRESENTATIVE: "Mara Lindqvist",
};

export const EnvSchema = z
  .object({
    APP_MODE: z.enum(["demo", "production"]).default("demo"),
    PAYMENT_MODE: z.enum(["sandbox", "test", "live"]).default("sandbox"),
    MAIL_MODE: z.enum(["local", "resend", "smtp"]).default("local"),
    APP_NAME: z.string().default("Passlane"),
    PORT: z.coerce.number().int().min(1).max(65535).default(3000),
    APP_URL: z.url({ protocol: /^https?$/ }).optional(),
    DATABASE_URL: required("the address of the Postgres database"),
    DATABASE_POOL: z.coerce.number().int().min(4).max(200).default(20),
    AUTH_SECRET: required("the secret that signs sessions").refine(
      (v) => v.length >= 32,
      "must have 32 characters or more",
    ),
    VAULT_KEY: key32("the key that encrypts activation codes"),
    VAULT_KEYS_OLD: oldKeys,
    VAULT_HASH_KEY: key32("the key of the hashes that keep activation codes unique"),
    STRIPE_SECRET_KEY: text,
    STRIPE_PUBLISHABLE_KEY: text,
    STRIPE_WEBHOOK_SECRET: required("the secret that signs payment webhooks"),
    STRIPE_API_BASE: z.url().optional(),
    GOOGLE_CLIENT_ID: text,
    GOOGLE_ISSUER: address("https://accounts.google.com"),
    GOOGLE_SCRIPT_URL: address("https://accounts.google.com/gsi/client"),
    GITHUB_CLIENT_ID: text,
    GITHUB_CLIENT_SECRET: text,
    GITHUB_LOGIN_BASE: address("https://github.com"),
    GITHUB_API_BASE: address("https://api.github.com"),
    MAIL_FROM: z.string().default("Passlane <hello@passlane.example>"),
    SUPPORT_EMAIL: z.email().optional(),
    SELLER_NAME: text,
    SELLER_ADDRESS: text,
    SELLER_TAX_ID: text,
    SELLER_REGISTRATION: text,
    SELLER_REPRESENTATIVE: text,
    SELLER_PHONE: text,
    TAX_NAME: z.string().default("VAT"),
    TAX_PERCENT: z.coerce.number().positive().max(50).optional(),
    SOCIAL_LINKS: socialLinks,
    EXCHANGE_RATES_FILE: text,
    EXCHANGE_RATES_URL: z.url({ protocol: /^https?$/ }).optional(),
    ANNOUNCEMENT: announcement,
    RESEND_API_KEY: text,
    RESEND_BASE_URL: z.url().optional(),
    SMTP_URL: text,
    DATA_DIR: z.string().default(".data"),
    AUDIT_HEADS_FILE: text,
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    PAGE_CACHE_MB: z.coerce.number().int().min(0).max(4096).default(64),
    WORKER: z.enum(["inline", "off"]).default("inline"),
    ALLOW_SANDBOX_IN_PRODUCTION: flag.default(false),
    DEV: flag.default(false),
  })
  .superRefine((env, ctx) => {
    const report = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    if (env.PAYMENT_MODE !== "sandbox") {
      if (!env.STRIPE_SECRET_KEY)
        report("STRIPE_SECRET_KEY", "is missing: payments need it outside the sandbox");
      if (!env.STRIPE_PUBLISHABLE_KEY)
        report("STRIPE_PUBLISHABLE_KEY", "is missing: payments need it outside the sandbox");
    }
    if (env.MAIL_MODE === "resend" && !env.RESEND_API_KEY)
      report("RESEND_API_KEY", "is missing: MAIL_MODE is resend");
    if (env.MAIL_MODE === "smtp" && !env.SMTP_URL) report("SMTP_URL", "is missing: MAIL_MODE is smtp");
    if (env.GITHUB_CLIENT_ID && !env.GITHUB_CLIENT_SECRET)
      report("GITHUB_CLIENT_SECRET", "is missing: sign-in with GitHub needs both it and GITHUB_CLIENT_ID");
    if (env.APP_MODE !== "production") {
      if (env.PAYMENT_MODE === "live") report("PAYMENT_MODE", "is live in a demo: set APP_MODE=production");
      return;
    }
    if (!env.APP_URL) report("APP_URL", "is missing: links in emails and markup need the public address");
    if (env.MAIL_MODE === "local" && env.PAYMENT_MODE !== "sandbox")
      report(
        "MAIL_MODE",
        "is local while payments are real: the local mailbox is open to everyone, set resend or smtp",
      );
    if (env.ALLOW_SANDBOX_IN_PRODUCTION) return;
    if (env.PAYMENT_MODE === "sandbox")
      report("PAYMENT_MODE", "is sandbox in production: set test or live, or ALLOW_SANDBOX_IN_PRODUCTION=1");
    if (env.MAIL_MODE === "local")
      report("MAIL_MODE", "is local in production: set resend or smtp, or ALLOW_SANDBOX_IN_PRODUCTION=1");
  })
  .transform((env) => ({
    ...env,
    APP_URL: (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ""),
    AUDIT_HEADS_FILE:
      env.AUDIT_HEADS_FILE ?? (env.APP_MODE === "demo" ? `${env.DATA_DIR}/audit-heads.jsonl` : undefined),
    SUPPORT_EMAIL: env.SUPPORT_EMAIL ?? (env.APP_MODE === "demo" ? "support@passlane.example" : undefined),
    ...(env.APP_MODE === "demo" && !env.SELLER_NAME && DEMO_SELLER),
    SOCIAL_LINKS: env.SOCIAL_LINKS ?? (env.APP_MODE === "demo" ? DEMO_SOCIAL_LINKS : []),
  }));

export type Env = z.output<typeof EnvSchema>;

/**
 * Parses a set of variables; an empty one counts as missing. Throws an Error of one sentence that names the first wrong
 * variable.
 */
export function parseEnv(variables: Record<string, string | undefined>): Env {
  const present = Object.entries(variables).filter(([, value]) => value !== "");
  const parsed = EnvSchema.safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`Configuration: ${issue.path.join(".")} ${issue.message}.`);
}

let cached: Env | undefined;

/** The configuration of this process, read at first use so that a build needs none of it. */
export function env(): Env {
  if (!cached) {
    cached = parseEnv(process.env);
    process.env.NEXTAUTH_URL = cached.APP_URL; // next-auth reads the public origin from it
  }
  return cached;
}
