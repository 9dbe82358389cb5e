import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";

/**
 * A page of the local mailbox as an array, newest first: `?to=ADDRESS` for one address, `page` from 1, `size` up to 100
 * (docs/reliability.md#mail-provider).
 */
export async function GET(request: Request): Promise<Response> {
  const { to, ...page } = Object.fromEntries(new URL(request.url).searchParams);
  const mails = await findMailboxMails(to, page);
  if (!mails) return new Response(null, { status: 404 });
  return Response.json(mails, { headers: { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" } });
}
