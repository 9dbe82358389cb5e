import { z } from "zod";
import { MERCHANT_NAME_MAX, MERCHANT_STATES, MERCHANT_TEXT_MAX } from "@/lib/merchants/rules";
import { ContentLanguage, EmailAddress, inEveryLanguage } from "@/lib/platform/api/fields";
import { Day } from "@/lib/platform/console/list";

const Text = z.string().trim().max(MERCHANT_TEXT_MAX).default("");

/** GET /merchant/profile */
export const MerchantProfile = z.object({
  handle: z.string(),
  state: z.enum(MERCHANT_STATES),
  /** what staff said when they suspended or closed it */
  state_note: z.string().nullable(),
  /** approved by staff; pages and emails have no other */
  name: z.string(),
  /** the name that it asks for, which waits for staff; null: none */
  proposed_name: z.string().nullable(),
  /** why staff refused the last one */
  name_note: z.string().nullable(),
  website: z.string().nullable(),
  support_email: z.string().nullable(),
  country: z.string().nullable(),
  locale: ContentLanguage,
  /** a paragraph for its page in the shop, by language */
  texts: inEveryLanguage(z.string()),
  /** the last day on which no one answers */
  closed_until: z.string().nullable(),
  /** changes with each change of the profile */
  revision: z.string(),
});
export type MerchantProfile = z.output<typeof MerchantProfile>;

/** POST /merchant/profile: the whole profile. */
export const ProfileInput = z.object({
  /** a name other than the approved one is requested and waits for staff; the approved one withdraws the request */
  name: z.string().trim().min(1).max(MERCHANT_NAME_MAX),
  website: z.string().trim().max(300).nullable().default(null),
  support_email: EmailAddress.nullable().default(null),
  country: z.string().trim().toUpperCase().max(2).nullable().default(null).meta({ example: "JP" }),
  locale: ContentLanguage,
  texts: inEveryLanguage(Text),
  closed_until: Day.nullable().default(null),
  /** as it was read */
  revision: z.string().min(1).max(64),
});
export type ProfileInput = z.output<typeof ProfileInput>;

/** POST /merchant/pause, POST /merchant/resume */
export const OwnState = z.object({ state: z.enum(MERCHANT_STATES) });
