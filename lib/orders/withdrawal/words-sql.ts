import { sql } from "drizzle-orm";
import type { Locale } from "@/lib/platform/i18n/locales";
import { DECLARATION_VERSION } from "./rules-declaration";

/** SQL: the words of one declaration, now, as `DeclaredWords[]`. */
export const wordsSql = ({
  name,
  passes,
  locale,
}: {
  name: string | null;
  passes: string | null | undefined;
  locale: Locale;
}) => sql`jsonb_build_array(jsonb_build_object(
  'at', to_char(shop_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'name', ${name}::text,
  'passes', ${passes || null}::text, 'language', ${locale}::text, 'version', ${DECLARATION_VERSION}::text))`;
