import { registerMail } from "@/lib/notifications/jobs";
import { supportAddress } from "@/lib/platform/support-address";
import { findApplication } from "./queries";

registerMail("application-received", {
  async load({ applicationId }) {
    const application = await findApplication(String(applicationId));
    return application && { productUrl: application.productUrl };
  },
});

async function loadDecision(applicationId: unknown) {
  const application = await findApplication(String(applicationId));
  if (!application) return null;
  return { productUrl: application.productUrl, note: application.note ?? "", support: supportAddress() };
}

registerMail("application-approved", { load: ({ applicationId }) => loadDecision(applicationId) });
registerMail("application-refused", { load: ({ applicationId }) => loadDecision(applicationId) });
