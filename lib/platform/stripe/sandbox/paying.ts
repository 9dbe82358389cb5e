import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { sandboxMethods } from "@/db/schema/sandbox";
import type { MethodRow } from "./card-objects";
import { stripeId } from "./ids";
import type { IntentRow } from "./objects";
import { hidden, withHidden } from "./private";

/** What an intent of the sandbox can be paid with beside the id of a stored card. */
export const SANDBOX_WALLETS = ["apple_pay", "google_pay", "link"] as const;

type Paying = Pick<IntentRow, "paymentMethod" | "metadata">;

/**
 * What an intent is about to be paid with: `card`, a wallet, or the id of a card that the intent's customer keeps.
 * Null when that is nobody's card, or another's. Without a word: what the bank was asked about, else a card.
 */
export async function payingWith(tx: Tx, row: IntentRow, word: string | undefined): Promise<Paying | null> {
  if (word === undefined && row.status === "requires_action")
    return { paymentMethod: row.paymentMethod, metadata: row.metadata };
  const plain = word === undefined || word === "card" || SANDBOX_WALLETS.some((wallet) => wallet === word);
  if (plain) {
    const metadata = withHidden(row.metadata, { with: word ?? "card", fingerprint: null });
    return { paymentMethod: stripeId("pm"), metadata };
  }
  const customer = hidden(row.metadata, "customer");
  const [card] = await tx.select().from(sandboxMethods).where(eq(sandboxMethods.id, word)).for("share");
  if (!card || !customer || card.customerId !== customer) return null;
  const metadata = withHidden(row.metadata, { with: "card", fingerprint: fingerprintOf(customer, card) });
  return { paymentMethod: card.id, metadata };
}

/** Keeps the card that has just paid, where the customer wished it; a card that is kept already stays as it is. */
export async function kept(tx: Tx, row: IntentRow): Promise<Paying> {
  const paying = { paymentMethod: row.paymentMethod ?? stripeId("pm"), metadata: row.metadata };
  const customer = hidden(row.metadata, "customer");
  const wanted = hidden(row.metadata, "keep") && hidden(row.metadata, "with") === "card";
  if (!customer || !wanted || hidden(row.metadata, "fingerprint")) return paying;
  const [card] = await tx
    .insert(sandboxMethods)
    .values({
      id: paying.paymentMethod,
      customerId: customer,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: sql`extract(year from shop_now())::int + 3`,
    })
    .returning();
  if (!card) throw new Error("the sandbox kept no card");
  return { ...paying, metadata: withHidden(row.metadata, { fingerprint: fingerprintOf(customer, card) }) };
}

/**
 * The same for the same pretended card of the same customer. Of different customers it differs, although everybody's
 * card ends in 4242: they are not all one person.
 */
const fingerprintOf = (customer: string, { brand, last4 }: MethodRow) =>
  createHash("sha256").update(`${customer} ${brand} ${last4}`).digest("base64url").slice(0, 16);
