import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { merchants } from "@/db/schema/catalog";
import { merchantMembers } from "@/db/schema/merchants";
import { newId } from "@/lib/platform/crypto/ids";
import { createDemoFactor } from "./create-demo-member";
import { DEMO_MERCHANT_NAMES, type DEMO_SELLERS } from "./rules-sellers";

/** Makes an account of the demo a member of its merchant, with an authenticator app whose secret `/dev/accounts.json` shows. */
export async function createDemoSeller({
  email,
  role,
  merchant: handle,
}: (typeof DEMO_SELLERS)[number]): Promise<void> {
  await transaction(async (tx) => {
    await tx
      .insert(merchants)
      .values({ id: newId("mch"), handle, name: DEMO_MERCHANT_NAMES[handle] ?? handle })
      .onConflictDoNothing();
    const [merchant] = await tx
      .select({ id: merchants.id })
      .from(merchants)
      .where(eq(merchants.handle, handle));
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
    if (!merchant || !user) throw new Error(`${email} cannot sell for ${handle}`);
    await tx
      .insert(merchantMembers)
      .values({ id: newId("mem"), merchantId: merchant.id, userId: user.id, role });
    await createDemoFactor(tx, user.id);
  });
}
