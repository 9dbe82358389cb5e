import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { createUser } from "./accounts";
import { createOrder } from "./orders";

/** Replaces a product's reviews: one for each rating, oldest first, by different buyers, titled "Review 1" and so on. */
export async function setReviews(slug: string, ratings: readonly number[]): Promise<void> {
  const [plan] = await db.execute<{ id: number; product_id: number }>(sql`
    select l.id, l.product_id from plans l join products p on p.id = l.product_id
    where p.slug = ${slug} order by l.position limit 1`);
  if (!plan) throw new Error(`no product ${slug}`);
  await db.execute(sql`delete from reviews where product_id = ${plan.product_id}`);
  for (const [i, rating] of ratings.entries()) {
    const user = await createUser();
    const order = await createOrder(user, plan.id, { status: "completed" });
    await db.execute(sql`
      insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
      values (${newId("rev")}, ${plan.product_id}, ${order.id}, ${user.id}, ${rating}, ${`Review ${i + 1}`},
        'It works.', 'en')`);
  }
}
