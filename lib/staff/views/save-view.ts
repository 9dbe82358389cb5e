import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { db, transaction } from "@/db/client";
import { savedViews } from "@/db/schema/staff";
import { ConsoleCustomersInput } from "@/lib/accounts/console/contract";
import { ConsolePostsInput } from "@/lib/blog/console/contract";
import { ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { ConsoleStockInput } from "@/lib/delivery/console/contract";
import { ConsoleReplacementsInput } from "@/lib/delivery/console/contract-replacements";
import { ConsoleChangesInput } from "@/lib/merchants/changes/contract-console";
import { ConsoleApplicationsInput } from "@/lib/merchants/console/contract";
import { ConsoleMerchantsInput } from "@/lib/merchants/console/contract-merchants";
import { ConsoleBatchesInput } from "@/lib/merchants/key-files/contract";
import { ConsoleMailsInput } from "@/lib/notifications/console/contract";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { ConsoleDisputesInput } from "@/lib/orders/console/contract-disputes";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { ConsoleReferralsInput } from "@/lib/referrals/console/contract";
import { ConsoleReviewsInput } from "@/lib/reviews/console/contract";
import { AuditInput } from "@/lib/staff/audit/contract";
import { type ConsoleListName, mayRead } from "@/lib/staff/rules";
import type { SavedView, SaveViewInput } from "@/lib/staff/views/contract";

const MAX_VIEWS = 100;

/** The filters that each list takes. */
const LIST_INPUTS: Readonly<Record<ConsoleListName, z.ZodObject>> = {
  orders: ConsoleOrdersInput,
  customers: ConsoleCustomersInput,
  mails: ConsoleMailsInput,
  applications: ConsoleApplicationsInput,
  products: ConsoleProductsInput,
  keys: ConsoleStockInput,
  refunds: ConsoleRefundsInput,
  reviews: ConsoleReviewsInput,
  disputes: ConsoleDisputesInput,
  replacements: ConsoleReplacementsInput,
  merchants: ConsoleMerchantsInput,
  changes: ConsoleChangesInput,
  batches: ConsoleBatchesInput,
  posts: ConsolePostsInput,
  referrals: ConsoleReferralsInput,
  audit: AuditInput,
};

/**
 * Saves the filters of a list under a name; the viewer's view of that name gets the new filters.
 * @throws ShopError permission_missing: who may not read the list; invalid_input: not filters of the list; views_full: 100 views are saved; note_has_code
 */
export async function saveView(
  { userId, staff }: StaffViewer,
  { list, name, filters, shared, is_default: isDefault }: SaveViewInput,
): Promise<SavedView> {
  if (!mayRead(staff.roles, list)) throw new ShopError("permission_missing");
  if (!LIST_INPUTS[list].strict().safeParse(filters).success || "cursor" in filters)
    throw new ShopError("invalid_input");
  await requireNoCode(db, [name, ...Object.values(filters).map(String)].join("\n"));
  return transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`saved views ${userId}`}, 0))`);
    const ofList = and(eq(savedViews.userId, userId), eq(savedViews.list, list));
    if (isDefault) await tx.update(savedViews).set({ isDefault: false }).where(ofList);
    const view = { filters, shared, isDefault };
    const answer = { list, name, filters, shared, is_default: isDefault, own: true };
    const isSame = and(ofList, eq(savedViews.name, name));
    const [known] = await tx.update(savedViews).set(view).where(isSame).returning({ id: savedViews.id });
    if (known) return { view_id: known.id, ...answer };
    if ((await tx.$count(savedViews, eq(savedViews.userId, userId))) >= MAX_VIEWS)
      throw new ShopError("views_full");
    const id = newId("view");
    await tx.insert(savedViews).values({ id, userId, list, name, ...view });
    return { view_id: id, ...answer };
  });
}

/** @throws ShopError view_unknown: none of the viewer's */
export async function deleteView({ userId }: StaffViewer, id: string): Promise<void> {
  const deleted = await db
    .delete(savedViews)
    .where(and(eq(savedViews.id, id), eq(savedViews.userId, userId)))
    .returning({ id: savedViews.id });
  if (deleted.length === 0) throw new ShopError("view_unknown");
}
