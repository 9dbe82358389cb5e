import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { checkProduct } from "@/lib/catalog/console/edit-product";
import { findChanges } from "@/lib/catalog/console/rules-changes";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { OWN_VERSION } from "./change-version";
import type { ChangeCheck, MerchantChange, MerchantChangeDetail } from "./contract";
import { changeFields, toChange } from "./list-merchant-changes";
import { readBaseRecord, rebaseChange } from "./rebase-change";
import { OPEN_STATES } from "./rules";

/** A change as its row holds it, for its detail. */
export type StoredChange = MerchantChange & { line: ProductRecord; created_for: string; editor: string };

/** The detail of a change; for an open one with the conflicts that an approval would have. */
export async function describeStored<Row extends StoredChange>(
  { created_for, editor, ...change }: Row,
  locale: Locale,
): Promise<Omit<Row, "created_for" | "editor"> & Pick<MerchantChangeDetail, "changes" | "check">> {
  const { line } = change;
  const productId = change.kind === "new" ? null : change.product_id;
  const made = { productId, baseRevision: change.base_revision, line };
  if (!OPEN_STATES.includes(change.state)) {
    const base = await readBaseRecord(db, { ...change, product_id: productId });
    return { ...change, changes: findChanges(base, line), check: null };
  }
  const now = await rebaseChange(db, made);
  const edit = { id: productId, baseRevision: now.baseRevision, line: now.line, merchantId: created_for };
  return {
    ...change,
    changes: findChanges(now.base, now.line),
    check: {
      stale: now.conflicts.length > 0,
      rebased: now.rebased,
      revision: now.baseRevision,
      conflicts: now.conflicts,
      ...(await checkEdit({ userId: editor, locale }, edit)),
    },
  };
}

async function checkEdit(
  editor: Parameters<typeof checkProduct>[0],
  edit: Parameters<typeof checkProduct>[1],
): Promise<Pick<ChangeCheck, "problems" | "needs_approval" | "prices">> {
  const nothing = { problems: [], needs_approval: false, prices: [] };
  try {
    const { outcome } = await checkProduct(editor, edit);
    return { ...nothing, needs_approval: outcome.needs_approval, prices: outcome.prices };
  } catch (error) {
    if (!isShopError(error, "invalid_input")) throw error;
    return { ...nothing, problems: (error.issues ?? []).map(({ path, message }) => ({ path, message })) };
  }
}

/** SQL: what a detail reads of a change `c` besides its fields. */
export const DETAIL_FIELDS = sql.raw(
  "c.content as line, c.merchant_id as created_for, c.created_by as editor",
);

/** One of the merchant's changes. @throws ShopError change_unknown */
export async function getMerchantChange({ merchant }: MerchantViewer, id: string, locale: Locale) {
  const [row] = await db.execute<StoredChange & { version: string }>(sql`
    select c.id as change_id, ${changeFields(locale)}, ${OWN_VERSION} as version, ${DETAIL_FIELDS}
    from product_changes c where c.id = ${id} and c.merchant_id = ${merchant.id}`);
  if (!row) throw new ShopError("change_unknown");
  return describeStored(toChange(row), locale);
}
