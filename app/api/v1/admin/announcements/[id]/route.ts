import {
  AnnouncementParams,
  ChangeAnnouncementInput,
  ConsoleAnnouncement,
} from "@/lib/notifications/announcements/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { changeAnnounced } from "@/lib/staff/announcements/announce";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Change an announcement that is not over",
    access: staff("announcements.manage"),
    params: AnnouncementParams,
    body: ChangeAnnouncementInput,
    result: ConsoleAnnouncement,
    errors: [
      "announcement_unknown",
      "announcement_ended",
      "revision_conflict",
      "period_invalid",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => changeAnnounced(viewer, params.id, body),
);
