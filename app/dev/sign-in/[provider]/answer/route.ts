import { answerSandboxSignIn } from "@/lib/accounts/social-sign-in/sandbox-sign-in";
import { readBody } from "@/lib/platform/api/input";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";

type Props = { params: Promise<{ provider: string }> };

const escapeScript = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** The answer of the sandbox's page: back to GitHub's callback, or Google's token to the page that opened the window. */
export async function POST(request: Request, { params }: Props): Promise<Response> {
  const form = await readBody(request, DEFAULT_LOCALE).catch(() => ({}));
  const answer = await answerSandboxSignIn((await params).provider, form);
  if (!answer) return new Response(null, { status: 404 });
  const noStore = { "Cache-Control": "no-store" };
  if ("redirect" in answer)
    return new Response(null, { status: 303, headers: { ...noStore, Location: answer.redirect } });
  const { credential, locale, closeLabel } = answer;
  // Of the policy that the middleware gives to the tools of a demo.
  const nonce = /'nonce-([\w+/=]+)'/.exec(request.headers.get("content-security-policy") ?? "")?.[1];
  const send = credential
    ? `if (opener) opener.postMessage({ sandboxCredential: ${escapeScript(credential)} }, location.origin);`
    : "";
  return new Response(
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>Sandbox</title><p>${closeLabel}</p><script nonce="${nonce}">${send}close();</script></html>`,
    { headers: { ...noStore, "Content-Type": "text/html; charset=utf-8" } },
  );
}
