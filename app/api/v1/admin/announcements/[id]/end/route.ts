import { endAnnouncement } from "@/lib/notifications/announcements/change-announcements";
import { AnnouncementParams, ConsoleAnnouncement } from "@/lib/notifications/announcements/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Take an announcement from the pages",
    access: staff("announcements.manage"),
    params: AnnouncementParams,
    body: SeenVersion,
    result: ConsoleAnnouncement,
    errors: ["announcement_unknown", "announcement_ended", "revision_conflict"],
  },
  ({ viewer, params, body }) => endAnnouncement(viewer, params.id, body),
);
