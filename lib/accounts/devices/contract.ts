import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";

/** One device that is signed in. The id names the session and opens nothing. */
export const SessionView = z.object({
  session_id: z.string(),
  /** As lib/platform/auth/device-name says it: "Firefox, Windows". */
  device: z.string(),
  created_at: Instant,
  seen_at: Instant,
  /** The session that asks. */
  current: z.boolean(),
});
export type SessionView = z.output<typeof SessionView>;

/** GET /auth/sessions: this one first, then the last seen first. */
export const SessionList = z.object({ items: z.array(SessionView), total: z.int() });
export type SessionList = z.output<typeof SessionList>;

/** POST /auth/sessions/revoke: exactly one of the three. `all` ends this session too. */
export const RevokeSessionsInput = z
  .object({
    session_id: z.string().min(1).max(64).optional(),
    all_others: z.literal(true).optional(),
    all: z.literal(true).optional(),
  })
  .refine((input) => Object.values(input).filter((value) => value !== undefined).length === 1, {
    error: "field_required",
    path: ["session_id"],
  });
export type RevokeSessionsInput = z.output<typeof RevokeSessionsInput>;
/** `signed_out`: the session that asked is over too, and the cookie is gone. */
export const SessionsRevoked = z.object({ revoked: z.int(), signed_out: z.boolean() });
export type SessionsRevoked = z.output<typeof SessionsRevoked>;
