import { changeAnnouncement } from "@/lib/notifications/announcements/commands";
import {
  AnnouncementInput,
  AnnouncementParams,
  ConsoleAnnouncement,
} from "@/lib/notifications/announcements/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Change an announcement that is not over",
    access: staff("announcements.manage"),
    params: AnnouncementParams,
    body: AnnouncementInput,
    result: ConsoleAnnouncement,
    errors: ["announcement_unknown", "announcement_ended", "period_invalid"],
  },
  ({ viewer, params, body }) => changeAnnouncement(viewer, params.id, body),
);
