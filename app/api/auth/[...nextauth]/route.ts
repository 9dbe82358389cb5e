import { finishGithubLogin, type GithubLoginResult } from "@/lib/accounts/social-sign-in/log-in-with-github";
import { autoAddToCart } from "@/lib/cart/add-to-cart";
import { clientIp, requestLocale } from "@/lib/platform/api/guard";
import { deviceName } from "@/lib/platform/auth/device-name";
import { resolveViewer } from "@/lib/platform/auth/session";
import { isShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import { log } from "@/lib/platform/log";

type Redirect = Pick<GithubLoginResult, "location" | "cookies">;

/** GitHub's callback. Other paths answer 404 (docs/decisions/0013-join-social-accounts-on-verified-addresses.md). */
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
    return redirectWithCookies(
      await addPendingItem(await finishGithubLogin(viewer, { query, cookie, device, ip: clientIp(headers) })),
    );
  } catch (error) {
    if (!isShopError(error)) log.error({ err: error }, "GitHub sign-in callback failed");
    return redirectWithCookies({ location: "/login?error=failed", cookies: [] });
  }
}

/** Adds the pending cart item after the sign-in. On failure it redirects to the product, which shows the reason. */
async function addPendingItem(result: GithubLoginResult): Promise<Redirect> {
  if (!result.add) return result;
  const viewer = await resolveViewer({
    cookie: result.cookies.map((line) => line.split(";", 1)[0]).join("; "),
  });
  if (viewer.kind !== "user") return result;
  const added = await autoAddToCart(viewer, result.add).catch((error: unknown) => {
    if (!isShopError(error)) log.error({ err: error }, "cart item not added after sign-in");
    return null;
  });
  return added ? result : { ...result, location: result.productPath ?? result.location };
}

function redirectWithCookies({ location, cookies }: Redirect): Response {
  const headers = new Headers({ location, "cache-control": "private, no-store" });
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(null, { status: 302, headers });
}
