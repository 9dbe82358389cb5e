import { z } from "zod";
import { EmailAddress, KnownEmail } from "@/lib/platform/api/fields";
import { foldOrderNumber } from "@/lib/platform/fold-text";

/** `POST /contact/create`: a message to the shop's support. */
export const ContactInput = z.object({
  email: KnownEmail.pipe(EmailAddress),
  message: z.string().trim().min(1).max(4000).meta({ example: "My code is not accepted." }),
  /** the number or id of the order that the message is about */
  order_number: z.string().overwrite(foldOrderNumber).max(64).nullish().meta({ example: "ord_1" }),
  /** hidden in the form; programs that fill every field fill it, and their messages are left out */
  website: z.string().max(500).nullish(),
});
export type ContactInput = z.output<typeof ContactInput>;

/** `reference` names the message in the reply. */
export const ContactReceived = z.object({ reference: z.string() });
export type ContactReceived = z.output<typeof ContactReceived>;
