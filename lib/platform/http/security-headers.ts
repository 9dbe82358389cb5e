import { createHash } from "node:crypto";
import { HEAD_SCRIPT } from "../pages/head-script";
import { parsePath } from "../routing/paths";
import { allowsSignInScripts, findRoute, isPagePath } from "../routing/routes";

export type HeaderContext = {
  /** Random per request, for pages that are rendered for each request. Without one, no inline script runs. */
  nonce?: string;
  /** Payments go to Stripe itself: its origins are allowed on payment pages. */
  stripe: boolean;
  /** The address of Google's sign-in script, if configured: it is allowed on pages where guests sign in, in place too. */
  google?: string;
  /** Development needs eval and a web socket. */
  dev: boolean;
  /** The public address is https. */
  https: boolean;
};

const STRIPE = {
  script: " https://js.stripe.com https://*.js.stripe.com",
  frame: " https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
  connect: " https://api.stripe.com https://*.stripe.com",
  style: "",
  image: " https://*.stripe.com",
};
/** What Google documents for its sign-in: the script, and the frame, style and connections of its button. */
const googleSources = (script: string) => {
  const folder = ` ${new URL(".", script)}`;
  return { script: ` ${script}`, frame: folder, connect: folder, style: `${folder}style`, image: "" };
};
const NONE = { script: "", frame: "", connect: "", style: "", image: "" };

/** Headers of every response, including API calls and files. */
export const BASE_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
} as const;

/** API calls return data, never a document. */
const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The API reference page loads only files of this server. Its viewer writes inline styles. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The security headers of a response, for the requested path (docs/reliability.md#security,
 * docs/decisions/0003-use-nonces-or-hashes-for-scripts.md).
 */
export function securityHeaders(pathname: string, context: HeaderContext): Record<string, string> {
  if (pathname.startsWith("/_next/")) return BASE_HEADERS;
  const headers: Record<string, string> = { ...BASE_HEADERS };
  if (context.https) headers["Strict-Transport-Security"] = "max-age=31536000";
  if (pathname === "/api/v1/docs") return { ...headers, "Content-Security-Policy": DOCS_POLICY };
  if (pathname.startsWith("/api/")) return { ...headers, "Content-Security-Policy": CALL_POLICY };
  const { path, surface } = parsePath(pathname);
  const route = isPagePath(pathname) ? findRoute(path) : undefined;
  const stripe = context.stripe && route?.access === "login" && route.document === true;
  const google = isPagePath(pathname) && allowsSignInScripts(path) ? context.google : undefined;
  headers["Content-Security-Policy"] = contentPolicy({
    nonce: context.nonce,
    stripe,
    google,
    dev: context.dev,
    tool: pathname.startsWith("/dev/"),
  });
  headers["Permissions-Policy"] = permissions(stripe);
  if (!isPagePath(pathname)) return headers;
  headers["Cache-Control"] = "private, no-store";
  if (route?.secret) headers["Referrer-Policy"] = "no-referrer";
  if (surface === "desktop") headers.Vary = "User-Agent";
  return headers;
}

/** Whether a page is rendered for each request, and so needs a nonce for Next's inline scripts. */
export function isRenderedPerRequest(pathname: string, search: string): boolean {
  if (pathname.startsWith("/dev/")) return true;
  if (!isPagePath(pathname)) return false;
  const { path } = parsePath(pathname);
  const route = findRoute(path);
  if (path === "/blog") return new URLSearchParams(search).has("q");
  return route !== undefined && route.cached !== true;
}

type PolicyOptions = Omit<HeaderContext, "https"> & { tool?: boolean };

/** The script in the head of every page has no nonce. */
const HEAD_HASH = `'sha256-${createHash("sha256").update(HEAD_SCRIPT).digest("base64")}'`;

/**
 * With a nonce, only Next's own inline scripts and the script in the head run. Without one no inline script runs; a
 * cached page gets its own hashes (lib/platform/page-cache/content-policy.ts).
 */
export function contentPolicy({ nonce, stripe, google, dev, tool = false }: PolicyOptions): string {
  const sources = stripe ? STRIPE : google ? googleSources(google) : NONE;
  const inline = nonce ? ` 'nonce-${nonce}' ${HEAD_HASH} 'strict-dynamic'` : dev ? " 'unsafe-inline'" : "";
  const frames = sources.frame.trim() || "'none'";
  return [
    "default-src 'self'",
    `script-src 'self'${inline}${dev ? " 'unsafe-eval'" : ""}${sources.script}`,
    "script-src-attr 'none'",
    `style-src 'self' 'unsafe-inline'${sources.style}`,
    `img-src 'self' data: blob:${sources.image}`,
    "font-src 'self' data:",
    `connect-src 'self'${dev ? " ws: wss:" : ""}${sources.connect}`,
    `frame-src ${tool ? "'self'" : frames}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${tool ? "'self'" : "'none'"}`,
  ].join("; ");
}

function permissions(stripe: boolean): string {
  const payment = stripe ? '(self "https://js.stripe.com")' : "()";
  return `camera=(), microphone=(), geolocation=(), usb=(), payment=${payment}`;
}
