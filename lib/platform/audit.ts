import { type Db, db } from "@/db/client";
import { auditEntries } from "@/db/schema/requests";

/** An audit entry. `actor` is a user id, "guest" or "system"; `detail` never holds a secret. */
export type AuditEntry = { actor: string; action: string; subject: string; detail?: Record<string, unknown> };

/** Appends to the audit log, in the given transaction if any. */
export async function audit(entry: AuditEntry, tx: Db = db): Promise<void> {
  await tx.insert(auditEntries).values(entry);
}
