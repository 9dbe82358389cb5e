import type { Cookies } from "cookie";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { errorSummary } from "@/lib/platform/serialize-error";

/** A request to next-auth: `["callback", "github"]` is its path below /api/auth. */
export type NextAuthRequest = {
  method: "GET" | "POST";
  path: string[];
  query?: Record<string, string>;
  body?: Record<string, string>;
  cookies: Cookies;
};
/** `cookies` are Set-Cookie lines. */
export type NextAuthResponse = { cookies: string[]; body?: unknown };

/** next-auth's messages contain tokens and addresses: only the code and kind of failure are logged. */
const logger: NextAuthOptions["logger"] = {
  error(code, metadata) {
    const cause = metadata instanceof Error ? metadata : (metadata as { error?: unknown }).error;
    log.warn({ code, reason: errorSummary(cause ?? metadata) }, "next-auth: sign-in failed");
  },
  warn: (code) => log.warn({ code }, "next-auth: warning"),
  debug: () => {},
};

/** Calls next-auth by its documented handler for the pages router. */
export async function callNextAuth(
  request: NextAuthRequest,
  options: Omit<NextAuthOptions, "secret" | "logger">,
): Promise<NextAuthResponse> {
  env(); // sets next-auth's public address
  const result: NextAuthResponse = { cookies: [] };
  const response = {
    status: () => response,
    getHeader: (name: string) => (name.toLowerCase() === "set-cookie" ? result.cookies : undefined),
    setHeader(name: string, value: string | string[]) {
      if (name.toLowerCase() === "set-cookie") result.cookies = [value].flat();
      return response;
    },
    end: () => response,
    send(body: unknown) {
      result.body = body;
      return response;
    },
    json: (body: unknown) => response.send(body),
  };
  const { method, path, query, body = {}, cookies } = request;
  const plainRequest = { method, query: { ...query, nextauth: path }, body, cookies, headers: {} };
  await NextAuth(plainRequest as never, response as never, { ...options, secret: env().AUTH_SECRET, logger });
  return result;
}
