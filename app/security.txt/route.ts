import { env } from "@/lib/platform/env";
import { securityText } from "@/lib/platform/http/security-text";
import { supportAddress } from "@/lib/platform/support-address";

export const dynamic = "force-dynamic";

/** Tells security researchers whom to write to. Requested as /.well-known/security.txt (next.config.ts). */
export function GET(): Response {
  const text = securityText({ origin: env().APP_URL, email: supportAddress(), now: new Date() });
  return new Response(text, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  });
}
