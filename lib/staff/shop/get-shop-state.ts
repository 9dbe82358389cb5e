import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { findShopClosure } from "@/lib/platform/shop-closure";
import type { ShopState } from "@/lib/staff/shop/contract";

/** Whether the shop is open, and else since when, why and by whom it is closed. */
export async function getShopState(): Promise<ShopState> {
  const closure = await findShopClosure();
  if (!closure) return { open: true, closure: null };
  const { reason, by, since } = closure;
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, by));
  return { open: false, closure: { reason, by: user?.email ?? by, since: since.toISOString() } };
}
