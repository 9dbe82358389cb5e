import { z } from "zod";
import { EmailAddress } from "@/lib/platform/api/fields";

/** `POST /business/register` (docs/product.md#31-fields-in-calls). */
export const RegisterBusinessInput = z.object({
  email: EmailAddress,
  productUrl: z
    .string()
    .trim()
    .min(1, { error: "product_url_invalid" })
    .max(500, { error: "product_url_invalid" }),
  phoneNum: z.string().trim().min(1, { error: "phone_invalid" }).max(40, { error: "phone_invalid" }),
});
export type RegisterBusinessInput = z.output<typeof RegisterBusinessInput>;

export const ApplicationView = z.object({ application_id: z.string(), state: z.literal("received") });
export type ApplicationView = z.output<typeof ApplicationView>;
