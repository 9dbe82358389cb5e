import { registerMail } from "@/lib/notifications/jobs";
import { supportAddress } from "@/lib/platform/support-address";
import { findDecidedChange } from "./changes/queries-console";
import { findApplication } from "./queries";
import { noticeMail } from "./states/queries";
import { inviteMail } from "./team/queries";

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
registerMail("merchant-invite", { load: ({ inviteId }) => inviteMail(String(inviteId)) });
registerMail("merchant-notice", {
  load: ({ merchantId, state, note }) => noticeMail(String(merchantId), String(state), String(note)),
});

for (const state of ["approved", "returned", "refused"] as const)
  registerMail(`change-${state}`, {
    /** A returned change that was proposed again needs no email any more. */
    load: ({ changeId }, locale) => findDecidedChange(String(changeId), state, locale),
  });
