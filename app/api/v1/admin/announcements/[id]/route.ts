import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { changeAnnouncement } from "@/lib/notifications/announcements/change-announcements";
import {
  type AnnouncementInput,
  AnnouncementParams,
  ChangeAnnouncementInput,
  ConsoleAnnouncement,
  textsOfAnnouncement,
} from "@/lib/notifications/announcements/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Change an announcement that is not over",
    access: staff("announcements.manage"),
    params: AnnouncementParams,
    body: ChangeAnnouncementInput,
    texts: withoutCodes(({ body }: { body: AnnouncementInput }) => textsOfAnnouncement(body)),
    result: ConsoleAnnouncement,
    errors: ["announcement_unknown", "announcement_ended", "revision_conflict", "period_invalid"],
  },
  ({ viewer, params, body }) => changeAnnouncement(viewer, params.id, body),
);
