import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { sandboxCustomers, sandboxMethods, sandboxSetups } from "@/db/schema/sandbox";
import { randomText } from "@/lib/platform/crypto/ids";
import { customerObject, methodObject, setupObject } from "./card-objects";
import { stripeId } from "./ids";
import { type Answer, badParams, CustomerParams, ListParams, missing, refusal, SetupParams } from "./params";

/** The calls about kept cards, each as Stripe answers it. Of setups no notice is told: the shop asks instead. */
const ok = (body: unknown): Answer => ({ status: 200, body });

export async function createCustomer(tx: Tx, params: Record<string, unknown>): Promise<Answer> {
  const wish = CustomerParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const [row] = await tx
    .insert(sandboxCustomers)
    .values({ id: stripeId("cus"), metadata: wish.data.metadata })
    .returning();
  if (!row) throw new Error("the sandbox kept no customer");
  return ok(customerObject(row));
}

const living = (id: string) => and(eq(sandboxCustomers.id, id), isNull(sandboxCustomers.deletedAt));

/** With the customer its cards are gone too. */
export async function deleteCustomer(tx: Tx, id: string): Promise<Answer> {
  const gone = await tx
    .update(sandboxCustomers)
    .set({ deletedAt: sql`shop_now()` })
    .where(living(id))
    .returning({ id: sandboxCustomers.id });
  if (gone.length === 0) return missing(404, "customer", id, "id");
  await tx.update(sandboxMethods).set({ customerId: null }).where(eq(sandboxMethods.customerId, id));
  return ok({ id, object: "customer", deleted: true });
}

export async function isCustomer(id: string): Promise<boolean> {
  const found = await db.select({ id: sandboxCustomers.id }).from(sandboxCustomers).where(living(id));
  return found.length > 0;
}

export async function listMethods(customerId: string, params: Record<string, unknown>): Promise<Answer> {
  const wish = ListParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  if (!(await isCustomer(customerId))) return missing(404, "customer", customerId, "customer");
  const rows = await db
    .select()
    .from(sandboxMethods)
    .where(eq(sandboxMethods.customerId, customerId))
    .orderBy(desc(sandboxMethods.createdAt), desc(sandboxMethods.id))
    .limit(wish.data.limit + 1);
  return ok({
    object: "list",
    data: rows.slice(0, wish.data.limit).map(methodObject),
    has_more: rows.length > wish.data.limit,
    url: `/v1/customers/${customerId}/payment_methods`,
  });
}

export async function findMethod(customerId: string, id: string): Promise<Answer> {
  if (!(await isCustomer(customerId))) return missing(404, "customer", customerId, "customer");
  const [row] = await db
    .select()
    .from(sandboxMethods)
    .where(and(eq(sandboxMethods.id, id), eq(sandboxMethods.customerId, customerId)));
  return row ? ok(methodObject(row)) : missing(404, "PaymentMethod", id, "payment_method");
}

export async function detachMethod(tx: Tx, id: string): Promise<Answer> {
  const [row] = await tx.select().from(sandboxMethods).where(eq(sandboxMethods.id, id)).for("update");
  if (!row) return missing(404, "PaymentMethod", id, "payment_method");
  if (row.customerId === null) {
    const message =
      "The payment method you provided is not attached to a customer so detachment is impossible.";
    return refusal(400, { message });
  }
  await tx.update(sandboxMethods).set({ customerId: null }).where(eq(sandboxMethods.id, id));
  return ok(methodObject({ ...row, customerId: null }));
}

export async function createSetup(tx: Tx, params: Record<string, unknown>): Promise<Answer> {
  const wish = SetupParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { customer: customerId } = wish.data;
  const [customer] = await tx.select().from(sandboxCustomers).where(living(customerId)).for("share");
  if (!customer) return missing(400, "customer", customerId, "customer");
  const id = stripeId("seti");
  const [row] = await tx
    .insert(sandboxSetups)
    .values({ id, clientSecret: `${id}_secret_${randomText(25)}`, customerId, metadata: {} })
    .returning();
  if (!row) throw new Error("the sandbox kept no setup");
  return ok(setupObject(row));
}

export async function findSetup(id: string): Promise<Answer> {
  const [row] = await db.select().from(sandboxSetups).where(eq(sandboxSetups.id, id));
  return row ? ok(setupObject(row)) : missing(404, "setupintent", id, "intent");
}
