import { createHash } from "node:crypto";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { type Db, db, type Tx, transaction } from "@/db/client";
import { sandboxCustomers, sandboxPaymentMethods, sandboxSetupIntents } from "@/db/schema/sandbox";
import { env } from "@/lib/platform/env";
import {
  clientSecretOf,
  Limit,
  Metadata,
  notFound,
  type Params,
  parseParams,
  SandboxError,
  stripeId,
} from "./http";
import { listObject } from "./lists";
import {
  authenticationFailed,
  CARD_DECLINED,
  customerObject,
  type IntentRow,
  type PaymentMethodRow,
  paymentMethodObject,
  type SetupIntentRow,
  setupIntentObject,
} from "./objects";

/** Customers, their saved cards and setup intents. The shop subscribes to no events of them, so none are recorded. */
const CustomerParams = z.strictObject({ metadata: Metadata });

export async function createCustomer(tx: Tx, params: Params) {
  const { metadata } = parseParams(CustomerParams, params);
  const [row] = await tx
    .insert(sandboxCustomers)
    .values({ id: stripeId("cus"), metadata })
    .returning();
  return customerObject(row!);
}

const existing = (id: string) => and(eq(sandboxCustomers.id, id), isNull(sandboxCustomers.deletedAt));

export async function findCustomer(tx: Db, id: string): Promise<boolean> {
  return (await tx.$count(sandboxCustomers, existing(id))) > 0;
}

/** Removes the customer's cards too. */
export async function deleteCustomer(tx: Tx, id: string): Promise<object> {
  const deleted = await tx
    .update(sandboxCustomers)
    .set({ deletedAt: sql`shop_now()` })
    .where(existing(id))
    .returning({ id: sandboxCustomers.id });
  if (deleted.length === 0) throw notFound(404, "customer", id, "id");
  await tx
    .update(sandboxPaymentMethods)
    .set({ customerId: null })
    .where(eq(sandboxPaymentMethods.customerId, id));
  return { id, object: "customer", deleted: true };
}

const ListParams = z.strictObject({ type: z.literal("card").optional(), limit: Limit });

export async function listPaymentMethods(customerId: string, params: Params): Promise<object> {
  const { limit } = parseParams(ListParams, params);
  if (!(await findCustomer(db, customerId))) throw notFound(404, "customer", customerId, "customer");
  const rows = await db
    .select()
    .from(sandboxPaymentMethods)
    .where(eq(sandboxPaymentMethods.customerId, customerId))
    .orderBy(desc(sandboxPaymentMethods.createdAt), desc(sandboxPaymentMethods.id))
    .limit(limit + 1);
  return listObject(`/v1/customers/${customerId}/payment_methods`, rows.map(paymentMethodObject), limit);
}

export async function retrievePaymentMethod(customerId: string, id: string) {
  if (!(await findCustomer(db, customerId))) throw notFound(404, "customer", customerId, "customer");
  const [row] = await db
    .select()
    .from(sandboxPaymentMethods)
    .where(and(eq(sandboxPaymentMethods.id, id), eq(sandboxPaymentMethods.customerId, customerId)));
  if (!row) throw notFound(404, "PaymentMethod", id, "payment_method");
  return paymentMethodObject(row);
}

export const selectCard = (tx: Db, id: string) =>
  tx.select().from(sandboxPaymentMethods).where(eq(sandboxPaymentMethods.id, id));

export async function detachPaymentMethod(tx: Tx, id: string) {
  const [row] = await selectCard(tx, id).for("update");
  if (!row) throw notFound(404, "PaymentMethod", id, "payment_method");
  if (row.customerId === null) {
    const message =
      "The payment method you provided is not attached to a customer so detachment is impossible.";
    throw new SandboxError(400, { message });
  }
  await attachPaymentMethod(tx, id, null);
  return paymentMethodObject({ ...row, customerId: null });
}

const attachPaymentMethod = (tx: Tx, id: string, customerId: string | null) =>
  tx.update(sandboxPaymentMethods).set({ customerId }).where(eq(sandboxPaymentMethods.id, id));

const SetupParams = z.strictObject({
  customer: z.string(),
  allowed_payment_method_types: z.strictObject({ "0": z.literal("card") }).optional(),
  usage: z.enum(["on_session", "off_session"]).default("off_session"),
});

export async function createSetupIntent(tx: Tx, params: Params) {
  const { customer: customerId } = parseParams(SetupParams, params);
  const [customer] = await tx.select().from(sandboxCustomers).where(existing(customerId)).for("share");
  if (!customer) throw notFound(400, "customer", customerId, "customer");
  const id = stripeId("seti");
  const [row] = await tx
    .insert(sandboxSetupIntents)
    .values({ id, clientSecret: clientSecretOf(id), customerId, metadata: {} })
    .returning();
  return setupIntentObject(row!);
}

export async function retrieveSetupIntent(id: string) {
  const [row] = await db.select().from(sandboxSetupIntents).where(eq(sandboxSetupIntents.id, id));
  if (!row) throw notFound(404, "setupintent", id, "intent");
  return setupIntentObject(row);
}

/** The customer whose card a client secret may save, or null. */
export async function findSetupCustomer(clientSecret: string): Promise<string | null> {
  const [setup] = await selectSetup(db, clientSecret);
  return setup?.customerId ?? null;
}

const selectSetup = (tx: Db, clientSecret: string) =>
  tx.select().from(sandboxSetupIntents).where(eq(sandboxSetupIntents.clientSecret, clientSecret));

const CARDS = {
  visa: { brand: "visa", last4: "4242" },
  mastercard: { brand: "mastercard", last4: "4444" },
  authentication: { brand: "visa", last4: "3155" },
};

/** The values of `SANDBOX_CARDS`; tsc compares the two where the shop calls `confirmSandboxSetup`. */
export type CardChoice = keyof typeof CARDS | "declined" | "approved" | "refused";

/**
 * Does what Stripe's script does in the browser: tries to save the chosen card, or answers the bank's authentication of
 * it. Returns null for an unknown client secret. A setup intent that is decided does not change. Throws outside the
 * sandbox.
 */
export async function confirmSandboxSetup(
  clientSecret: string,
  choice: CardChoice,
): Promise<SetupIntentRow | null> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Cards are saved here in the sandbox only.");
  return transaction(async (tx) => {
    const [setup] = await selectSetup(tx, clientSecret).for("update");
    return setup?.status.startsWith("requires_") ? tryCard(tx, setup, choice) : (setup ?? null);
  });
}

async function tryCard(tx: Tx, setup: SetupIntentRow, choice: CardChoice): Promise<SetupIntentRow> {
  const { id, customerId, paymentMethodId } = setup;
  switch (choice) {
    case "visa":
    case "mastercard": {
      const card = await insertCard(tx, { ...CARDS[choice], customerId });
      return changeSetup(tx, id, { status: "succeeded", paymentMethodId: card.id, lastError: null });
    }
    case "authentication": {
      const card = await insertCard(tx, { ...CARDS[choice], customerId: null }); // saved once it is approved
      return changeSetup(tx, id, { status: "requires_action", paymentMethodId: card.id, lastError: null });
    }
    case "approved":
      if (!paymentMethodId) return setup;
      await attachPaymentMethod(tx, paymentMethodId, customerId);
      return changeSetup(tx, id, { status: "succeeded", lastError: null });
    case "refused":
      return paymentMethodId ? failSetup(tx, id, authenticationFailed("setup_intent")) : setup;
    case "declined":
      return failSetup(tx, id, CARD_DECLINED);
  }
}

const failSetup = (tx: Tx, id: string, lastError: SetupIntentRow["lastError"]) =>
  changeSetup(tx, id, { status: "requires_payment_method", paymentMethodId: null, lastError });

async function changeSetup(tx: Tx, id: string, change: Partial<SetupIntentRow>): Promise<SetupIntentRow> {
  const [row] = await tx
    .update(sandboxSetupIntents)
    .set(change)
    .where(eq(sandboxSetupIntents.id, id))
    .returning();
  return row!;
}

type NewCard = Pick<PaymentMethodRow, "brand" | "last4" | "customerId"> & { id?: string };

async function insertCard(tx: Tx, { id = stripeId("pm"), ...card }: NewCard): Promise<PaymentMethodRow> {
  const [row] = await tx
    .insert(sandboxPaymentMethods)
    .values({ id, ...card, expMonth: 12, expYear: sql`extract(year from shop_now())::int + 3` })
    .returning();
  return row!;
}

/** What an intent can be paid with besides a saved card. */
const WALLETS = ["apple_pay", "google_pay", "link", "alipay", "wechat_pay"] as const;
export const findWallet = (name: string | undefined) => WALLETS.find((wallet) => wallet === name);

type PaymentMethod = Pick<
  IntentRow,
  "paymentMethod" | "paymentMethodType" | "cardFingerprint" | "cardCountry"
>;

/** A new card that names the country of its bank, such as `card_DE`. */
const CARD_OF_COUNTRY = /^card_([A-Z]{2})$/;

/**
 * What an intent is about to be paid with: `card`, `card_` and a country, a wallet, or the id of a saved card of the intent's customer.
 * Without a choice it is the card that awaits authentication, else a new card. Returns null for an unknown card or
 * another customer's.
 */
export async function choosePaymentMethod(
  tx: Tx,
  intent: IntentRow,
  choice: string | undefined,
): Promise<PaymentMethod | null> {
  const { paymentMethod, paymentMethodType, cardFingerprint, cardCountry, customerId } = intent;
  if (choice === undefined && intent.status === "requires_action")
    return { paymentMethod, paymentMethodType, cardFingerprint, cardCountry };
  const country = CARD_OF_COUNTRY.exec(choice ?? "")?.[1] ?? null;
  const type = choice === undefined || choice === "card" || country ? "card" : findWallet(choice);
  if (type)
    return {
      paymentMethod: stripeId("pm"),
      paymentMethodType: type,
      cardFingerprint: null,
      cardCountry: country,
    };
  const [card] = await selectCard(tx, choice ?? "").for("share");
  if (!card || !customerId || card.customerId !== customerId) return null;
  return {
    paymentMethod: card.id,
    paymentMethodType: "card",
    cardFingerprint: fingerprint(customerId, card),
    cardCountry: null,
  };
}

/** Saves the new card that has just paid, if the customer asked for it. */
export async function saveCardIfRequested(tx: Tx, intent: IntentRow): Promise<Partial<PaymentMethod>> {
  const paymentMethod = intent.paymentMethod ?? stripeId("pm");
  const { customerId, setupFutureUsage, paymentMethodType, cardFingerprint } = intent;
  if (!customerId || !setupFutureUsage || paymentMethodType !== "card" || cardFingerprint)
    return { paymentMethod };
  const card = await insertCard(tx, { ...CARDS.visa, customerId, id: paymentMethod });
  return { paymentMethod, cardFingerprint: fingerprint(customerId, card) };
}

/** The same for the same pretended card of one customer. It differs between customers, whose cards all end in 4242. */
const fingerprint = (customerId: string, { brand, last4 }: PaymentMethodRow) =>
  createHash("sha256").update(`${customerId} ${brand} ${last4}`).digest("base64url").slice(0, 16);
