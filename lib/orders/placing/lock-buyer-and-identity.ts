import { statements, type Tx } from "@/db/client";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";

/** The buyer: the account, the hash of its email identity, and whether its address is verified. */
export type Buyer = { userId: string; emailIdentity: string; emailVerified: boolean };

export const toBuyer = (user: { userId: string; email: string; emailVerified: boolean }): Buyer => ({
  userId: user.userId,
  emailIdentity: emailIdentityHash(user.email),
  emailVerified: user.emailVerified,
});

/**
 * Locks the buyer's row, and all accounts of the buyer's email identity against each other, before anything is counted:
 * orders of these accounts run one after the other. Verified accounts do not wait for unverified ones.
 */
export async function lockBuyerAndIdentity(tx: Tx, buyer: Buyer): Promise<void> {
  const identity = `${buyer.emailVerified} ${buyer.emailIdentity}`;
  await statements(tx)`
    select pg_advisory_xact_lock(${ADVISORY_LOCKS.ordersOfIdentity}::int, hashtext(${identity})) from users
    where id = ${buyer.userId} for no key update`;
}
