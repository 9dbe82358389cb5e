import { ApplicationView, RegisterBusinessInput } from "@/lib/merchants/contract";
import { registerBusiness } from "@/lib/merchants/register-business";
import { toMailSender } from "@/lib/notifications/take-mail-budget";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Apply to sell as a partner merchant",
    access: "public",
    body: RegisterBusinessInput,
    result: ApplicationView,
    errors: ["email_invalid", "product_url_invalid", "phone_invalid", "application_exists"],
    rate: [{ limit: 10, seconds: 3600, by: "ip" }],
  },
  ({ body, attribution, viewer, locale, ip }) =>
    registerBusiness(body, attribution, locale, toMailSender(viewer, ip)),
);
