import { client } from "@/db/client";
import type { MerchantAccess } from "@/lib/platform/api/declaration";
import { constantTimeEqual, hmac } from "@/lib/platform/crypto/hmac";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { isInNetworks } from "@/lib/platform/http/ip";
import type { Locale } from "@/lib/platform/i18n/locales";
import { ipCounter, type LimitUse, takeRateLimit } from "@/lib/platform/rate-limit";
import { API_TOKEN_PREFIX, extendStaffSession, type ResolvedSession, type UserViewer } from "./session";

/** The header in which a session names the merchant it acts for. Without it the person's only merchant is meant. */
export const MERCHANT_HEADER = "Passlane-Merchant";

/** A merchant as its calls know it; `state` and `trust` of lib/merchants/rules.ts. */
export type ActingMerchant = { id: string; handle: string; name: string; state: string; trust: string };

/** Who makes a call for a merchant: a member in a session, or a program with a token. */
export type MerchantViewer = {
  kind: "merchant";
  merchant: ActingMerchant;
  /** in audit entries: a user's id, or `token:` and a token's id */
  actor: string;
  /** null: a token */
  role: "owner" | "member" | null;
  /** null: a token */
  user: UserViewer | null;
  locale: Locale;
};

/** What a token may do in a minute; a program learns the rest from the RateLimit headers (docs/product.md#14-merchants). */
const TOKEN_LIMITS = { read: 600, write: 120 } as const;
const TOKEN_SECONDS = 60;
/** Wrong tokens from an address in a minute. */
const WRONG_TOKENS = 60;
/** Uses of a token within this time are not written. */
const TOKEN_USE_SECONDS = 60;

/** States of a merchant in which it changes things. In the others it reads, and serves paid orders. */
const OPEN_STATES = ["active", "paused"];

type MerchantRequest = { headers: Headers; ip: string; write: boolean };

/** The token with this id and secret: `plm_live_<id>_<secret>`, `plm_test_…` outside of live mode. */
export const formatToken = (id: string, secret: string): string =>
  `${API_TOKEN_PREFIX}${env().PAYMENT_MODE === "live" ? "live" : "test"}_${id.replace(/^tok_/, "")}_${secret}`;

export const hashTokenSecret = (id: string, secret: string): string => hmac("api-token", `${id}:${secret}`);

/**
 * The token of an invitation's link. It is derived, so that a repeated email has the same link, although only its hash is
 * stored (docs/decisions/0033-derive-a-gift-link-and-store-its-hash.md).
 */
export const inviteToken = (inviteId: string): string => hmac("merchant-invite", `token:${inviteId}`);

export const inviteTokenHash = (token: string): string => hmac("merchant-invite", `hash:${token}`);

/**
 * Returns the caller of a merchant call after checking its access. For everyone else the call does not exist.
 * @throws ShopError session_required, token_invalid, call_unknown, merchant_missing (a member of several merchants
 * names none), permission_missing, second_factor_required, reauthentication_required, merchant_suspended,
 * too_many_requests
 */
export async function requireMerchant(
  access: MerchantAccess,
  session: ResolvedSession,
  request: MerchantRequest,
): Promise<{ viewer: MerchantViewer; use: LimitUse | null }> {
  const named = request.headers.get(MERCHANT_HEADER);
  const caller = session.token
    ? await requireToken(session.token, access, named, request)
    : await requireMember(session, access, named);
  const { merchant, user } = caller.viewer;
  if (request.write && !access.whileSuspended && !OPEN_STATES.includes(merchant.state))
    throw new ShopError("merchant_suspended");
  if (user) await extendStaffSession(user);
  return caller;
}

async function requireMember(
  { viewer: user }: ResolvedSession,
  access: MerchantAccess,
  named: string | null,
) {
  if (user.kind !== "user") throw new ShopError("session_required");
  const memberships = await findMemberships(user.userId);
  const isOpen = !named && memberships.length > 1 && !access.anyOf;
  const membership = named ? memberships.find(({ handle }) => handle === named) : memberships[0];
  if (isOpen) throw new ShopError("merchant_missing");
  if (!membership) throw new ShopError("call_unknown");
  const { role, ...merchant } = membership;
  if (!access.roles.includes(role)) throw new ShopError("permission_missing");
  if (access.reauthenticated) requireReauthenticated(user);
  const { userId: actor, locale } = user;
  const viewer: MerchantViewer = { kind: "merchant", merchant, actor, role, user, locale };
  return { viewer, use: null };
}

/**
 * A person has given password and second factor in the last 15 minutes. A token has no such step.
 * @throws ShopError second_factor_required, reauthentication_required
 */
export function requireReauthenticated(user: MerchantViewer["user"]): void {
  if (user && !user.factor.active) throw new ShopError("second_factor_required");
  if (user && !user.factor.reauthenticated) throw new ShopError("reauthentication_required");
}

export type Membership = ActingMerchant & { role: "owner" | "member" };

/** The merchants for which a person sells, oldest membership first. */
export async function findMemberships(userId: string): Promise<Membership[]> {
  return client()<Membership[]>`
    select m.id, m.handle, m.name, m.state, m.trust, mm.role
    from merchant_members mm join merchants m on m.id = mm.merchant_id
    where mm.user_id = ${userId} and mm.ended_at is null order by mm.created_at, mm.id`;
}

type TokenRow = ActingMerchant & {
  secretHash: string;
  scopes: string[];
  networks: string[];
  valid: boolean;
  due: boolean;
};

async function requireToken(
  token: string,
  access: MerchantAccess,
  named: string | null,
  { ip, write }: MerchantRequest,
) {
  const [, randomId = "", secret = ""] = /^plm_(?:live|test)_([a-z0-9]+)_([a-z0-9]+)$/.exec(token) ?? [];
  const id = `tok_${randomId}`;
  const [row] = await client()<TokenRow[]>`
    select m.id, m.handle, m.name, m.state, m.trust, t.secret_hash as "secretHash", t.scopes, t.networks,
      t.revoked_at is null and coalesce(t.expires_at > shop_now(), true) as valid,
      coalesce(t.last_used_at < shop_now() - make_interval(secs => ${TOKEN_USE_SECONDS}), true) as due
    from api_tokens t join merchants m on m.id = t.merchant_id where t.id = ${id}`;
  const isRight =
    row?.valid &&
    // A token of the test shop does not work in the live one, and neither does its secret under another prefix.
    token === formatToken(id, secret) &&
    constantTimeEqual(row.secretHash, hashTokenSecret(id, secret)) &&
    (row.networks.length === 0 || isInNetworks(ip, row.networks));
  if (!isRight) {
    await takeRateLimit([ipCounter("token:wrong", ip, WRONG_TOKENS, TOKEN_SECONDS)], { failClosed: true });
    throw new ShopError("token_invalid");
  }
  const { secretHash: _, scopes, networks: _networks, valid: _valid, due, ...merchant } = row;
  const kind = write ? "write" : "read";
  const counter = { name: `token:${kind}`, who: id, limit: TOKEN_LIMITS[kind], seconds: TOKEN_SECONDS };
  const use = await takeRateLimit([counter]);
  if (named && named !== merchant.handle) throw new ShopError("call_unknown");
  if (access.scope === null || !scopes.includes(access.scope)) throw new ShopError("permission_missing");
  if (due) await client()`update api_tokens set last_used_at = shop_now() where id = ${id}`;
  const actor = `token:${id}`;
  const viewer: MerchantViewer = { kind: "merchant", merchant, actor, role: null, user: null, locale: "en" };
  return { viewer, use };
}
