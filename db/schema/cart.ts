import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { userId } from "./accounts";
import { planId, productId } from "./catalog";
import { createdAt, id } from "./columns";

export const cartLines = pgTable(
  "cart_lines",
  {
    id: id(),
    userId: userId(),
    productId: productId(),
    planId: planId(),
    quantity: integer("quantity").notNull(),
    selected: boolean("selected").notNull().default(true),
    /** the source of the buyer's attribution when the line was added; null: none */
    source: text("source"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("cart_lines_one_per_plan").on(t.userId, t.planId),
    index("cart_lines_by_time").on(t.createdAt).concurrently(),
    check("cart_lines_quantity", sql`quantity > 0`),
  ],
);
