import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseEnv } from "@/lib/platform/env";

const key = Buffer.alloc(32, 7).toString("base64");
const hashKey = Buffer.alloc(32, 8).toString("base64");
const demo = {
  DATABASE_URL: "postgres://localhost/x",
  AUTH_SECRET: "a".repeat(32),
  VAULT_KEY: key,
  VAULT_HASH_KEY: hashKey,
  STRIPE_WEBHOOK_SECRET: "whsec_x",
};
const production = {
  ...demo,
  APP_MODE: "production",
  APP_URL: "https://shop.example",
  PAYMENT_MODE: "live",
  STRIPE_SECRET_KEY: "rk_live_1",
  STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  MAIL_MODE: "smtp",
  SMTP_URL: "smtp://localhost",
};

const _bucketKeys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
const live = { PAYMENT_MODE: "live", STRIPE_SECRET_KEY: "sk_live_1", STRIPE_PUBLISHABLE_KEY: "pk_live_1" };

const folder = mkdtempSync(join(tmpdir(), "secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe("parseEnv", () => {
  it("accepts a demo with the generated secrets, and a complete production configuration", () => {
    expect(parseEnv(demo)).toMatchObject({
      APP_MODE: "demo",
      PAYMENT_MODE: "sandbox",
      APP_URL: "http://localhost:3000",
    });
    expect(parseEnv(production)).toMatchObject({ APP_MODE: "production", MAIL_MODE: "smtp" });
  });

  it("accepts the public address without its trailing slashes", () => {
    expect(parseEnv({ ...production, APP_URL: "https://shop.example/" }).APP_URL).toBe(
      "https://shop.example",
    );
  });

  it("accepts a mail server with a user, and a sender with or without a name", () => {
    for (const SMTP_URL of ["smtp://mail:1025", "smtps://user:p%40ss@mail.example:465?pool=true"])
      expect(parseEnv({ ...production, SMTP_URL }).SMTP_URL).toBe(SMTP_URL);
    for (const MAIL_FROM of ["shop@example.org", "The Shop <shop@example.org>"])
      expect(parseEnv({ ...production, MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
  });

  it("gives a server in production a notice that spans two checks of 5 seconds", () => {
    expect(parseEnv(production).SHUTDOWN_NOTICE_SECONDS).toBe(12);
    expect(parseEnv(demo).SHUTDOWN_NOTICE_SECONDS).toBe(1);
    expect(parseEnv({ ...production, SHUTDOWN_NOTICE_SECONDS: "0" }).SHUTDOWN_NOTICE_SECONDS).toBe(0);
  });

  it.each([
    ["DATABASE_URL", { ...demo, DATABASE_URL: "" }],
    ["DATABASE_URL", { ...demo, DATABASE_URL: "postgres://u:x@db/x?sslmode=prefer" }],
    ["DATABASE_URL", { ...demo, DATABASE_URL: "postgres://u:x@a,b/x" }],
    ["DATABASE_REPLICA_URL", { ...demo, DATABASE_REPLICA_URL: "postgres://u:x@a,b/x" }],
    ["DATABASE_DIRECT_URL", { ...demo, DATABASE_DIRECT_URL: "localhost:5432" }],
    ["AUTH_SECRET", { ...demo, AUTH_SECRET: "short" }],
    ["VAULT_KEY", { ...demo, VAULT_KEY: "c2hvcnQ=" }],
    ["PORT", { ...demo, PORT: "99999" }],
    ["SHUTDOWN_NOTICE_SECONDS", { ...demo, SHUTDOWN_NOTICE_SECONDS: "-1" }],
    ["PICTURE_BUCKET", { ...demo, PICTURE_BUCKET: "a b" }],
    ["S3_SECRET_ACCESS_KEY", { ...demo, PICTURE_BUCKET: "shop", S3_ACCESS_KEY_ID: "id" }],
    ["PAYMENT_MODE", { ...demo, ...live }],
    ["STRIPE_SECRET_KEY", { ...demo, PAYMENT_MODE: "test", STRIPE_PUBLISHABLE_KEY: "pk_test_1" }],
    ["STRIPE_SECRET_KEY", { ...demo, ...live, PAYMENT_MODE: "test", STRIPE_PUBLISHABLE_KEY: "pk_test_1" }],
    ["STRIPE_SECRET_KEY", { ...production, STRIPE_SECRET_KEY: "sk_test_1" }],
    ["STRIPE_PUBLISHABLE_KEY", { ...production, STRIPE_PUBLISHABLE_KEY: "pk_test_1" }],
    ["STRIPE_WEBHOOK_SECRET", { ...production, STRIPE_WEBHOOK_SECRET: "sk_live_1" }],
    ["APP_URL", { ...production, APP_URL: "http://shop.example" }],
    ["VAULT_HASH_KEY", { ...demo, VAULT_HASH_KEY: key }],
    ["VAULT_HASH_KEY", { ...demo, VAULT_KEYS_OLD: hashKey.replace("=", "") }],
    ["APP_URL", { ...production, APP_URL: "" }],
    ["PAYMENT_MODE", { ...production, PAYMENT_MODE: "sandbox" }],
    ["MAIL_MODE", { ...production, MAIL_MODE: "local" }],
    ["MAIL_MODE", { ...production, MAIL_MODE: "local", ALLOW_SANDBOX_IN_PRODUCTION: "1" }],
    ["SMTP_URL", { ...production, SMTP_URL: "" }],
    ["SMTP_URL", { ...production, SMTP_URL: "mail.example" }],
    ["SMTP_URL", { ...production, SMTP_URL: "mail.example:587" }],
    ["SMTP_URL", { ...production, SMTP_URL: "https://mail.example" }],
    ["MAIL_FROM", { ...production, MAIL_FROM: "nobody" }],
    ["MAIL_FROM", { ...production, MAIL_FROM: "Passlane <nobody>" }],
    ["RESEND_API_KEY", { ...production, MAIL_MODE: "resend" }],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", { ...demo, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
    ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", { ...demo, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" }],
    ["OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", { ...demo, OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/json" }],
    ["OTEL_TRACES_EXPORTER", { ...demo, OTEL_TRACES_EXPORTER: "console" }],
    ["OTEL_LOGS_EXPORTER", { ...demo, OTEL_LOGS_EXPORTER: "console" }],
  ])("throws one sentence that names %s", (name, variables) => {
    expect(() => parseEnv(variables)).toThrow(new RegExp(`^Configuration: ${name} [^\\n]+\\.$`));
  });

  it("reports all faults together, even of interdependent variables, each variable once", () => {
    const faulty = {
      ...production,
      DATABASE_URL: "",
      PORT: "99999",
      APP_URL: "http://shop.example",
      STRIPE_SECRET_KEY: "sk_test_1",
      VAULT_HASH_KEY: key,
      SMTP_URL: "",
    };
    expect(() => parseEnv(faulty)).toThrow(
      /^Configuration, 6 faults:(\n {2}(PORT|DATABASE_URL|STRIPE_SECRET_KEY|APP_URL|VAULT_HASH_KEY|SMTP_URL) [^\n]+\.){6}$/,
    );
  });

  it("reads a secret from the file that NAME_FILE names", () => {
    const { VAULT_KEY: _, DATABASE_URL: __, ...others } = demo;
    const files = {
      VAULT_KEY_FILE: fileOf("vault", `${key}\n`),
      DATABASE_URL_FILE: fileOf("database", "postgres://mounted/x"),
    };
    expect(parseEnv({ ...others, ...files })).toMatchObject({
      VAULT_KEY: key,
      DATABASE_URL: "postgres://mounted/x",
    });
    expect(parseEnv({ ...demo, VAULT_KEY_FILE: "" }).VAULT_KEY).toBe(key);
  });

  it("treats an empty file of old vault keys as none, so that it stays mounted between rotations", () => {
    const parsed = parseEnv({ ...demo, VAULT_KEYS_OLD_FILE: fileOf("old", "\n") });
    expect(parsed.VAULT_KEYS_OLD).toEqual([]);
    const old = Buffer.alloc(32, 9).toString("base64");
    expect(parseEnv({ ...demo, VAULT_KEYS_OLD_FILE: fileOf("older", old) }).VAULT_KEYS_OLD).toEqual([old]);
  });

  it.each([
    [
      "both",
      { ...demo, AUTH_SECRET_FILE: fileOf("auth", "a".repeat(32)) },
      "AUTH_SECRET is set beside AUTH_SECRET_FILE",
    ],
    ["an empty file", { ...demo, SMTP_URL_FILE: fileOf("empty", "\n") }, "SMTP_URL_FILE names an empty file"],
    [
      "no file",
      { ...demo, VAULT_KEY: "", VAULT_KEY_FILE: join(folder, "none") },
      "VAULT_KEY_FILE names a file that",
    ],
    [
      "a bad value",
      { ...demo, VAULT_KEY: "", VAULT_KEY_FILE: fileOf("short", "c2hvcnQ=") },
      "VAULT_KEY must be",
    ],
  ])("throws one sentence when a secret has %s", (_, variables, sentence) => {
    expect(() => parseEnv(variables)).toThrow(new RegExp(`^Configuration: ${sentence}[^\n]*\\.$`));
  });
});
