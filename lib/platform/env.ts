import { readFileSync } from "node:fs";
import { z } from "zod";
import { parseDatabaseAddress } from "@/lib/platform/database-address";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { EMAIL, isSender, normalizeEmail, normalizeSender } from "@/lib/platform/mail/address";

/**
 * All configuration, declared once. `.env.example` names the same variables; an architecture test compares them. A
 * demo fills missing values from `.data/secrets.json` and the embedded database (scripts/start/serve.ts); production
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
/** The address of a Postgres; what is wrong with it is the fault's message. */
const databaseAddress = (description: string) =>
  required(description).superRefine((value, context) => {
    try {
      parseDatabaseAddress(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  });
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
    error: `must be JSON like {${LOCALES.map((locale) => `"${locale}":"…"`).join(",")}}`,
  }),
);
/** Parses keys for decryption only: `base64,base64`. */
const oldKeys = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((key) => key.trim()) : []).filter(Boolean),
  z.array(z.string().refine(isKey, "must be 32 bytes in base64, between commas")),
);
/** The name of a bucket, and a folder in it. */
const bucket = z
  .string()
  .regex(/^[\w.-]+(?:\/[\w.-]+)*\/?$/, "must be the name of a bucket, or name/folder")
  .optional();
const flag = z.preprocess((value) => value === "1" || value === "true" || value === true, z.boolean());

/** A receiver of OpenTelemetry. */
const collector = z.url({ protocol: /^https?$/ }).optional();
const otlpProtocol = z
  .literal("http/protobuf", { error: "must be http/protobuf, or empty: the shop speaks no other" })
  .optional();
const otlpExporter = z
  .enum(["otlp", "none"], { error: "must be otlp or none: the shop has no other exporter" })
  .default("otlp");

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
  STRIPE_CONNECT_COUNTRIES: ["DE"],
  BANK_IBAN: "IE64IRCE92050112345678",
  BANK_BIC: "IRCEIE2D",
};

/** The invented tax numbers of the demo, which shows prices with tax in the EU, the United Kingdom and Japan. */
const DEMO_TAX = {
  TAX_COUNTRY: "IE",
  TAX_IDS: { IE: "IE0000000X", GB: "GB000000000", JP: "T0000000000000" } as Record<string, string>,
};

/** Tax numbers by country, as `IE:IE0000000X,JP:T0000000000000`; `EU` is the non-Union scheme. */
const taxIds = z
  .string()
  .transform((value) =>
    Object.fromEntries(
      value
        .split(",")
        .map((entry) => entry.trim())
        .filter(Boolean)
        .map((entry) => [entry.slice(0, 2).toUpperCase(), entry.slice(3).replace(/\s/g, "").toUpperCase()]),
    ),
  )
  .refine(
    (ids) =>
      Object.entries(ids).every(([country, id]) => /^[A-Z]{2}$/.test(country) && /^[A-Z0-9]{4,20}$/.test(id)),
    "must be numbers by country, as IE:IE0000000X,JP:T0000000000000",
  )
  .refine(({ JP }) => JP === undefined || /^T\d{13}$/.test(JP), "JP must be T and 13 digits")
  .optional();

const Variables = z.object({
  APP_MODE: z.enum(["demo", "production"]).default("demo"),
  PAYMENT_MODE: z.enum(["sandbox", "test", "live"]).default("sandbox"),
  MAIL_MODE: z.enum(["local", "resend", "smtp"]).default("local"),
  APP_NAME: z.string().default("Passlane"),
  PORT: z.coerce.number().int().min(1).max(65535).default(3000),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: databaseAddress("the address of the Postgres database"),
  DATABASE_DIRECT_URL: databaseAddress("the address without a pooler").optional(),
  DATABASE_REPLICA_URL: databaseAddress("the address of a replica").optional(),
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
  STRIPE_CONNECT_WEBHOOK_SECRET: text,
  STRIPE_CONNECT_COUNTRIES: z
    .string()
    .transform((value) =>
      value
        .toUpperCase()
        .split(",")
        .map((code) => code.trim())
        .filter(Boolean),
    )
    .refine((codes) => codes.every((code) => /^[A-Z]{2}$/.test(code)), "must be ISO codes, as US,GB,DE")
    .optional(),
  STRIPE_API_BASE: z.url().optional(),
  GOOGLE_CLIENT_ID: text,
  GOOGLE_ISSUER: address("https://accounts.google.com"),
  GOOGLE_SCRIPT_URL: address("https://accounts.google.com/gsi/client"),
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  GITHUB_LOGIN_BASE: address("https://github.com"),
  GITHUB_API_BASE: address("https://api.github.com"),
  MAIL_FROM: z
    .string()
    .overwrite(normalizeSender)
    .refine(isSender, "must be an address, or Name <address>, as Shop <shop@example.org>")
    .default("Passlane <hello@passlane.example>"),
  SUPPORT_EMAIL: z
    .string()
    .overwrite(normalizeEmail)
    .pipe(z.email({ pattern: EMAIL }))
    .optional(),
  SELLER_NAME: text,
  SELLER_ADDRESS: text,
  SELLER_TAX_ID: text,
  SELLER_REGISTRATION: text,
  SELLER_REPRESENTATIVE: text,
  SELLER_PHONE: text,
  BANK_IBAN: z
    .string()
    .transform((value) => value.replace(/\s/g, "").toUpperCase())
    .pipe(
      z
        .string()
        .regex(
          /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/,
          "must be the IBAN of the account from which merchants are paid",
        ),
    )
    .optional(),
  BANK_BIC: z
    .string()
    .regex(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, "must be the BIC of that account's bank")
    .optional(),
  TAX_NAME: z.string().default("VAT"),
  TAX_PERCENT: z.coerce.number().positive().max(50).optional(),
  TAX_COUNTRY: z
    .string()
    .regex(/^(?:off|[A-Z]{2})$/, "must be the country of the seller, as IE, or off")
    .optional(),
  TAX_IDS: taxIds,
  TAX_PRICES: z.enum(["included", "added"]).default("included"),
  TAX_RATES_FILE: text,
  VIES_URL: address("https://ec.europa.eu/taxation_customs/vies/rest-api"),
  TAX_COUNTRY_HEADER: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/i, "must be the name of a header")
    .optional(),
  SOCIAL_LINKS: socialLinks,
  EXCHANGE_RATES_FILE: text,
  EXCHANGE_RATES_URL: z.url({ protocol: /^https?$/ }).optional(),
  ANNOUNCEMENT: announcement,
  RESEND_API_KEY: text,
  RESEND_BASE_URL: z.url().optional(),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: "must be an address as smtps://user:password@mail.example:465 (or smtp://)",
    })
    .optional(),
  DATA_DIR: z.string().default(".data"),
  SHUTDOWN_NOTICE_SECONDS: z.coerce.number().int().min(0).max(300).optional(),
  PICTURE_BUCKET: bucket,
  AUDIT_HEADS_FILE: text,
  ASSIGNMENT_JOURNAL_DIR: text,
  ASSIGNMENT_JOURNAL_BUCKET: bucket,
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((value) => value.replace(/\/$/, ""))
    .optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  ACCESS_LOG: z.enum(["on", "off"]).default("off"),
  METRICS_PORT: z.coerce.number().int().min(1).max(65535).optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  OTEL_SDK_DISABLED: flag.default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_HEADERS: text,
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: otlpProtocol,
  OTEL_TRACES_EXPORTER: otlpExporter,
  OTEL_LOGS_EXPORTER: otlpExporter,
  PAGE_CACHE_MB: z.coerce.number().int().min(0).max(4096).default(64),
  WORKER: z.enum(["beside", "off"]).default("beside"),
  ALLOW_SANDBOX_IN_PRODUCTION: flag.default(false),
  DEV: flag.default(false),
});

/** The variables that `NAME_FILE` may hold instead: it names a file with the value, as secrets are mounted. */
export const SECRETS = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_REPLICA_URL",
  "AUTH_SECRET",
  "VAULT_KEY",
  "VAULT_KEYS_OLD",
  "VAULT_HASH_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_CONNECT_WEBHOOK_SECRET",
  "GITHUB_CLIENT_SECRET",
  "RESEND_API_KEY",
  "SMTP_URL",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "S3_SECRET_ACCESS_KEY",
] as const satisfies (keyof typeof Variables.shape)[];

/** Their file may be empty: it stays mounted when there is nothing to name. */
const MAY_BE_EMPTY: readonly string[] = ["VAULT_KEYS_OLD"];

type Parsed = z.output<typeof Variables>;
type Report = (name: string, message: string) => void;

/** The prefixes of Stripe's keys in each mode; `rk_` are restricted secret keys. */
const STRIPE_KEYS = {
  test: { secret: ["sk_test_", "rk_test_"], publishable: ["pk_test_"] },
  live: { secret: ["sk_live_", "rk_live_"], publishable: ["pk_live_"] },
} as const;

/** Reports what is wrong about variables that are valid one by one. An invalid one is absent. */
function checkTogether(env: Partial<Parsed>, report: Report): void {
  checkPayments(env, report);
  checkVault(env, report);
  if (env.METRICS_PORT !== undefined && env.METRICS_PORT === env.PORT)
    report("METRICS_PORT", "equals PORT: metrics have a port of their own, which no client reaches");
  if (env.MAIL_MODE === "resend" && !env.RESEND_API_KEY)
    report("RESEND_API_KEY", "is missing: MAIL_MODE is resend");
  if (env.MAIL_MODE === "smtp" && !env.SMTP_URL) report("SMTP_URL", "is missing: MAIL_MODE is smtp");
  if (env.GITHUB_CLIENT_ID && !env.GITHUB_CLIENT_SECRET)
    report("GITHUB_CLIENT_SECRET", "is missing: sign-in with GitHub needs both it and GITHUB_CLIENT_ID");
  if (env.TAX_PERCENT && env.TAX_COUNTRY && env.TAX_COUNTRY !== "off")
    report(
      "TAX_PERCENT",
      "is set beside TAX_COUNTRY, which taxes each order by its country: set one of them",
    );
  checkBuckets(env, report);
  if (env.APP_MODE === "production") checkProduction(env, report);
  else if (env.PAYMENT_MODE === "live") report("PAYMENT_MODE", "is live in a demo: set APP_MODE=production");
}

function checkPayments({ PAYMENT_MODE: mode, ...env }: Partial<Parsed>, report: Report): void {
  if (mode !== "test" && mode !== "live") return;
  const { secret, publishable } = STRIPE_KEYS[mode];
  const check = (name: string, value: string | undefined, prefixes: readonly string[]) => {
    if (!value) report(name, "is missing: payments need it outside the sandbox");
    else if (!prefixes.some((prefix) => value.startsWith(prefix)))
      report(name, `must begin with ${prefixes.join(" or ")}: PAYMENT_MODE is ${mode}`);
  };
  check("STRIPE_SECRET_KEY", env.STRIPE_SECRET_KEY, secret);
  check("STRIPE_PUBLISHABLE_KEY", env.STRIPE_PUBLISHABLE_KEY, publishable);
  if (env.STRIPE_WEBHOOK_SECRET && !env.STRIPE_WEBHOOK_SECRET.startsWith("whsec_"))
    report("STRIPE_WEBHOOK_SECRET", `must begin with whsec_: PAYMENT_MODE is ${mode}`);
  if (env.STRIPE_CONNECT_COUNTRIES?.length && !env.STRIPE_CONNECT_WEBHOOK_SECRET?.startsWith("whsec_"))
    report("STRIPE_CONNECT_WEBHOOK_SECRET", "must begin with whsec_: STRIPE_CONNECT_COUNTRIES needs it");
  if (mode === "live" && env.APP_URL?.startsWith("http:"))
    report("APP_URL", "must begin with https: PAYMENT_MODE is live");
}

function checkBuckets(env: Partial<Parsed>, report: Report): void {
  for (const [bucket, folder] of [
    ["ASSIGNMENT_JOURNAL_BUCKET", "ASSIGNMENT_JOURNAL_DIR"],
    ["PICTURE_BUCKET", undefined],
  ] as const) {
    if (!env[bucket]) continue;
    if (folder && env[folder]) report(bucket, `is set beside ${folder}: set one of them`);
    for (const name of ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const)
      if (!env[name]) report(name, `is missing: ${bucket} needs it`);
  }
}

/** Whoever has one of two equal keys has both, and the hashes of codes would be made with the key that opens them. */
function checkVault({ VAULT_KEY, VAULT_HASH_KEY, VAULT_KEYS_OLD }: Partial<Parsed>, report: Report): void {
  const bytes = (key: string) => Buffer.from(key, "base64").toString("base64");
  const equals = (key: string | undefined) => VAULT_HASH_KEY && key && bytes(VAULT_HASH_KEY) === bytes(key);
  if (equals(VAULT_KEY)) report("VAULT_HASH_KEY", "equals VAULT_KEY: they must be two keys");
  else if (VAULT_KEYS_OLD?.some(equals))
    report("VAULT_HASH_KEY", "equals one of VAULT_KEYS_OLD: they must be two keys");
}

function checkProduction(env: Partial<Parsed>, report: Report): void {
  if (!env.APP_URL) report("APP_URL", "is missing: links in emails and markup need the public address");
  if (env.MAIL_MODE === "local" && env.PAYMENT_MODE && env.PAYMENT_MODE !== "sandbox")
    report(
      "MAIL_MODE",
      "is local while payments are real: the local mailbox is open to everyone, set resend or smtp",
    );
  if (env.ALLOW_SANDBOX_IN_PRODUCTION) return;
  if (env.PAYMENT_MODE === "sandbox")
    report("PAYMENT_MODE", "is sandbox in production: set test or live, or ALLOW_SANDBOX_IN_PRODUCTION=1");
  if (env.MAIL_MODE === "local")
    report("MAIL_MODE", "is local in production: set resend or smtp, or ALLOW_SANDBOX_IN_PRODUCTION=1");
}

/**
 * How long a server that ends still serves while `/readyz` answers 503. In production two checks of a balancer, 5 seconds
 * apart, and their time limit.
 */
export const SHUTDOWN_NOTICE = { production: 12, demo: 1 } as const;

const complete = (env: Parsed) => ({
  ...env,
  SHUTDOWN_NOTICE_SECONDS: env.SHUTDOWN_NOTICE_SECONDS ?? SHUTDOWN_NOTICE[env.APP_MODE],
  DATABASE_DIRECT_URL: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
  APP_URL: (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
  AUDIT_HEADS_FILE:
    env.AUDIT_HEADS_FILE ?? (env.APP_MODE === "demo" ? `${env.DATA_DIR}/audit-heads.jsonl` : undefined),
  ASSIGNMENT_JOURNAL_DIR:
    env.ASSIGNMENT_JOURNAL_DIR ??
    (env.APP_MODE === "demo" && !env.ASSIGNMENT_JOURNAL_BUCKET
      ? `${env.DATA_DIR}/assignment-journal`
      : undefined),
  SUPPORT_EMAIL: env.SUPPORT_EMAIL ?? (env.APP_MODE === "demo" ? "support@passlane.example" : undefined),
  ...(env.APP_MODE === "demo" && !env.SELLER_NAME && DEMO_SELLER),
  ...(env.APP_MODE === "demo" && !env.SELLER_NAME && !env.TAX_COUNTRY && !env.TAX_PERCENT && DEMO_TAX),
  SOCIAL_LINKS: env.SOCIAL_LINKS ?? (env.APP_MODE === "demo" ? DEMO_SOCIAL_LINKS : []),
});

/** The names of all variables, for the test of `.env.example`. */
export const VARIABLE_NAMES = Object.keys(Variables.shape);

export type Env = ReturnType<typeof complete>;

type Values = Record<string, string | undefined>;

/** Replaces each `NAME_FILE` of a secret by `NAME` with the content of the file; an empty variable counts as missing. */
export function readSecretFiles(variables: Values, report: Report = () => {}): Values {
  const values: Values = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  for (const name of SECRETS) {
    const file = values[`${name}_FILE`];
    if (file === undefined) continue;
    if (values[name] !== undefined) {
      report(name, `is set beside ${name}_FILE: set one of them`);
      continue;
    }
    const value = readSecret(file, (message) => report(`${name}_FILE`, message));
    if (value === "" && !MAY_BE_EMPTY.includes(name)) report(`${name}_FILE`, "names an empty file");
    values[name] = value || undefined;
    if (value !== undefined) delete values[`${name}_FILE`];
  }
  return values;
}

function readSecret(file: string, report: (message: string) => void): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "unknown error";
    report(`names a file that cannot be read (${code}): ${file}`);
    return undefined;
  }
}

/**
 * Parses a set of variables. Throws an Error that names every fault, one variable a line, so that one start is enough to
 * find all of them.
 */
export function parseEnv(variables: Values): Env {
  const faults = new Map<string, string>();
  const report: Report = (name, message) => {
    const isReported = faults.has(name) || faults.has(`${name}_FILE`);
    if (!isReported) faults.set(name, message);
  };
  const values = readSecretFiles(variables, report);
  const parsed = Variables.safeParse(values);
  for (const { path, message } of parsed.error?.issues ?? []) report(String(path[0]), message);
  const valid = Object.fromEntries(Object.entries(values).filter(([name]) => !faults.has(name)));
  checkTogether(parsed.data ?? Variables.partial().parse(valid), report);
  if (parsed.success && faults.size === 0) return complete(parsed.data);
  const lines = [...faults].map(([name, message]) => `${name} ${message}.`);
  throw new Error(
    lines.length === 1
      ? `Configuration: ${lines[0]}`
      : `Configuration, ${lines.length} faults:\n${lines.map((line) => `  ${line}`).join("\n")}`,
  );
}

let cached: Env | undefined;

/** The configuration of this process, read at first use so that a build needs none of it. */
export function env(): Env {
  if (!cached) {
    cached = parseEnv(process.env);
    process.env.NEXTAUTH_URL = cached.APP_URL; // next-auth reads the public origin from it
    // OpenTelemetry reads it from there, also when it came from a file.
    if (cached.OTEL_EXPORTER_OTLP_HEADERS)
      process.env.OTEL_EXPORTER_OTLP_HEADERS = cached.OTEL_EXPORTER_OTLP_HEADERS;
  }
  return cached;
}
