import { and, eq, isNull, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { sessions, users } from "@/db/schema/accounts";
import { passwordTriesFamily } from "@/lib/accounts/locks/sign-in-locks";
import type { ReauthenticateInput, ReauthenticationView } from "@/lib/accounts/profile/contract";
import { LOGIN_WINDOW_SECONDS, REAUTHENTICATION_MINUTES } from "@/lib/accounts/rules";
import { checkCode, consumeCode } from "@/lib/accounts/verification/check-code";
import { verifyPassword } from "@/lib/platform/auth/password";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { type Counter, clearRateLimit, takeRateLimit } from "@/lib/platform/rate-limit";

const attemptCounter = (userId: string): Counter => ({
  ...passwordTriesFamily(userId),
  who: "",
  seconds: LOGIN_WINDOW_SECONDS,
});

/**
 * Reauthenticates this session with the password, or with a code of the kind `order_email` that was mailed to the
 * account's own address and also verifies it. A wrong password is a 400, because a 401 signs clients out
 * (docs/product.md#41-session).
 * @throws ShopError password_wrong, too_many_tries (passwords), code_wrong, code_expired, code_used_up, session_ended
 */
export async function reauthenticate(
  viewer: UserViewer,
  input: ReauthenticateInput,
): Promise<ReauthenticationView> {
  if (input.password === undefined) await checkMailedCode(viewer, input);
  else await checkPassword(viewer, input.password);
  return { proved: true, expires_in: REAUTHENTICATION_MINUTES * 60 };
}

async function checkPassword(viewer: UserViewer, password: string): Promise<void> {
  await takeRateLimit([attemptCounter(viewer.userId)], { failClosed: true, error: "too_many_tries" });
  const [user] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, viewer.userId), isNull(users.deletedAt)));
  if (!(await verifyPassword(user?.passwordHash, password))) throw new ShopError("password_wrong");
  await transaction((tx) => markReauthenticated(tx, viewer));
  await clearRateLimit(attemptCounter(viewer.userId));
}

async function checkMailedCode(viewer: UserViewer, input: ReauthenticateInput): Promise<void> {
  const { userId } = viewer;
  const email = viewer.email.toLowerCase();
  const { verification_code: code = "", verification_id: id } = input;
  const codeId = await checkCode({ email, purpose: "order_email", code, id: id || undefined, userId });
  await transaction(async (tx) => {
    await consumeCode(tx, codeId);
    await tx
      .update(users)
      .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, shop_now())` })
      .where(and(eq(users.id, userId), eq(sql`lower(${users.email})`, email)));
    await markReauthenticated(tx, viewer);
  });
}

async function markReauthenticated(tx: Tx, { sessionId }: UserViewer): Promise<void> {
  const renewed = await tx
    .update(sessions)
    .set({ reauthenticatedAt: shopNow })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  if (renewed.length === 0) throw new ShopError("session_ended");
}
