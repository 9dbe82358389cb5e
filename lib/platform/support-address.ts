import { env } from "./env";
import { parseAddress } from "./mail/address";

/** The address for questions of customers; by default the sender of the emails. */
export const supportAddress = () => env().SUPPORT_EMAIL ?? parseAddress(env().MAIL_FROM);
