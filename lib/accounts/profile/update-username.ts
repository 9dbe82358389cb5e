import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { UserViewer } from "@/lib/platform/auth/session";
import { invalidateReviewPages } from "@/lib/reviews/invalidate-review-pages";
import type { UpdateUsernameInput } from "./contract";

/** Renames the viewer (username/update, docs/product.md#72-accounts). @throws ShopError username_invalid */
export async function updateUsername(viewer: UserViewer, input: UpdateUsernameInput) {
  await transaction(async (tx) => {
    await tx.update(users).set({ username: input.new_username }).where(eq(users.id, viewer.userId));
    await invalidateReviewPages(tx, viewer.userId);
  });
  return { username: input.new_username };
}
