import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { Role } from "./rules";

/** Sets the role of a live account. Returns whether there is one. */
export async function setRole(tx: Tx, userId: string, role: Role): Promise<boolean> {
  const changed = await tx
    .update(users)
    .set({ role })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .returning({ id: users.id });
  return changed.length > 0;
}
