import { contactSupport } from "@/lib/notifications/contact/contact-support";
import { ContactInput, ContactReceived } from "@/lib/notifications/contact/contract";
import { CONTACT_LIMITS } from "@/lib/notifications/contact/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Write to the shop's support",
    description: "The reply comes to `email`. `website` stays empty: it is a trap for programs.",
    access: "public",
    body: ContactInput,
    result: ContactReceived,
    errors: ["email_invalid"],
    rate: [...CONTACT_LIMITS],
    failClosed: true,
  },
  ({ body, viewer, locale, ip }) => contactSupport(viewer, body, locale, ip),
);
