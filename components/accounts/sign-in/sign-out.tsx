"use client";

import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import { api } from "@/lib/platform/api/client";
import { SIGNED_OUT_COOKIE } from "@/lib/platform/auth/signed-out";
import { writeCookie } from "@/lib/platform/http/browser-cookie";
import { localizedPath } from "@/lib/platform/routing/paths";

const LOGOUT_TIMEOUT_MS = 5000;
const SIGNED_OUT_COOKIE_SECONDS = 30 * 86_400; // The maximum lifetime of a session cookie.

/**
 * Ends the session. When the logout call fails, a cookie marks the session as ended, because scripts cannot delete the
 * HttpOnly session cookie (docs/product.md#41-session: logout always clears).
 */
export function SignOut({ sessionId, label }: { sessionId: string; label: string }) {
  const page = useSurface();
  const { pending, run } = useCalls("");

  async function signOut() {
    const result = await api.post("/auth/logout", {}, { signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS) });
    if (!result.ok) writeCookie(`${SIGNED_OUT_COOKIE}=${sessionId}`, SIGNED_OUT_COOKIE_SECONDS);
    location.replace(localizedPath("/", page));
    return "leaving";
  }

  return (
    <Button pending={pending !== undefined} onClick={() => void run("logout", signOut)}>
      {label}
    </Button>
  );
}
