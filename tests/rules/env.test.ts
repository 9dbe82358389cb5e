import { describe, expect, it } from "vitest";
import { parseEnv } from "@/lib/platform/env";

const key = Buffer.alloc(32, 7).toString("base64");
const demo = {
  DATABASE_URL: "postgres://localhost/x",
  AUTH_SECRET: "a".repeat(32),
  VAULT_KEY: key,
  VAULT_HASH_KEY: key,
  STRIPE_WEBHOOK_SECRET: "whsec_x",
};
const production = {
  ...demo,
  APP_MODE: "production",
  APP_URL: "https://shop.example",
  PAYMENT_MODE: "live",
  STRIPE_SECRET_KEY: "x",
  STRIPE_PUBLISHABLE_KEY: "y",
  MAIL_MODE: "smtp",
  SMTP_URL: "smtp://localhost",
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

  it.each([
    ["DATABASE_URL", { ...demo, DATABASE_URL: "" }],
    ["AUTH_SECRET", { ...demo, AUTH_SECRET: "short" }],
    ["VAULT_KEY", { ...demo, VAULT_KEY: "c2hvcnQ=" }],
    ["PORT", { ...demo, PORT: "99999" }],
    ["PAYMENT_MODE", { ...demo, PAYMENT_MODE: "live", STRIPE_SECRET_KEY: "x", STRIPE_PUBLISHABLE_KEY: "y" }],
    ["STRIPE_SECRET_KEY", { ...demo, PAYMENT_MODE: "test", STRIPE_PUBLISHABLE_KEY: "y" }],
    ["APP_URL", { ...production, APP_URL: "" }],
    ["PAYMENT_MODE", { ...production, PAYMENT_MODE: "sandbox" }],
    ["MAIL_MODE", { ...production, MAIL_MODE: "local" }],
    ["MAIL_MODE", { ...production, MAIL_MODE: "local", ALLOW_SANDBOX_IN_PRODUCTION: "1" }],
    ["SMTP_URL", { ...production, SMTP_URL: "" }],
    ["RESEND_API_KEY", { ...production, MAIL_MODE: "resend" }],
  ])("throws one sentence that names %s", (name, variables) => {
    expect(() => parseEnv(variables)).toThrow(new RegExp(`^Configuration: ${name} [^\\n]+\\.$`));
  });
});
