import { cookies } from "next/headers";
import { cache } from "react";
import type { Locale } from "@/lib/platform/i18n/locales";
import { resolveViewer, type Viewer } from "./session";

/** The viewer of a personal page, resolved from the cookie once per render. */
export const pageViewer = cache(async (locale?: Locale): Promise<Viewer> => {
  return resolveViewer({ cookie: (await cookies()).toString(), locale });
});
