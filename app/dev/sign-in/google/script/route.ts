import { sandboxGoogleScript } from "@/lib/accounts/social-sign-in/sandbox-sign-in";

/** The sandbox's script in place of Google's. 404 outside of the sandbox, and where Google is configured. */
export function GET(): Response {
  const script = sandboxGoogleScript();
  if (!script) return new Response(null, { status: 404 });
  return new Response(script, {
    headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-store" },
  });
}

export const dynamic = "force-dynamic";
