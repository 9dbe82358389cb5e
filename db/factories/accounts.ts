import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { hashPassword } from "@/lib/platform/auth/password";
import { startSession, type UserViewer } from "@/lib/platform/auth/session";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";

export type CreatedUser = {
  id: string;
  email: string;
  username: string;
  password: string;
  inviteCode: string;
};
type UserInput = Partial<Omit<CreatedUser, "id">> & {
  verified?: boolean;
  role?: "user" | "staff";
  locale?: Locale;
};

const FACTORY_PASSWORD = "correct horse battery";
/** Computed once, because argon2 is slow. */
let factoryHash: Promise<string> | undefined;

/** A verified user with a unique address. */
export async function createUser(input: UserInput = {}): Promise<CreatedUser> {
  const tag = randomBytes(6).toString("hex");
  const user: CreatedUser = {
    id: newId("usr"),
    email: input.email ?? `shopper-${tag}@example.com`,
    username: input.username ?? `Shopper ${tag.slice(0, 4)}`,
    password: input.password ?? FACTORY_PASSWORD,
    inviteCode: input.inviteCode ?? randomText(10),
  };
  factoryHash ??= hashPassword(FACTORY_PASSWORD);
  await db.insert(users).values({
    id: user.id,
    email: user.email,
    username: user.username,
    passwordHash: await (user.password === FACTORY_PASSWORD ? factoryHash : hashPassword(user.password)),
    emailVerifiedAt: input.verified === false ? null : sql`shop_now()`,
    locale: input.locale ?? "en",
    role: input.role ?? "user",
    inviteCode: user.inviteCode,
  });
  return user;
}

export type SignedInUser = CreatedUser & {
  viewer: UserViewer;
  token: string;
  refreshToken: string;
  /** `Authorization` for API calls. */
  bearer: string;
  /** `name=value`, as a browser sends it. */
  cookie: string;
};

/** A user with a session, as API client and as browser. */
export async function createSignedInUser(input: UserInput = {}): Promise<SignedInUser> {
  const user = await createUser(input);
  const session = await startSession({ id: user.id }, "Test, Linux");
  const viewer: UserViewer = {
    kind: "user",
    userId: user.id,
    email: user.email,
    emailVerified: input.verified !== false,
    username: user.username,
    role: input.role ?? "user",
    sessionId: session.sessionId,
    locale: input.locale ?? "en",
  };
  const { token, refreshToken } = session;
  return {
    ...user,
    viewer,
    token,
    refreshToken,
    bearer: `Bearer ${token}`,
    cookie: session.cookie.split(";", 1)[0] ?? "",
  };
}
