import { cookies } from "next/headers";
import { cache } from "react";
import type { Locale } from "@/lib/platform/i18n/locales";
import { resolveViewer, type Viewer } from "./session";

/** Who looks at this page: for pages behind the login only, since it reads a cookie. Once per render. */
export const pageViewer = cache(async (locale?: Locale): Promise<Viewer> => {
  return resolveViewer({ cookie: (await cookies()).toString(), locale });
});
