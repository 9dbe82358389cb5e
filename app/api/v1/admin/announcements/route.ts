import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { createAnnouncement } from "@/lib/notifications/announcements/change-announcements";
import {
  AnnouncementInput,
  AnnouncementList,
  ConsoleAnnouncement,
  textsOfAnnouncement,
} from "@/lib/notifications/announcements/contract";
import { listAnnouncements } from "@/lib/notifications/announcements/list-announcements";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Announcements",
    description: "The newest 100, scheduled and ended ones included.",
    access: staff("announcements.manage"),
    result: AnnouncementList,
    errors: [],
  },
  () => listAnnouncements(),
);

export const POST = endpoint(
  {
    summary: "Announce a message",
    description:
      "It is shown at the top of every public page from `starts_at` (absent: immediately) to `ends_at`. Of several at the same time, the latest one is shown.",
    access: staff("announcements.manage"),
    body: AnnouncementInput,
    texts: withoutCodes(({ body }: { body: AnnouncementInput }) => textsOfAnnouncement(body)),
    result: ConsoleAnnouncement,
    errors: ["period_invalid"],
  },
  ({ viewer, body }) => createAnnouncement(viewer, body),
);
