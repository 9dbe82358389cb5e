import { z } from "zod";
import { byLocale, LOCALES } from "@/lib/platform/i18n/locales";
import { EMAIL, normalizeEmail, pastedEmail } from "@/lib/platform/mail/address";
import { isWholeCents } from "@/lib/platform/money";

/** Fields shared by the API's inputs and results (docs/product.md#71-conventions). Browser-safe. */

/** The session identifies the user; these fields are accepted when absent or equal (`endpoint()` checks). */
export const ActorFields = {
  user_id: z.string().max(64).optional(),
  update_user_id: z.string().max(64).optional(),
  create_user_id: z.string().max(64).optional(),
};

/** Decimal US dollars, e.g. 4.99, as results show them. Inputs that become cents are `UsdInput`. */
export const Usd = z
  .number()
  .min(0)
  .max(1_000_000)
  .meta({ description: "US dollars, decimal", example: 4.99 });

/** An amount of an input in whole cents: `multipleOf` alone, which documents it, also accepts 5e-324. */
export const UsdInput = Usd.multipleOf(0.01).refine(isWholeCents);

/** US dollars in queries and forms, which carry text. */
export const UsdParam = z.coerce.number<number>().min(0).max(1_000_000);

/** The same in whole cents. */
export const UsdInputParam = UsdParam.multipleOf(0.01).refine(isWholeCents);

/** Postgres has no year 0000: before the year 1 comes 1 BC. */
const hasYear = (time: string) => !time.startsWith("0000");

/** A day, ISO 8601. */
export const CalendarDay = z.iso.date().refine(hasYear);

/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso
  .datetime({ offset: true })
  .refine(hasYear)
  .meta({ example: "2026-11-20T09:30:00.000Z" });

/** Longest text of an address field, which is folded before it is checked. */
const MAX_EMAIL_TEXT = 320;

/** An address that email is sent to, as `normalizeEmail` writes it. */
export const EmailAddress = z
  .string()
  .max(MAX_EMAIL_TEXT)
  .overwrite(normalizeEmail)
  .pipe(z.email({ error: "email_invalid", pattern: EMAIL }));

/** An address that is only looked up, as typed or copied; also one of an earlier rule, which cannot receive email. */
export const KnownEmail = z
  .string()
  .max(MAX_EMAIL_TEXT)
  .overwrite(pastedEmail)
  .pipe(z.email({ error: "email_invalid", pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/ }));

/** An integer in queries and forms, which carry text. */
export const IntParam = z.coerce.number<number>().int();

export const Page = IntParam.min(1).max(1000).default(1);
export const PageSize = IntParam.min(1).max(100).default(10);

/** A language of content. Content that lacks it is returned in English with a note. */
export const ContentLanguage = z.enum(LOCALES);

/** A value in every language of the shop. */
export const inEveryLanguage = <S extends z.ZodType>(value: S) => z.object(byLocale(() => value));
