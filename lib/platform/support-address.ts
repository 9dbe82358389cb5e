import { env } from "./env";

/** The address in `Name <address>`. */
const senderOf = (from: string) => /<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** The support address. */
export const supportAddress = () => env().SUPPORT_EMAIL ?? senderOf(env().MAIL_FROM);
