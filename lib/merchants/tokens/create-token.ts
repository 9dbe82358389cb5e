import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { apiTokens } from "@/db/schema/merchants";
import { TOKEN_SCOPES, TOKENS_MAX } from "@/lib/merchants/rules";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import type { TokenCreated, TokenInput } from "@/lib/merchants/tokens/contract";
import { audit } from "@/lib/platform/audit";
import { formatToken, hashTokenSecret, type MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import { normalizeNetwork } from "@/lib/platform/http/ip";
import type { Locale } from "@/lib/platform/i18n/locales";

const SECRET_LENGTH = 32;

/** @throws ShopError network_invalid: with an issue for each line that is neither an address nor a network */
function parseNetworks(networks: readonly string[], locale: Locale): string[] {
  const parsed = networks.map((text) => normalizeNetwork(text));
  const issues = parsed.flatMap((network, i) =>
    network === null ? [{ path: `networks.${i}`, message: errorMessage("network_invalid", locale) }] : [],
  );
  if (issues.length > 0) throw new ShopError("network_invalid", { issues });
  return [...new Set(parsed.filter((network) => network !== null))];
}

/**
 * Makes a token for a program of the viewer's merchant. Its secret is in the answer only; the database keeps a keyed hash.
 * @throws ShopError network_invalid, tokens_full
 */
export async function createToken(
  { merchant, actor, locale }: MerchantViewer,
  { name, scopes, networks, days }: TokenInput,
): Promise<TokenCreated> {
  const allowed = parseNetworks(networks, locale);
  const [id, secret] = [newId("tok"), randomText(SECRET_LENGTH)];
  const granted = TOKEN_SCOPES.filter((scope) => scopes.includes(scope));
  return transaction(async (tx) => {
    await lockMerchant(tx, merchant.id);
    const live = await tx.$count(
      apiTokens,
      and(
        eq(apiTokens.merchantId, merchant.id),
        isNull(apiTokens.revokedAt),
        sql`coalesce(${apiTokens.expiresAt} > shop_now(), true)`,
      ),
    );
    if (live >= TOKENS_MAX) throw new ShopError("tokens_full", { params: { limit: TOKENS_MAX } });
    const [token] = await tx
      .insert(apiTokens)
      .values({
        id,
        merchantId: merchant.id,
        name,
        secretHash: hashTokenSecret(id, secret),
        scopes: granted,
        networks: allowed,
        createdBy: actor,
        expiresAt: days === null ? null : sql`shop_now() + make_interval(days => ${days})`,
      })
      .returning({ expiresAt: apiTokens.expiresAt });
    const detail = { token_id: id, name, scopes: granted, networks: allowed, days };
    await audit({ actor, action: "merchant.token_created", subject: merchant.id, detail }, tx);
    return {
      token_id: id,
      token: formatToken(id, secret),
      expires_at: token!.expiresAt?.toISOString() ?? null,
    };
  });
}
