import { type Env, env } from "@/lib/platform/env";
import { securityHeaders } from "./security-headers";

/**
 * The security headers of a response, for the requested path. `nonce` is set for pages that are rendered per request.
 */
export function responseHeaders(pathname: string, nonce?: string): Record<string, string> {
  return securityHeaders(pathname, { nonce, dev: env().DEV, ...settings(env()) });
}

/** What the configuration says about headers: the third parties that pages may connect to, and https. */
const settings = ({ PAYMENT_MODE, APP_URL, GOOGLE_CLIENT_ID, GOOGLE_SCRIPT_URL }: Env) => ({
  stripe: PAYMENT_MODE !== "sandbox",
  google: GOOGLE_CLIENT_ID ? GOOGLE_SCRIPT_URL : undefined,
  https: APP_URL.startsWith("https:"),
});
