import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { editProduct } from "@/lib/catalog/console/edit-product";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { changeState, lockMerchant } from "@/lib/merchants/states/change-state";
import { mayStaff, permissionRule } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { moderateWithin } from "@/lib/reviews/moderation/moderate-review";
import { RESTRICT_RIGHTS, type ReportKind, type Restriction } from "@/lib/support/reports/rules";

/** The subject of a decision, its author and its reasons. */
export type Decided = {
  viewer: StaffViewer;
  locale: Locale;
  reportId: string;
  targetId: string;
  statement: string;
};

/** A decision has the same effect as the action on the thing's console page, so it needs the same permission. */
function requireRight({ staff }: StaffViewer, kind: ReportKind): void {
  const permission = RESTRICT_RIGHTS[kind];
  if (!mayStaff(staff.roles, permission)) throw new ShopError("report_right_missing");
  if (permissionRule(permission).reauthenticated && !staff.reauthenticated)
    throw new ShopError("reauthentication_required");
}

const RESTRICT: Record<ReportKind, (tx: Tx, decided: Decided) => Promise<Restriction | null>> = {
  product: async (tx, decided) => {
    const product = await lockProduct(tx, decided.targetId);
    if (!product?.published) return null;
    requireRight(decided.viewer, "product");
    return { mark: String(await setListed(tx, decided, product, false)) };
  },
  review: async (tx, { targetId, viewer, statement }) => {
    const moderation = { state: "hidden", staffId: viewer.userId, reason: statement } as const;
    if ((await moderateWithin(tx, targetId, moderation)) !== "done") return null;
    const [row] = await tx.execute<{ mark: string }>(
      sql`select hidden_at::text as mark from reviews where id = ${targetId}`,
    );
    return row!;
  },
  // A paused seller could resume by itself.
  seller: async (tx, { targetId, viewer, reportId, statement }) => {
    const merchant = await lockMerchant(tx, targetId);
    if (!merchant || (merchant.state !== "active" && merchant.state !== "paused")) return null;
    requireRight(viewer, "seller");
    const detail = { report: reportId };
    await changeState(tx, merchant, "suspend", { actor: viewer.userId, note: statement, detail });
    const [row] = await tx.execute<{ mark: string }>(
      sql`select state_at::text as mark from merchants where id = ${targetId}`,
    );
    return { ...row!, before: merchant.state };
  },
};

const RELEASE: Record<ReportKind, (tx: Tx, decided: Decided, restriction: Restriction) => Promise<boolean>> =
  {
    product: async (tx, decided, { mark }) => {
      const product = await lockProduct(tx, decided.targetId);
      if (!product || product.published) return false;
      const [changed] = await tx.execute(sql`
      select 1 from product_revisions where product_id = ${product.id} and revision > ${Number(mark)}
        and line->>'listed' is distinct from 'false' limit 1`);
      if (changed) return false;
      requireRight(decided.viewer, "product");
      await setListed(tx, decided, product, true);
      return true;
    },
    review: async (tx, { targetId, viewer, statement }, { mark }) => {
      const [hidden] = await tx.execute(
        sql`select 1 from reviews where id = ${targetId} and state = 'hidden' and hidden_at = ${mark}::timestamptz`,
      );
      const moderation = { state: "published", staffId: viewer.userId, reason: statement } as const;
      return hidden !== undefined && (await moderateWithin(tx, targetId, moderation)) === "done";
    },
    seller: async (tx, { targetId, viewer, reportId, statement }, { mark, before }) => {
      const merchant = await lockMerchant(tx, targetId);
      const [suspended] = await tx.execute(
        sql`select 1 from merchants where id = ${targetId} and state = 'suspended' and state_at = ${mark}::timestamptz`,
      );
      if (!merchant || !suspended) return false;
      requireRight(viewer, "seller");
      const change = { actor: viewer.userId, note: statement, detail: { report: reportId } };
      const state = await changeState(tx, merchant, "resume", change);
      if (before === "paused") await changeState(tx, { ...merchant, state }, "pause", change);
      return true;
    },
  };

/**
 * Takes the reported thing off the shop: unlists a product, hides a review or suspends a seller, as staff do on its
 * console page, with the same permission and audit entry. Null if it is already off.
 * @throws ShopError report_right_missing, reauthentication_required, invalid_input: the product's record is no longer
 * accepted
 */
export const restrictTarget = (tx: Tx, kind: ReportKind, decided: Decided): Promise<Restriction | null> =>
  RESTRICT[kind](tx, decided);

/**
 * Restores what a decision took off the shop, unless someone has changed it since, or a rule keeps a review hidden: then
 * false.
 * @throws as `restrictTarget`
 */
export const releaseTarget = (
  tx: Tx,
  kind: ReportKind,
  decided: Decided,
  restriction: Restriction,
): Promise<boolean> => RELEASE[kind](tx, decided, restriction);

type LockedProduct = { id: number; revision: number; published: boolean };

async function lockProduct(tx: Tx, targetId: string): Promise<LockedProduct | undefined> {
  const [product] = await tx.execute<LockedProduct>(sql`
    select id, revision, published from products where id = ${Number(targetId)} for no key update`);
  return product;
}

/** Lists or unlists a product; returns its revision. */
async function setListed(
  tx: Tx,
  { viewer, locale, reportId }: Decided,
  { id, revision }: LockedProduct,
  listed: boolean,
): Promise<number> {
  const line = { ...(await readProductRecords([id], tx)).get(id)!, listed };
  const edit = { id, baseRevision: revision, line, note: `report ${reportId}` };
  const saved = await editProduct({ userId: viewer.userId, locale }, edit, { within: tx });
  return saved.revision;
}
