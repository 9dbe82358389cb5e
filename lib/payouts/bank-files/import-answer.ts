import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import type { BankAnswerReport } from "@/lib/payouts/console/contract";
import { OUTCOME_FROM, type PayoutOutcome, type PayoutState } from "@/lib/payouts/rules";
import { endPayout } from "@/lib/payouts/runs/end-payout";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { toDecimal } from "@/lib/platform/money";
import { type Answer, readAnswer } from "./read-answer";

type Known = { payoutId: string; state: PayoutState; cents: number; merchant: string };
type Line = BankAnswerReport["lines"][number];

/**
 * Records what a bank answered about payouts: which it paid, refused or sent back. Each line counts once, however often it is
 * imported; one with another amount, or that does not follow from the state of its payout, changes nothing.
 * @throws ShopError answer_unreadable
 */
export async function importAnswer(
  { userId }: StaffViewer,
  { content, apply }: { content: string; apply: boolean },
): Promise<BankAnswerReport> {
  const answers = readAnswer(content);
  if (!answers) throw new ShopError("answer_unreadable");
  const known = await findKnown(answers.map(({ key }) => key));
  const lines: Line[] = [];
  for (const answer of answers) {
    const payout = known.get(answer.key);
    let effect = effectOf(answer, payout);
    if (payout && effect === "applied") {
      if (apply && !(await applyAnswer(payout, answer, userId))) {
        // Somebody else ended it since its state was read.
        payout.state = await readState(payout.payoutId);
        effect = effectOf(answer, payout);
      } else payout.state = answer.outcome;
    }
    lines.push({
      reference: answer.key,
      outcome: answer.outcome,
      effect,
      merchant_name: payout?.merchant ?? null,
      amount: payout ? toDecimal(payout.cents) : null,
    });
  }
  const applied = lines.filter(({ effect }) => effect === "applied").length;
  const sha256 = createHash("sha256").update(content).digest("hex");
  if (apply)
    await audit({
      actor: userId,
      action: "payout.answer_imported",
      subject: sha256,
      detail: { lines: lines.length, applied },
    });
  return { lines, applied: apply ? applied : 0 };
}

async function findKnown(keys: readonly string[]): Promise<Map<string, Known>> {
  const rows = await db.execute<Known & { key: string }>(sql`
    select t.key, p.id as "payoutId", p.state, t.cents, m.name as merchant
    from payout_attempts t join payouts p on p.id = t.payout_id and p.attempt = t.attempt join merchants m on m.id = p.merchant_id
    join payout_accounts a on a.id = t.account_id and a.method = 'manual' where t.key = any(${sql.param([...new Set(keys)])}::text[])`);
  return new Map(rows.map(({ key, ...payout }) => [key, payout]));
}

async function readState(payoutId: string): Promise<PayoutState> {
  const [row] = await db.execute<{ state: PayoutState }>(
    sql`select state from payouts where id = ${payoutId}`,
  );
  return row!.state;
}

/** The states that a payout may have where an outcome was recorded already. */
const AFTER: Readonly<Record<PayoutOutcome, readonly PayoutState[]>> = {
  confirmed: ["confirmed", "returned"],
  failed: ["failed"],
  returned: ["returned"],
};

function effectOf({ outcome, cents }: Answer, payout: Known | undefined): Line["effect"] {
  if (!payout) return "unknown";
  if (cents !== null && cents !== payout.cents) return "amount_differs";
  if (AFTER[outcome].includes(payout.state)) return "unchanged";
  const follows = OUTCOME_FROM[outcome].includes(payout.state);
  // A bank that returns a payment had paid it, also where the statement with the debit was never imported.
  return follows || (outcome === "returned" && payout.state === "sent") ? "applied" : "impossible";
}

/** False: the payout has another state by now, so that nothing was recorded. */
const applyAnswer = ({ payoutId, state }: Known, { outcome, reason }: Answer, by: string): Promise<boolean> =>
  transaction(async (tx) => {
    const isPaidFirst = outcome === "returned" && state === "sent";
    if (isPaidFirst && !(await endPayout(tx, payoutId, { outcome: "confirmed", by }))) return false;
    return endPayout(tx, payoutId, { outcome, reason, by });
  });
