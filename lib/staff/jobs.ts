import { z } from "zod";
import { defineJob } from "@/lib/platform/jobs/queue";
import { expireApprovals } from "@/lib/staff/approvals/commands";
import { sealAudit } from "@/lib/staff/audit/commands";
import { SealAllAudit } from "@/lib/staff/contract-jobs";

/** Every minute: seals the audit log. */
export const sealAuditJob = defineJob({
  name: "seal-audit",
  schema: z.unknown(),
  cron: "* * * * *",
  async run() {
    await sealAudit();
  },
});

/** Every hour: seals all remaining entries, and ends approvals that nobody decided. */
export const sealAllAuditJob = defineJob({
  ...SealAllAudit,
  cron: "20 * * * *",
  async run() {
    await sealAudit({ all: true });
    await expireApprovals();
  },
});
