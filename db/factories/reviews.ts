import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { reviews } from "@/db/schema/reviews";
import { newId } from "@/lib/platform/crypto/ids";
import { createUser } from "./accounts";
import { createOrder } from "./orders";

/** Replaces a product's reviews: one for each rating, oldest first, by different buyers, titled "Review 1" and so on. */
export async function setReviews(slug: string, ratings: readonly number[]): Promise<void> {
  const [plan] = await db.execute<{ id: number; product_id: number }>(sql`
    select l.id, l.product_id from plans l join products p on p.id = l.product_id
    where p.slug = ${slug} order by l.position limit 1`);
  if (!plan) throw new Error(`no product ${slug}`);
  await db.delete(reviews).where(eq(reviews.productId, plan.product_id));
  for (const [i, rating] of ratings.entries()) {
    const user = await createUser();
    const order = await createOrder(user, plan.id, { status: "completed" });
    await db.insert(reviews).values({
      id: newId("rev"),
      productId: plan.product_id,
      orderId: order.id,
      userId: user.id,
      rating,
      title: `Review ${i + 1}`,
      content: "It works.",
      locale: "en",
    });
  }
}
