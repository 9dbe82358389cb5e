import { findDemoAccounts } from "@/lib/staff/demo/queries";

/** The staff accounts of the demo, with passwords and the secrets of their authenticator apps. 404 outside of the demo mode. */
export async function GET(): Promise<Response> {
  const accounts = await findDemoAccounts();
  if (!accounts) return new Response(null, { status: 404 });
  return Response.json(accounts, { headers: { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" } });
}
