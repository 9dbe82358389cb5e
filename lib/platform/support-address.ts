import { env } from "./env";

/** The address in `Name <address>`. */
const parseAddress = (from: string) => /<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** The address for questions of customers; by default the sender of the emails. */
export const supportAddress = () => env().SUPPORT_EMAIL ?? parseAddress(env().MAIL_FROM);
