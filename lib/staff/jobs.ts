import { z } from "zod";
import { defineJob } from "@/lib/platform/jobs/queue";
import { expireApprovals } from "@/lib/staff/approvals/commands";
import { sealAudit } from "@/lib/staff/audit/commands";
import { SealAllAudit } from "@/lib/staff/contract-jobs";
import { deleteOldPictures } from "@/lib/staff/imports/commands";
import { PICTURE_HOURS } from "@/lib/staff/imports/rules";

/** Every minute: seals the audit log. */
export const sealAuditJob = defineJob({
  name: "seal-audit",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await sealAudit();
  },
});

/** Every hour: seals all remaining entries, ends approvals that nobody decided, and deletes pictures of old imports. */
export const sealAllAuditJob = defineJob({
  ...SealAllAudit,
  cron: "20 * * * *",
  async run() {
    await sealAudit({ all: true });
    await expireApprovals();
    await deleteOldPictures(PICTURE_HOURS);
  },
});
