import { env } from "@/lib/platform/env";

/** The bare address of `Name <address>`. */
const senderOf = (from: string) => /<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** Where a shopper's mail to the shop goes. */
export const supportAddress = () => env().SUPPORT_EMAIL ?? senderOf(env().MAIL_FROM);
