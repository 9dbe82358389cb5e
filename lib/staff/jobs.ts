import { z } from "zod";
import { defineJob } from "@/lib/platform/jobs/queue";
import { expireApprovals } from "@/lib/staff/approvals/commands";
import { sealAudit } from "@/lib/staff/audit/commands";

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
  name: "seal-all-audit",
  schema: z.unknown(),
  cron: "20 * * * *",
  async run() {
    await sealAudit({ all: true });
    await expireApprovals();
  },
});
