import { z } from "zod";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { expireApprovals } from "@/lib/staff/approvals/expire-approvals";
import { sealAudit } from "@/lib/staff/audit/seal-audit";
import { SealAllAudit } from "@/lib/staff/contract-jobs";
import { deleteOldPictures } from "@/lib/staff/imports/keep-picture";
import { PICTURE_HOURS } from "@/lib/staff/imports/rules";
import { deleteOldMarks } from "@/lib/staff/inbox/mark-item";
import { findRolesNotice } from "@/lib/staff/members/list-staff-members";
import { findMentionMail } from "@/lib/staff/notes/find-mention-mail";

registerMail("staff-changed", {
  load: ({ userId, actor, before, after }) => findRolesNotice({ userId, actor, before, after }),
});

registerMail("staff-mention", { load: ({ noteId }) => findMentionMail(String(noteId)) });

/** Every minute: seals the audit log. */
export const sealAuditJob = defineJob({
  name: "seal-audit",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await sealAudit();
  },
});

/** On demand: looks for entries without a seal among all, not only after the place up to which all were sealed. */
export const sealAllAuditJob = defineJob({
  ...SealAllAudit,
  async run() {
    await sealAudit({ all: true });
  },
});

/** Every hour: ends approvals that no one decided, and deletes pictures of old imports and old marks of the inbox. */
export const expireApprovalsJob = defineJob({
  name: "expire-approvals",
  schema: z.unknown(),
  cron: "20 * * * *",
  async run() {
    await expireApprovals();
    await deleteOldPictures(PICTURE_HOURS);
    await deleteOldMarks();
  },
});
