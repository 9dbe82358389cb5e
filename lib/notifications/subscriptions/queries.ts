import { z } from "zod";
import { LINK_SCOPES, type LinkScope } from "@/lib/notifications/rules";
import { verifySignedToken } from "@/lib/platform/auth/signed-link";

const UnsubscribeFacts = z.object({ email: z.string(), topic: z.enum(LINK_SCOPES) });

/** Whose mail the unsubscribe link of a mail ends, and which; null for a link that is not ours. */
export function findUnsubscribeLink(token: string): { email: string; topic: LinkScope } | null {
  return UnsubscribeFacts.safeParse(verifySignedToken("unsubscribe", token)).data ?? null;
}
