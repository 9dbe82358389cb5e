import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "@/db/client";
import { PASS_TYPES } from "@/lib/catalog/rules";
import type { CommissionInput } from "@/lib/merchants/console/contract-commission";
import { audit } from "@/lib/platform/audit";
import { ApprovalNeeded, type ApprovedActions } from "@/lib/platform/console/approval";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { formatPrice, toCents } from "@/lib/platform/money";

const Payload = z.object({
  merchantId: z.string().nullable(),
  category: z.string().nullable(),
  passType: z.enum(PASS_TYPES).nullable(),
  bps: z.int(),
  fixedCents: z.int(),
  /** null: from the approval on */
  validFrom: z.string().nullable(),
});
type Payload = z.output<typeof Payload>;

/**
 * Asks a second person to add a rule of commission. Sales that were made keep theirs.
 * @throws ApprovalNeeded always; ShopError merchant_unknown, category_unknown
 */
export async function addCommissionRule(input: CommissionInput): Promise<never> {
  const {
    merchant,
    category,
    vip_type,
    pass_type: passType = vip_type,
    percent,
    fixed,
    valid_from: validFrom,
  } = input;
  return transaction(async (tx) => {
    const rule: Payload = {
      merchantId: merchant === undefined ? null : await findMerchantId(tx, merchant),
      category: category === undefined ? null : await checkCategory(tx, category),
      passType: passType ?? null,
      bps: Math.round(percent * 100),
      fixedCents: toCents(fixed),
      validFrom: validFrom ?? null,
    };
    const sales = [merchant, category, passType].filter((part) => part !== undefined).join(" · ") || "*";
    const fixedPart = rule.fixedCents > 0 ? ` + ${formatPrice(rule.fixedCents, "en")}` : "";
    const from = validFrom ? ` (${validFrom.slice(0, 10)})` : "";
    const subject = `${sales}: ${percent} %${fixedPart}${from}`;
    throw new ApprovalNeeded({ kind: "commission", payload: rule, subject });
  });
}

async function findMerchantId(tx: Tx, handle: string): Promise<string> {
  const [row] = await tx.execute<{ id: string }>(sql`select id from merchants where handle = ${handle}`);
  if (!row) throw new ShopError("merchant_unknown");
  return row.id;
}

async function checkCategory(tx: Tx, slug: string): Promise<string> {
  const [row] = await tx.execute(sql`select from categories where slug = ${slug}`);
  if (!row) throw new ShopError("category_unknown");
  return slug;
}

/** Runs after a second person's approval: the rule applies from now on, or from its later start day. */
export const commissionApprovals = {
  async commission(tx, payload, { askedBy, decidedBy }) {
    const rule = Payload.parse(payload);
    const id = newId("cmr");
    await tx.execute(sql`
      insert into commission_rules (id, merchant_id, category, pass_type, bps, fixed_cents, valid_from, created_by)
      values (${id}, ${rule.merchantId}, ${rule.category}, ${rule.passType}, ${rule.bps}, ${rule.fixedCents},
        greatest(shop_now(), ${rule.validFrom}::timestamptz), ${askedBy})`);
    const detail = { ...rule, askedBy };
    await audit({ actor: decidedBy, action: "commission.added", subject: id, detail }, tx);
  },
} satisfies ApprovedActions;
