/**
 * The configuration of all tests: a demo with sandbox payments and fixed secrets, independent of the machine.
 * Tests with a database add DATABASE_URL, those with a server PORT.
 */
export const testEnvironment = {
  APP_MODE: "demo",
  PAYMENT_MODE: "sandbox",
  MAIL_MODE: "local",
  AUTH_SECRET: "tests-only-tests-only-tests-only-tests-only-0001",
  VAULT_KEY: Buffer.alloc(32, "vault key").toString("base64"),
  VAULT_HASH_KEY: Buffer.alloc(32, "hash key").toString("base64"),
  STRIPE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, "webhooks").toString("base64")}`,
  TAX_COUNTRY: "off",
  LOG_LEVEL: "silent",
  WORKER: "off",
};
