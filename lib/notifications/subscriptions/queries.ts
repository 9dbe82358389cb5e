import { z } from "zod";
import { LINK_SCOPES, type LinkScope } from "@/lib/notifications/rules";
import { verifySignedToken } from "@/lib/platform/auth/signed-link";

const UnsubscribePayload = z.object({ email: z.string(), topic: z.enum(LINK_SCOPES) });

/** The address and kinds of an unsubscribe link; null for an invalid one. */
export function findUnsubscribeLink(token: string): { email: string; topic: LinkScope } | null {
  return UnsubscribePayload.safeParse(verifySignedToken("unsubscribe", token)).data ?? null;
}
