import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { registerMail } from "@/lib/notifications/jobs";

registerMail("application-received", {
  async load({ applicationId }) {
    const [row] = await db.execute<{ productUrl: string }>(
      sql`select product_url as "productUrl" from merchant_applications where id = ${String(applicationId)}`,
    );
    return row ?? null;
  },
});
