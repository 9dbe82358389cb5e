import { cookies } from "next/headers";
import { cache } from "react";
import type { Locale } from "./i18n";
import { resolveViewer, sessionCookieName, type Viewer } from "./session";

/** Who looks at this page: for pages behind the login only, since it reads a cookie. Once per render. */
export const pageViewer = cache(async (locale?: Locale): Promise<Viewer> => {
  const name = sessionCookieName();
  const value = (await cookies()).get(name)?.value;
  return resolveViewer({ cookie: value ? `${name}=${value}` : null, locale });
});
