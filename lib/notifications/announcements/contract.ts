import { z } from "zod";
import { Instant, inEveryLanguage } from "@/lib/platform/api/fields";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import { ANNOUNCEMENT_LINK, ANNOUNCEMENT_STATES, MAX_ANNOUNCEMENT } from "./rules";

const Text = z.string().trim().min(1).max(MAX_ANNOUNCEMENT);
const Texts = inEveryLanguage(Text);

/** POST /admin/announcements */
export const AnnouncementInput = z.object({
  texts: Texts,
  link: z.string().trim().max(300).regex(ANNOUNCEMENT_LINK).optional(),
  /** absent: now */
  starts_at: Instant.optional(),
  ends_at: Instant,
});
export type AnnouncementInput = z.output<typeof AnnouncementInput>;
/** POST /admin/announcements/{id} */
export const ChangeAnnouncementInput = SeenVersion.extend(AnnouncementInput.shape);
export type ChangeAnnouncementInput = z.output<typeof ChangeAnnouncementInput>;

export const AnnouncementParams = z.object({ id: z.string().min(1).max(64) });

export const ConsoleAnnouncement = z.object({
  announcement_id: z.string(),
  texts: inEveryLanguage(z.string()),
  link: z.string().nullable(),
  starts_at: Instant,
  ends_at: Instant,
  state: z.enum(ANNOUNCEMENT_STATES),
  /** of texts, link and period: a change names it */
  version: Version,
});
export type ConsoleAnnouncement = z.output<typeof ConsoleAnnouncement>;

/** GET /admin/announcements: the newest 100 by their beginning */
export const AnnouncementList = z.object({ items: z.array(ConsoleAnnouncement), total: z.int() });
export type AnnouncementList = z.output<typeof AnnouncementList>;

/** What public pages show; the end in milliseconds since the epoch. */
export type Announcement = { id: string; text: string; link: string | null; endsAt: number };

/** The published texts of an announcement. */
export const textsOfAnnouncement = ({ texts, link }: AnnouncementInput) => [...Object.values(texts), link];
