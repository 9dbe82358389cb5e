import { and, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { jwtVerify, SignJWT } from "jose";
import { client, type Db, db, shopNow } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { sessions } from "@/db/schema/accounts";
import { deriveKey } from "@/lib/platform/crypto/hmac";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { cookieValue, serverCookie } from "@/lib/platform/http/cookies";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { decodeToken, encodeToken } from "./next-auth/tokens";
import { createRefreshToken, nextRefreshToken, parseRefreshToken, refreshHash } from "./refresh-token";
import { SIGNED_OUT_COOKIE } from "./signed-out";

/** Session lifetimes (docs/product.md#41-session). */
export const ACCESS_SECONDS = 15 * 60;
export const SESSION_SECONDS = 30 * 86_400;
/** A rotated refresh token stays valid this long, for parallel tabs. */
const GRACE_SECONDS = 10;
const RENEW_AFTER_SECONDS = 86_400;
const RETENTION_DAYS = 90;
/** A session is staff this long after its second factor, and this long after its last use of the console. */
export const STAFF_HOURS = 12;
export const STAFF_IDLE_MINUTES = 30;
const STAFF_REAUTHENTICATION_MINUTES = 15;
/** How long after the password decisions can extend a reauthentication. */
const STAFF_REAUTHENTICATION_MOST_MINUTES = 120;
/** Uses of the console within this time are not written. */
const STAFF_USE_SECONDS = 30;

export type GuestViewer = { kind: "guest"; locale: Locale };
export type UserViewer = {
  kind: "user";
  userId: string;
  email: string;
  emailVerified: boolean;
  username: string;
  role: "user" | "staff";
  sessionId: string;
  locale: Locale;
  /** IANA name of the zone in which the device last wrote; null: unknown. */
  timeZone?: string | null;
  factor: FactorSession;
  /** Set for staff members. */
  staff?: StaffSession | null;
};
/** What the second factor has opened in this session: the staff console, or a merchant's sensitive changes. */
export type FactorSession = {
  /** The second factor was given. Before that, the session is one of an ordinary user. */
  active: boolean;
  /** Password and second factor were given in the last 15 minutes. */
  reauthenticated: boolean;
  /** The last use of the console is to be written (`extendStaffSession`). */
  due: boolean;
};
/** The rights of a staff member in this session (docs/product.md#13-staff-console). */
export type StaffSession = FactorSession & {
  /** roles of lib/staff/rules.ts */
  roles: readonly string[];
};
export type StaffViewer = UserViewer & { staff: StaffSession };
export type Viewer = GuestViewer | UserViewer;

/** How the tokens of programs begin that work for a merchant. */
export const API_TOKEN_PREFIX = "plm_";

/** The credentials of a request. `locale` is the requested language; default: the saved one. */
export type Credentials = { authorization?: string | null; cookie?: string | null; locale?: Locale };
/** `renewal` is a Set-Cookie line that extends a cookie session once a day. */
export type ResolvedSession = {
  viewer: Viewer;
  via: "bearer" | "cookie" | "token" | "none";
  renewal?: string;
  /** the token of a program that works for a merchant (./merchant-access.ts), not checked yet */
  token?: string;
};
export type StartedSession = { sessionId: string; cookie: string; token: string; refreshToken: string };

const isSecure = () => env().APP_URL.startsWith("https://");

/** next-auth's own cookie name, so that its provider callbacks share the session. */
export const sessionCookieName = () =>
  isSecure() ? "__Secure-next-auth.session-token" : "next-auth.session-token";

const cookieLine = (value: string, maxAge: number) =>
  serverCookie({ name: sessionCookieName(), value, path: "/", maxAge });

/** The Set-Cookie line that removes the session cookie. */
export const expiredSessionCookie = () => cookieLine("", 0);

async function sessionCookie(sessionId: string): Promise<string> {
  const token = { sid: sessionId };
  const value = await encodeToken({ token, secret: env().AUTH_SECRET, maxAge: SESSION_SECONDS });
  return cookieLine(value, SESSION_SECONDS);
}

function accessToken(sessionId: string, nowSeconds: number): Promise<string> {
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + ACCESS_SECONDS)
    .sign(deriveKey("access-token"));
}

/** Session id and expiry of an access token with a valid signature; the database's clock decides the expiry. */
async function readAccessToken(token: string): Promise<{ sid: string; exp: number } | null> {
  try {
    const options = { algorithms: ["HS256"], currentDate: new Date(0) };
    const { payload } = await jwtVerify(token, deriveKey("access-token"), options);
    return typeof payload.sid === "string" && typeof payload.exp === "number"
      ? { sid: payload.sid, exp: payload.exp }
      : null;
  } catch {
    return null;
  }
}

const readBearerToken = (authorization: string | null | undefined) =>
  /^Bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];

async function readCookie(header: string | null | undefined): Promise<string | null> {
  const value = header ? cookieValue(header, sessionCookieName()) : undefined;
  if (!value) return null;
  try {
    const payload = await decodeToken({ token: value, secret: env().AUTH_SECRET });
    if (typeof payload?.sid !== "string") return null;
    if (cookieValue(header, SIGNED_OUT_COOKIE) !== payload.sid) return payload.sid;
    // The browser signed out while the server was unreachable: ends the session now.
    await endSession(payload.sid);
    return null;
  } catch {
    return null;
  }
}

type SessionRow = Omit<UserViewer, "kind" | "sessionId" | "locale" | "factor" | "staff"> &
  FactorSession & { locale: string; stale: boolean; roles: string[] | null };

/** The live session and its user: one indexed statement per request, so that logout works immediately. */
async function findSession(sessionId: string, expiresAtSeconds: number): Promise<SessionRow | undefined> {
  const [row] = await client()<SessionRow[]>`
    select u.id as "userId", u.email, u.email_verified_at is not null as "emailVerified", u.username, u.role, u.locale, s.time_zone as "timeZone",
           case when u.role = 'staff' then (select m.roles from staff_members m where m.user_id = u.id and m.ended_at is null) end as roles,
           f.active,
           f.active and coalesce(s.staff_reauthenticated_at > shop_now() - make_interval(mins => ${STAFF_REAUTHENTICATION_MINUTES}), false) as reauthenticated,
           f.active and s.staff_seen_at < shop_now() - make_interval(secs => ${STAFF_USE_SECONDS}) as due,
           s.seen_at < shop_now() - make_interval(secs => ${RENEW_AFTER_SECONDS}) as stale
    from sessions s join users u on u.id = s.user_id, lateral (
      select coalesce(s.factor_at > shop_now() - make_interval(hours => ${STAFF_HOURS})
        and s.staff_seen_at > shop_now() - make_interval(mins => ${STAFF_IDLE_MINUTES}), false) as active) f
    where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > shop_now() and u.deleted_at is null
      and ${expiresAtSeconds} > extract(epoch from shop_now())`;
  return row;
}

function toViewer(row: SessionRow, sessionId: string, requestedLocale: Locale | undefined): UserViewer {
  const { stale: _, locale, roles, active, reauthenticated, due, ...user } = row;
  const factor = { active, reauthenticated, due };
  const staff = roles && { roles, ...factor };
  const savedLocale = isLocale(locale) ? locale : DEFAULT_LOCALE;
  return { kind: "user", ...user, factor, staff, sessionId, locale: requestedLocale ?? savedLocale };
}

/** Stores the zone of a device, which the account's emails use. */
export async function saveTimeZone(viewer: UserViewer, timeZone: string | null): Promise<void> {
  if (timeZone === null || timeZone === viewer.timeZone) return;
  await db.update(sessions).set({ timeZone }).where(eq(sessions.id, viewer.sessionId));
}

/** Notes the use of the console, from which the idle time counts. */
export async function extendStaffSession({ sessionId, factor }: UserViewer): Promise<void> {
  if (!factor.due) return;
  await db.update(sessions).set({ staffSeenAt: shopNow }).where(eq(sessions.id, sessionId));
}

/** Extends a reauthentication after a decision, until two hours after its password. */
export async function keepReauthentication({ sessionId }: UserViewer): Promise<void> {
  await db.execute(sql`
    update sessions set staff_reauthenticated_at = greatest(staff_reauthenticated_at, least(shop_now(),
      reauthenticated_at + make_interval(mins => ${STAFF_REAUTHENTICATION_MOST_MINUTES - STAFF_REAUTHENTICATION_MINUTES})))
    where id = ${sessionId} and staff_reauthenticated_at is not null`);
}

/** Extends a cookie session by 30 days, in the row and the cookie. */
async function renew(sessionId: string): Promise<string> {
  const expiresAt = sql`shop_now() + make_interval(secs => ${SESSION_SECONDS})`;
  await db.update(sessions).set({ seenAt: shopNow, expiresAt }).where(eq(sessions.id, sessionId));
  return sessionCookie(sessionId);
}

/**
 * Resolves the viewer: a bearer token first, then the cookie (docs/product.md#41-session). An expired cookie is a
 * guest; an expired or invalid bearer token throws `session_ended`.
 */
export async function resolveSession(credentials: Credentials): Promise<ResolvedSession> {
  const bearer = readBearerToken(credentials.authorization);
  if (bearer?.startsWith(API_TOKEN_PREFIX))
    return {
      viewer: { kind: "guest", locale: credentials.locale ?? DEFAULT_LOCALE },
      via: "token",
      token: bearer,
    };
  if (bearer) {
    const access = await readAccessToken(bearer);
    const row = access && (await findSession(access.sid, access.exp));
    if (!access || !row) throw new ShopError("session_ended");
    return { viewer: toViewer(row, access.sid, credentials.locale), via: "bearer" };
  }
  const sid = await readCookie(credentials.cookie);
  const row = sid ? await findSession(sid, Number.MAX_SAFE_INTEGER) : undefined;
  if (!sid || !row)
    return { viewer: { kind: "guest", locale: credentials.locale ?? DEFAULT_LOCALE }, via: "none" };
  const viewer = toViewer(row, sid, credentials.locale);
  return { viewer, via: "cookie", renewal: row.stale ? await renew(sid) : undefined };
}

/**
 * Whether the credentials are valid but for their account, which was deleted (`/auth/get-info`,
 * docs/product.md#41-session). A session that had ended before is none of it.
 */
export async function isAccountMissing({ authorization, cookie }: Credentials): Promise<boolean> {
  const bearer = readBearerToken(authorization);
  const access = bearer ? await readAccessToken(bearer) : null;
  const sid = bearer ? access?.sid : await readCookie(cookie);
  if (!sid) return false;
  const rows = await client()`
    select from sessions s join users u on u.id = s.user_id
    where s.id = ${sid} and u.deleted_at is not null and s.revoked_at >= u.deleted_at and s.expires_at > shop_now()
      and ${access?.exp ?? Number.MAX_SAFE_INTEGER} > extract(epoch from shop_now())`;
  return rows.length > 0;
}

/** Like `resolveSession`, returning the viewer only. */
export async function resolveViewer(credentials: Credentials): Promise<Viewer> {
  return (await resolveSession(credentials)).viewer;
}

/** The signed-in viewer, or `session_required` (401). */
export function requireUser(viewer: Viewer): UserViewer {
  if (viewer.kind !== "user") throw new ShopError("session_required");
  return viewer;
}

/**
 * Opens a session for one device: cookie line, 15-minute access token and refresh token. The reauthentication time of
 * the replaced session is kept; without one it is the current time.
 * @throws ShopError session_ended: the user is deleted, or has to set a new password first
 */
export async function startSession(
  user: { id: string },
  device: string,
  tx: Db = db,
  replacedSessionId?: string,
): Promise<StartedSession> {
  const sessionId = newId("ses");
  const refreshToken = createRefreshToken(sessionId);
  const [row] = await tx.execute<{ now: number }>(sql`
    insert into sessions (id, user_id, refresh_hash, device, expires_at, reauthenticated_at)
    select ${sessionId}, u.id, ${refreshHash(refreshToken)}, ${device.slice(0, 200)},
      shop_now() + make_interval(secs => ${SESSION_SECONDS}),
      coalesce((select reauthenticated_at from sessions where id = ${replacedSessionId ?? null}), shop_now())
    from users u where u.id = ${user.id} and u.deleted_at is null and u.new_password_required_at is null for share of u
    returning floor(extract(epoch from shop_now()))::float8 as now`);
  if (!row) throw new ShopError("session_ended");
  return createTokens(sessionId, row.now, refreshToken);
}

async function createTokens(sessionId: string, nowSeconds: number, refreshToken: string) {
  const token = await accessToken(sessionId, nowSeconds);
  return { sessionId, cookie: await sessionCookie(sessionId), token, refreshToken };
}

async function revoke(condition: SQL, tx: Db = db): Promise<void> {
  const isOpen = isNull(sessions.revokedAt);
  await tx.update(sessions).set({ revokedAt: shopNow }).where(and(condition, isOpen));
}

/** Ends one session; its tokens and cookie stop working immediately. */
export const endSession = (sessionId: string): Promise<void> => revoke(eq(sessions.id, sessionId));

/** Ends the session of a bearer token, also of an expired one. */
export async function endSessionByToken(authorization: string | null): Promise<void> {
  const token = readBearerToken(authorization);
  const access = token ? await readAccessToken(token) : null;
  if (access) await endSession(access.sid);
}

/** Ends all sessions of a user, in the transaction of the change that requires it. */
export const endSessionsOfUser = (tx: Db, userId: string): Promise<void> =>
  revoke(eq(sessions.userId, userId), tx);

/** Deletes sessions that ended or expired more than 90 days ago. */
export async function deleteExpiredSessions(): Promise<void> {
  const endedAt = sql`least(${sessions.revokedAt}, ${sessions.expiresAt})`;
  const isOld = lt(endedAt, sql`shop_now() - make_interval(days => ${RETENTION_DAYS})`);
  await deleteInBatches(sessions, isOld, endedAt);
}

/**
 * Exchanges a refresh token for new tokens. The same token within 10 s gets the same result (parallel tabs); a later
 * or older one was copied: the session ends. Throws `session_ended`.
 */
export async function rotateSession(refreshToken: string): Promise<StartedSession & { userId: string }> {
  const sessionId = parseRefreshToken(refreshToken);
  if (!sessionId) throw new ShopError("session_ended");
  const next = nextRefreshToken(refreshToken);
  const hash = refreshHash(refreshToken);
  type Row = { user_id: string; now: number };
  let [row] = await client()<Row[]>`
    update sessions set previous_refresh_hash = refresh_hash, refresh_hash = ${refreshHash(next)},
      rotated_at = shop_now(), seen_at = shop_now(),
      expires_at = shop_now() + make_interval(secs => ${SESSION_SECONDS})
    where id = ${sessionId} and refresh_hash = ${hash} and revoked_at is null and expires_at > shop_now()
    returning user_id, floor(extract(epoch from shop_now()))::float8 as now`;
  if (!row) {
    [row] = await client()<Row[]>`
      select user_id, floor(extract(epoch from shop_now()))::float8 as now from sessions
      where id = ${sessionId} and previous_refresh_hash = ${hash} and refresh_hash = ${refreshHash(next)}
        and rotated_at > shop_now() - make_interval(secs => ${GRACE_SECONDS})
        and revoked_at is null and expires_at > shop_now()`;
  }
  if (!row) {
    await endSession(sessionId);
    throw new ShopError("session_ended");
  }
  return { userId: row.user_id, ...(await createTokens(sessionId, row.now, next)) };
}
