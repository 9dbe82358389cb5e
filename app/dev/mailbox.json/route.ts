import { findMailboxMails } from "@/lib/notifications/queries";

/** The local mailbox as an array, newest first: `?to=ADDRESS` for one address (docs/reliability.md#mail-provider). */
export async function GET(request: Request): Promise<Response> {
  const to = new URL(request.url).searchParams.get("to")?.trim();
  const mails = await findMailboxMails(to || undefined);
  if (!mails) return new Response(null, { status: 404 });
  return Response.json(mails, { headers: { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" } });
}
