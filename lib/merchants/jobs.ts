import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { registerMail } from "@/lib/notifications/jobs";
import { supportAddress } from "@/lib/platform/pages/page-urls";
import { findApplication } from "./queries";

registerMail("application-received", {
  async load({ applicationId }) {
    const [row] = await db.execute<{ productUrl: string }>(
      sql`select product_url as "productUrl" from merchant_applications where id = ${String(applicationId)}`,
    );
    return row ?? null;
  },
});

const loadDecision = async (applicationId: unknown) => {
  const application = await findApplication(String(applicationId));
  return (
    application && {
      productUrl: application.productUrl,
      note: application.note ?? "",
      support: supportAddress(),
    }
  );
};

registerMail("application-approved", { load: ({ applicationId }) => loadDecision(applicationId) });
registerMail("application-refused", { load: ({ applicationId }) => loadDecision(applicationId) });
