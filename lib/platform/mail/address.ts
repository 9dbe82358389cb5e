import { foldText } from "@/lib/platform/fold-text";

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** Before the @: the atoms of RFC 5321 with single dots between them, 64 letters at most. */
const LOCAL = "(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*";

/** An address that can receive email, as `normalizeEmail` writes it. */
export const EMAIL = new RegExp(
  `^(?=.{3,254}$)${LOCAL}@(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$`,
);
/** An address of an operator's own mail server, whose host may have no dot. */
const SENDER = new RegExp(`^(?=.{3,254}$)${LOCAL}@(?:${LABEL}\\.)*${LABEL}$`, "i");

/** The domain of an address in ASCII (`bücher.example` → `xn--bcher-kva.example`); unchanged when it is not a domain. */
function asciiDomain(domain: string): string {
  if (!/[^\p{ASCII}]/u.test(domain) || !/^[\p{L}\p{M}\p{N}.。・·-]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/** An address as it is stored and sent: lower case, full-width letters as plain ones, the domain in ASCII. */
export function normalizeEmail(text: string): string {
  const folded = foldText(text).trim().toLowerCase();
  const at = folded.lastIndexOf("@") + 1;
  return folded.slice(0, at) + asciiDomain(folded.slice(at));
}

/** The address in `Name <address>`. */
export const parseAddress = (from: string): string => /<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** `address` or `Name <address>` with the address as it is sent. */
export const normalizeSender = (from: string): string => from.replace(/[^<>]+(?=>?$)/, normalizeEmail);

/** An address as it is copied from a link or an email: `mailto:a@b`, `<a@b>`, `Name <a@b>`. */
export const pastedEmail = (text: string): string =>
  normalizeEmail(parseAddress(foldText(text).trim()).replace(/^<?(?:mailto:)?|>$/gi, ""));

/** Whether `address` or `Name <address>` can stand as the sender. */
export const isSender = (from: string): boolean => SENDER.test(parseAddress(from));
