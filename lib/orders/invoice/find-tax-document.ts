import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { TaxDocumentContent } from "@/lib/orders/tax/rules-document";

/** An invoice or credit note of an order as it was issued; without an id its newest invoice that corrects no other. */
export async function findTaxDocument(
  orderId: string,
  documentId?: string,
): Promise<{ content: TaxDocumentContent; hash: string } | undefined> {
  const [document] = await db.execute<{ content: TaxDocumentContent; hash: string }>(sql`
    select content, hash from tax_documents
    where order_id = ${orderId} and case when ${documentId ?? null}::text is null then invoice_id is null else id = ${documentId ?? null} end
    order by created_at desc, series desc, number desc limit 1`);
  return document;
}
