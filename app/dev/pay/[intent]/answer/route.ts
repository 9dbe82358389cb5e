import { z } from "zod";
import { readBody } from "@/lib/platform/api/input";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import { answerRedirect, REDIRECT_CHOICES } from "@/lib/platform/stripe/sandbox/redirects";

const Answer = z.object({ link: z.string().max(100), choice: z.enum(REDIRECT_CHOICES) });

/** The answer of the sandbox's payment page, back to the shop. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ intent: string }> },
): Promise<Response> {
  const body = Answer.safeParse(await readBody(request, DEFAULT_LOCALE).catch(() => ({})));
  const back =
    body.success && (await answerRedirect((await params).intent, body.data.link, body.data.choice));
  if (!back) return new Response(null, { status: 404 });
  return new Response(null, { status: 303, headers: { "Cache-Control": "no-store", Location: back } });
}
