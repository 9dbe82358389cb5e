import { and, eq, isNull } from "drizzle-orm";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { requireUser, type UserViewer, type Viewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { AccountView, ProfileView } from "./contract";

/** The viewer's own account. @throws ShopError session_required, account_missing ("404", docs/product.md#92-messages) */
export async function getAccount(viewer: Viewer): Promise<AccountView> {
  return accountView(await findUser(requireUser(viewer)));
}

/** The viewer's account for the profile page. @throws ShopError account_missing */
export async function getProfile(viewer: UserViewer): Promise<ProfileView> {
  const row = await findUser(viewer);
  return {
    ...accountView(row),
    member_since: row.createdAt.toISOString(),
    session_id: viewer.sessionId,
  };
}

async function findUser({ userId }: UserViewer): Promise<typeof users.$inferSelect> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  if (!row) throw new ShopError("account_missing");
  return row;
}

export const accountFields = (row: typeof users.$inferSelect) => ({
  user_id: row.id,
  user_email: row.email,
  username: row.username,
  phone: row.phone,
  country_code: row.countryCode,
});

const accountView = (row: typeof users.$inferSelect): AccountView => ({
  ...accountFields(row),
  email_verified: row.emailVerifiedAt !== null,
  role: row.role,
  locale: row.locale,
  invite_code: row.inviteCode,
});

/** The username for the welcome email; null when the account is deleted. */
export async function findUsername(userId: string): Promise<string | null> {
  const [row] = await db
    .select({ username: users.username })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  return row?.username ?? null;
}
