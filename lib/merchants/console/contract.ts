import { z } from "zod";
import { APPLICATION_NOTE_MAX, APPLICATION_STATES, MERCHANT_NAME_MAX } from "@/lib/merchants/rules";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, Days, EmailPrefix, listOf, NewestFirst } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

/** GET /admin/applications: newest first; with `email` by address, then newest first. */
export const ConsoleApplicationsInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  /** the beginning of the applicant's address */
  email: EmailPrefix.optional(),
  state: z.enum(APPLICATION_STATES).optional(),
  ...Days,
});
export type ConsoleApplicationsInput = z.output<typeof ConsoleApplicationsInput>;

export const ConsoleApplication = z.object({
  application_id: z.string(),
  email: z.string(),
  product_url: z.string(),
  phone_num: z.string(),
  locale: z.string(),
  state: z.enum(APPLICATION_STATES),
  created_at: Instant,
  decided_at: Instant.nullable(),
  /** an address, or `staff:` and an operating system user */
  decided_by: z.string().nullable(),
  /** the note for the applicant */
  note: z.string().nullable(),
  version: Version,
});
export type ConsoleApplication = z.output<typeof ConsoleApplication>;
export const ConsoleApplicationList = listOf(ConsoleApplication);
export type ConsoleApplicationList = z.output<typeof ConsoleApplicationList>;

/** An application with what its page shows besides. */
export type ConsoleApplicationDetail = ConsoleApplication & {
  came_from: string | null;
  /** the account with the applicant's address; null: none */
  customer_id: string | null;
  /** of an approved application */
  merchant: { id: string; name: string } | null;
};

export const ApplicationParams = z.object({ id: z.string().trim().min(1).max(64) });
const Note = z.string().trim().min(1).max(APPLICATION_NOTE_MAX);
/**
 * POST /admin/applications/{id}/approve: the note is mailed to the applicant. The merchant is a new one with this handle and
 * name, by default after the product page, or the one of `merchant_id`, which has no members.
 */
export const ApproveApplicationInput = SeenVersion.extend({
  note: Note.optional(),
  handle: z.string().trim().toLowerCase().max(60).optional().meta({ example: "acme-tools" }),
  name: z.string().trim().min(1).max(MERCHANT_NAME_MAX).optional(),
  merchant_id: z.string().trim().min(1).max(64).optional(),
});
export type ApproveApplicationInput = z.output<typeof ApproveApplicationInput>;
/** POST /admin/applications/{id}/refuse: the note is the reason, which is mailed to the applicant. */
export const RefuseApplicationInput = SeenVersion.extend({
  note: Note.meta({ example: "We do not list games." }),
});
export const ApplicationDecided = z.object({
  application_id: z.string(),
  state: z.enum(["approved", "refused"]),
  /** of an approval */
  merchant_id: z.string().nullable(),
});
export type ApplicationDecided = z.output<typeof ApplicationDecided>;
