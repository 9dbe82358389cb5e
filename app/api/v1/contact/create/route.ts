import { endpoint } from "@/lib/platform/api/endpoint";
import { contactSupport } from "@/lib/support/contact-support";
import { ContactInput, ContactReceived } from "@/lib/support/contract";
import { CONTACT_LIMITS } from "@/lib/support/rules";

export const POST = endpoint(
  {
    summary: "Write to the shop's support",
    description:
      "The answer comes to `email`, and for an account also into `GET /contact/detail`. Activation codes are masked. `website` stays empty: it is a trap for programs.",
    access: "public",
    body: ContactInput,
    result: ContactReceived,
    errors: ["email_invalid"],
    rate: [...CONTACT_LIMITS],
    failClosed: true,
  },
  ({ body, viewer, locale, ip }) => contactSupport(viewer, body, locale, ip),
);
