import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";

/** One signed-in device. The id names the session and grants nothing. */
export const SessionView = z.object({
  session_id: z.string(),
  /** Device name as lib/platform/auth/device-name.ts returns it: "Firefox, Windows". */
  device: z.string(),
  created_at: Instant,
  seen_at: Instant,
  /** The session of this request. */
  current: z.boolean(),
});
export type SessionView = z.output<typeof SessionView>;

/** GET /auth/sessions: the current session first, then by last use. */
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
/** `signed_out`: the current session ended too, and its cookie is removed. */
export const SessionsRevoked = z.object({ revoked: z.int(), signed_out: z.boolean() });
export type SessionsRevoked = z.output<typeof SessionsRevoked>;
