import { parsePath } from "../routing/paths";
import { findRoute, isPagePath } from "../routing/routes";

export type HeaderContext = {
  /** Random per request; used on sign-in and login-required pages only. */
  nonce: string;
  /** Payments go to Stripe itself, so its origins are allowed where one pays. */
  stripe: boolean;
  /** The address of Google's sign-in script, when it is offered: its origin is allowed where one signs in. */
  google?: string;
  /** Development needs eval and a socket. */
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
/** Google's own list for its sign-in: the script, the frame and the style of its button, and what these ask. */
const googleAt = (script: string) => {
  const folder = ` ${new URL(".", script)}`;
  return { script: ` ${script}`, frame: folder, connect: folder, style: `${folder}style`, image: "" };
};
const NONE = { script: "", frame: "", connect: "", style: "", image: "" };

/** On every answer, also of calls and files. */
export const BASE_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
} as const;

/** Calls answer data, never a document. */
const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The reference page of the API shows a document of ours with files of ours; its viewer writes styles. */
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

/** The headers of one answer, by the address as asked for (docs/reliability.md#security, docs/decisions/0003-use-nonces-or-hashes-for-scripts.md). */
export function securityHeaders(pathname: string, context: HeaderContext): Record<string, string> {
  if (pathname.startsWith("/_next/")) return BASE_HEADERS;
  const headers: Record<string, string> = { ...BASE_HEADERS };
  if (context.https) headers["Strict-Transport-Security"] = "max-age=31536000";
  if (pathname === "/api/v1/docs") return { ...headers, "Content-Security-Policy": DOCS_POLICY };
  if (pathname.startsWith("/api/")) return { ...headers, "Content-Security-Policy": CALL_POLICY };
  const { path, surface } = parsePath(pathname);
  const route = isPagePath(pathname) ? findRoute(path) : undefined;
  const personal = route !== undefined && route.access !== "public";
  const stripe = context.stripe && route?.access === "login" && route.document === true;
  const google = route?.access === "guest-only" ? context.google : undefined;
  headers["Content-Security-Policy"] = contentPolicy({
    nonce: personal ? context.nonce : null,
    stripe,
    google,
    dev: context.dev,
    tool: pathname.startsWith("/dev/"),
  });
  headers["Permissions-Policy"] = permissions(stripe);
  if (!isPagePath(pathname)) return headers;
  headers["Cache-Control"] = personal ? "private, no-store" : "public, max-age=0, must-revalidate";
  if (surface === "desktop") headers.Vary = "User-Agent";
  return headers;
}

/** Does this address get a policy with a nonce? Next then reads it from the request's own policy header. */
export function needsNonce(pathname: string): boolean {
  const route = isPagePath(pathname) ? findRoute(parsePath(pathname).path) : undefined;
  return route !== undefined && route.access !== "public";
}

type PolicyOptions = {
  nonce: string | null;
  stripe: boolean;
  google?: string;
  dev: boolean;
  tool?: boolean;
};

/**
 * With a nonce no inline script runs but Next's own. Without one (public pages, whose bytes are to be shared by all
 * visitors) Next's inline scripts need 'unsafe-inline'; everything else is as strict.
 */
export function contentPolicy({ nonce, stripe, google, dev, tool = false }: PolicyOptions): string {
  const also = stripe ? STRIPE : google ? googleAt(google) : NONE;
  const inline = nonce === null ? "'unsafe-inline'" : `'nonce-${nonce}' 'strict-dynamic'`;
  const frames = also.frame.trim() || "'none'";
  return [
    "default-src 'self'",
    `script-src 'self' ${inline}${dev ? " 'unsafe-eval'" : ""}${also.script}`,
    "script-src-attr 'none'",
    `style-src 'self' 'unsafe-inline'${also.style}`,
    `img-src 'self' data: blob:${also.image}`,
    "font-src 'self' data:",
    `connect-src 'self'${dev ? " ws: wss:" : ""}${also.connect}`,
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
