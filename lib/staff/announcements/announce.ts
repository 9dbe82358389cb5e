import { db } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import {
  changeAnnouncement,
  createAnnouncement,
} from "@/lib/notifications/announcements/change-announcements";
import type { AnnouncementInput, ChangeAnnouncementInput } from "@/lib/notifications/announcements/contract";
import type { StaffViewer } from "@/lib/platform/auth/session";

const requireNoCodeIn = ({ texts, link }: AnnouncementInput) =>
  requireNoCode(db, [...Object.values(texts), link ?? ""]);

/** Announces a message that holds no activation code. @throws ShopError note_has_code, and those of `createAnnouncement` */
export async function announce(viewer: StaffViewer, input: AnnouncementInput) {
  await requireNoCodeIn(input);
  return createAnnouncement(viewer, input);
}

/** @throws ShopError note_has_code, and those of `changeAnnouncement` */
export async function changeAnnounced(viewer: StaffViewer, id: string, input: ChangeAnnouncementInput) {
  await requireNoCodeIn(input);
  return changeAnnouncement(viewer, id, input);
}
