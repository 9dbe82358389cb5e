import { findDemoAccounts } from "@/lib/staff/demo/find-demo-accounts";
import { findDemoSellers } from "@/lib/staff/demo/find-demo-sellers";

/**
 * The accounts of staff and of two merchants of the demo, with passwords and the secrets of their authenticator apps. 404
 * outside of the demo mode.
 */
export async function GET(): Promise<Response> {
  const [staff, sellers] = [await findDemoAccounts(), await findDemoSellers()];
  if (!staff || !sellers) return new Response(null, { status: 404 });
  return Response.json([...staff, ...sellers], {
    headers: { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" },
  });
}
