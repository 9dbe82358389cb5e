import { registerMail } from "@/lib/notifications/jobs";
import { supportAddress } from "@/lib/platform/support-address";
import { findApplication } from "./queries";

registerMail("application-received", {
  load: async ({ applicationId }) => ((await findApplication(String(applicationId))) ? {} : null),
});

async function loadDecision(applicationId: unknown) {
  const application = await findApplication(String(applicationId));
  if (!application) return null;
  return { note: application.note ?? "", support: supportAddress() };
}

registerMail("application-approved", { load: ({ applicationId }) => loadDecision(applicationId) });
registerMail("application-refused", { load: ({ applicationId }) => loadDecision(applicationId) });
