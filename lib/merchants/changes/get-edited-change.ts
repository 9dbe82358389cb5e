import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { getEditedProduct } from "@/lib/catalog/console/get-edited-product";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { OWN_VERSION } from "./change-version";
import { DETAIL_FIELDS, type StoredChange } from "./get-merchant-change";
import { changeFields } from "./list-merchant-changes";
import { rebaseChange } from "./rebase-change";
import { EDITABLE_STATES } from "./rules";

/** A change that its merchant edits: its record on the product's newest revision. */
export type EditedChange = {
  change_id: string;
  version: string;
  line: ProductRecord;
  note: string | null;
  merged: boolean;
};

/**
 * A draft or returned change for the editor. Where the product was changed since, both are merged.
 * @throws ShopError change_unknown: none, or one that is proposed or decided
 */
export async function getEditedChange(
  { merchant }: MerchantViewer,
  id: string,
  locale: Locale,
): Promise<{ change: EditedChange; product: OwnProduct | null }> {
  const [row] = await db.execute<StoredChange & { version: string }>(sql`
    select c.id as change_id, ${changeFields(locale)}, ${OWN_VERSION} as version, ${DETAIL_FIELDS} from product_changes c
    where c.id = ${id} and c.merchant_id = ${merchant.id} and c.state = any(${sql.param([...EDITABLE_STATES])}::text[])`);
  if (!row) throw new ShopError("change_unknown");
  const { change_id, version, product_id, line, note, base_revision } = row;
  const product = product_id === null ? null : await getEditedProduct(product_id, locale);
  const made = { productId: product_id, baseRevision: base_revision, line };
  const { rebased, line: newest } = await rebaseChange(db, made);
  const change = { change_id, version, note, merged: rebased, line: newest };
  return { change, product };
}
type OwnProduct = Awaited<ReturnType<typeof getEditedProduct>>;
