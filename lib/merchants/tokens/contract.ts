import { z } from "zod";
import { TOKEN_NETWORKS_MAX, TOKEN_SCOPES } from "@/lib/merchants/rules";
import { Instant } from "@/lib/platform/api/fields";

const Scopes = z.array(z.enum(TOKEN_SCOPES));
const Token = {
  token_id: z.string(),
  name: z.string(),
  scopes: Scopes,
  /** addresses and networks from which it works; none: from everywhere */
  networks: z.array(z.string()),
  created_at: Instant,
  /** an address; null: a deleted account */
  created_by: z.string().nullable(),
  expires_at: Instant.nullable(),
  last_used_at: Instant.nullable(),
  revoked_at: Instant.nullable(),
  /** neither revoked nor expired */
  valid: z.boolean(),
};

/** GET /merchant/tokens: the newest first; revoked ones stay listed for 90 days. */
export const TokenList = z.object({ items: z.array(z.object(Token)) });
export type TokenList = z.output<typeof TokenList>;

/** POST /merchant/tokens */
export const TokenInput = z.object({
  name: z.string().trim().min(1).max(60).meta({ example: "Stock robot" }),
  scopes: Scopes.min(1).max(TOKEN_SCOPES.length),
  networks: z
    .array(z.string().trim().min(1).max(64))
    .max(TOKEN_NETWORKS_MAX)
    .default([])
    .meta({ example: ["203.0.113.0/24"] }),
  /** null: it does not expire */
  days: z.int().min(1).max(3650).nullable().default(null),
});
export type TokenInput = z.output<typeof TokenInput>;
export const TokenCreated = z.object({
  token_id: z.string(),
  /** shown in this answer only */
  token: z.string(),
  expires_at: Instant.nullable(),
});
export type TokenCreated = z.output<typeof TokenCreated>;

export const TokenParams = z.object({ id: z.string().trim().min(1).max(64) });
export const TokenRevoked = z.object({ token_id: z.string(), revoked: z.literal(true) });
