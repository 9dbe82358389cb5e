import { type APIRequestContext, expect } from "@playwright/test";
import type { MailboxMail } from "@/lib/notifications/contract";
import type { MailEvent } from "@/lib/notifications/rules";

/** What lies in the local mailbox for an address, newest first; `event` keeps those of one kind. */
async function mailsTo(
  request: APIRequestContext,
  address: string,
  event?: MailEvent,
): Promise<MailboxMail[]> {
  const response = await request.get(`/dev/mailbox.json?to=${encodeURIComponent(address)}`);
  const mails = (await response.json()) as MailboxMail[];
  return event ? mails.filter((mail) => mail.event === event) : mails;
}

/** Waits for a mail of one kind, or for the so-manieth of them, and answers the newest. */
export async function waitForMail(
  request: APIRequestContext,
  address: string,
  event: MailEvent,
  nth = 1,
): Promise<MailboxMail> {
  let found: MailboxMail[] = [];
  await expect
    .poll(
      async () => {
        found = await mailsTo(request, address, event);
        return found.length;
      },
      { message: `${nth} ${event} mail to ${address}`, timeout: 40_000 },
    )
    .toBeGreaterThanOrEqual(nth);
  return found[0]!;
}

/** How many mails of one kind an address has got. */
export async function countMails(request: APIRequestContext, address: string, event: MailEvent) {
  return (await mailsTo(request, address, event)).length;
}

/** The six digits that were mailed to an address; `nth` where it got codes before. */
export async function verificationCode(
  request: APIRequestContext,
  address: string,
  nth = 1,
): Promise<string> {
  const { text } = await waitForMail(request, address, "verification-code", nth);
  return /(?<!\d)\d{6}(?!\d)/.exec(text)![0];
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" };

/** The activation codes of a mail as its reader would copy them; each also stands on its own line of the plain text. */
export function readKeys({ html, text }: MailboxMail): string[] {
  const codes = [...html.matchAll(/<code[^>]*>([\s\S]*?)<\/code>/g)].map(([, code]) =>
    code!.replace(/&(#?\w+);/g, (all, name) => ENTITIES[name] ?? all),
  );
  for (const code of codes) expect(text.split("\n")).toContain(code);
  return codes;
}
