import { eq, sql } from "drizzle-orm";
import { Secret } from "otpauth";
import { shopNow, type Tx, transaction } from "@/db/client";
import { secondFactors, staffMembers } from "@/db/schema/staff";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { DEMO_GRANTER } from "@/lib/staff/demo/rules";
import { grantRolesByOperator } from "@/lib/staff/members/change-members-by-operator";

/** Makes an account of the demo staff, with an authenticator app whose secret `/dev/accounts.json` shows. */
export async function createDemoMember({ email, role }: { email: string; role: StaffRole }): Promise<void> {
  const { userId } = await grantRolesByOperator(email, [role], DEMO_GRANTER);
  await transaction(async (tx) => {
    // They decide about each other's requests from the first day.
    await tx
      .update(staffMembers)
      .set({ createdAt: sql`shop_now() - interval '30 days'` })
      .where(eq(staffMembers.userId, userId));
    await createDemoFactor(tx, userId);
  });
}

/** Sets up an authenticator app for an account of the demo. */
export async function createDemoFactor(tx: Tx, userId: string): Promise<void> {
  const id = newId("fct");
  const secret = new Secret({ size: 20 }).base32;
  await tx.insert(secondFactors).values({ id, userId, ...seal(id, secret), confirmedAt: shopNow });
}
