import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { users, verifiedEmails } from "@/db/schema/accounts";
import type { VerifyEmailInput } from "@/lib/accounts/contract";
import { requireUser, type Viewer } from "@/lib/platform/auth/session";
import { checkCode, consumeCode } from "./check-code";

/** Verifies an address of the viewer with an `order_email` code (docs/product.md#72-accounts): keys may be sent there. */
export async function verifyEmail(viewer: Viewer, { email, code }: VerifyEmailInput) {
  const { userId } = requireUser(viewer);
  const codeId = await checkCode({ email, purpose: "order_email", code, userId });
  await transaction(async (tx) => {
    await consumeCode(tx, codeId);
    await tx.insert(verifiedEmails).values({ userId, email }).onConflictDoNothing();
    await markEmailVerified(tx, userId, email);
  });
  return { email, is_verified: true as const };
}

/** Marks an account's own address as verified, if it is this one. */
export async function markEmailVerified(tx: Tx, userId: string, email: string): Promise<void> {
  await tx
    .update(users)
    .set({ emailVerifiedAt: shopNow })
    .where(
      and(
        eq(users.id, userId),
        eq(sql`lower(${users.email})`, email.toLowerCase()),
        isNull(users.emailVerifiedAt),
      ),
    );
}
