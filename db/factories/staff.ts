import { sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { secondFactors, staffMembers } from "@/db/schema/staff";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";

export type StaffInput = {
  roles?: StaffRole[];
  /** false: no authenticator app is set up. */
  enrolled?: boolean;
  /** false: the session is one of an ordinary user. */
  entered?: boolean;
  email?: string;
  /** Hours for which the person has had the roles; within 72 hours no one decides about approvals. */
  hours?: number;
};

/** A staff member in staff mode, reauthenticated, with an authenticator app; `code()` is its present code. */
export async function createStaff(input: StaffInput = {}) {
  const { roles = ["admin"], enrolled = true, entered = true, email, hours = 100 } = input;
  const user = await createSignedInUser({ role: "staff", ...(email && { email }) });
  await db.insert(staffMembers).values({
    id: newId("stm"),
    userId: user.id,
    roles,
    grantedBy: "staff:test",
    createdAt: sql`shop_now() - make_interval(hours => ${hours})`,
  });
  const secret = new Secret({ size: 20 }).base32;
  const id = newId("fct");
  if (enrolled)
    await db
      .insert(secondFactors)
      .values({ id, userId: user.id, ...seal(id, secret), confirmedAt: sql`shop_now()` });
  if (entered)
    await db.execute(sql`
      update sessions set factor_at = shop_now(), staff_seen_at = shop_now(), staff_reauthenticated_at = shop_now()
      where id = ${user.viewer.sessionId}`);
  const factor = { active: entered, reauthenticated: entered, due: false };
  const viewer: StaffViewer = { ...user.viewer, role: "staff", factor, staff: { roles, ...factor } };
  return { ...user, viewer, secret, code: (stepsAhead = 0) => currentCode(secret, stepsAhead) };
}

/**
 * Ends the memberships of all staff, so long ago that they no longer keep anyone from deciding alone; what they decided
 * is forgotten.
 */
export const endAllMemberships = () =>
  db.execute(sql`
    with forgotten as (delete from approvals where decided_at is not null)
    update staff_members set ended_at = shop_now() - interval '73 hours',
      created_at = least(created_at, shop_now() - interval '73 hours') where coalesce(ended_at, shop_now()) > shop_now() - interval '73 hours'`);

export type StaffUser = Awaited<ReturnType<typeof createStaff>>;

/** The code of a secret at the shop's time, or some steps of 30 seconds later. */
export async function currentCode(secret: string, stepsAhead = 0): Promise<string> {
  const [row] = await db.execute<{ ms: string }>(
    sql`select floor(extract(epoch from shop_now()) * 1000)::text as ms`,
  );
  const timestamp = Number(row!.ms) + stepsAhead * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}
