import { parseCookie, type SetCookie, stringifySetCookie } from "cookie";
import { env } from "@/lib/platform/env";

/** The value of one cookie in a Cookie header. */
export const cookieValue = (header: string | null | undefined, name: string): string | undefined =>
  parseCookie(header ?? "")[name];

/** A Set-Cookie line with HttpOnly and SameSite=Lax, and with Secure if the public address is https. */
export const serverCookie = (cookie: Pick<SetCookie, "name" | "value" | "path" | "maxAge">): string =>
  stringifySetCookie({
    ...cookie,
    httpOnly: true,
    sameSite: "lax",
    secure: env().APP_URL.startsWith("https://"),
  });
