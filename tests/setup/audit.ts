import { verifyCustody } from "@/lib/delivery/custody/verify-custody";
import { checkIntegrity } from "@/lib/staff/integrity/check-integrity";
import { ALWAYS, WHEN_IDLE } from "@/lib/staff/integrity/rules";

export const AUDIT_RULES = Object.keys(ALWAYS).length + Object.keys(WHEN_IDLE).length;

/** Verifies the custody chain of every key, including overdue seals. Returns the first five problems and the number of events. */
export async function auditCustody(): Promise<{ broken: string[]; events: number }> {
  const broken: string[] = [];
  const { events } = await verifyCustody(({ keyId, kind, message }) =>
    broken.push(`${keyId}, ${kind}: ${message}`),
  );
  return { broken: broken.slice(0, 5), events };
}

/** The broken rules, each with its first three rows; empty when all rules hold. `whenIdle` adds the rules of an idle system. */
export async function auditSale({ whenIdle = false } = {}): Promise<string[]> {
  const results = await checkIntegrity({ whenIdle });
  return results
    .filter(({ rows }) => rows > 0)
    .map(({ rule, rows, examples }) => `${rule}: ${rows} × ${JSON.stringify(examples)}`);
}
