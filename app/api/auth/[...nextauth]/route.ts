import { finishGithubLogin, type GithubLoginResult } from "@/lib/accounts/social-sign-in/commands-github";
import { autoAddToCart } from "@/lib/cart/commands";
import { clientIp, requestLocale } from "@/lib/platform/api/guard";
import { deviceName } from "@/lib/platform/auth/device-name";
import { resolveViewer } from "@/lib/platform/auth/session";
import { isShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import { log } from "@/lib/platform/log";

/**
 * Where GitHub leads back to. Everything else of next-auth's own pages and calls is closed: the shop has one door for
 * each (docs/decisions/0013-join-social-accounts-on-verified-addresses.md).
 */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { headers, url } = request;
  if ((await params).nextauth.join("/") !== "callback/github") return new Response(null, { status: 404 });
  const { requested, stored } = requestLocale(headers, null);
  const locale = stored ?? requested ?? DEFAULT_LOCALE;
  try {
    const cookie = headers.get("cookie");
    const viewer = await resolveViewer({ cookie, locale });
    const query = Object.fromEntries(new URL(url).searchParams);
    const device = deviceName(headers.get("user-agent"));
    return leadOn(
      await withCart(await finishGithubLogin(viewer, { query, cookie, device, ip: clientIp(headers) })),
    );
  } catch (error) {
    if (!isShopError(error)) log.error({ err: error }, "the way back from GitHub failed");
    return leadOn({ location: "/login?error=failed", cookies: [] });
  }
}

/** What was to go into the cart goes there now; when it cannot, its page says why. */
async function withCart(end: GithubLoginResult): Promise<Pick<GithubLoginResult, "location" | "cookies">> {
  if (!end.add) return end;
  const viewer = await resolveViewer({ cookie: end.cookies.map((line) => line.split(";", 1)[0]).join("; ") });
  if (viewer.kind !== "user") return end;
  const added = await autoAddToCart(viewer, end.add).catch((error: unknown) => {
    if (!isShopError(error)) log.error({ err: error }, "not added to the cart after a sign-in");
    return null;
  });
  return added ? end : { ...end, location: end.productPath ?? end.location };
}

function leadOn({ location, cookies }: Pick<GithubLoginResult, "location" | "cookies">): Response {
  const headers = new Headers({ location, "cache-control": "private, no-store" });
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(null, { status: 302, headers });
}
