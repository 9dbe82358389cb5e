import { type APIRequestContext, expect } from "@playwright/test";
import type { MailboxMail } from "@/lib/notifications/contract";
import type { MailEvent } from "@/lib/notifications/rules";

/** Emails of the local mailbox to an address, newest first; `event` selects one kind. */
async function mailsTo(
  request: APIRequestContext,
  address: string,
  event?: MailEvent,
): Promise<MailboxMail[]> {
  const response = await request.get(`/dev/mailbox.json?to=${encodeURIComponent(address)}`);
  const mails = (await response.json()) as MailboxMail[];
  return event ? mails.filter((mail) => mail.event === event) : mails;
}

/** Waits for the nth email of one kind and returns the newest. */
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
      { message: `${nth} ${event} mail to ${address}`, timeout: 120_000, intervals: [100, 200] },
    )
    .toBeGreaterThanOrEqual(nth);
  return found[0]!;
}

/** The number of emails of one kind to an address. */
export async function countMails(request: APIRequestContext, address: string, event: MailEvent) {
  return (await mailsTo(request, address, event)).length;
}

/** The verification code mailed to an address; `nth` counts its codes. */
export async function verificationCode(
  request: APIRequestContext,
  address: string,
  nth = 1,
): Promise<string> {
  const { text } = await waitForMail(request, address, "verification-code", nth);
  return /(?<!\d)\d{6}(?!\d)/.exec(text)![0];
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" };

/** The keys in the HTML of an email; each must also be a line of its plain text. */
export function readKeys({ html, text }: MailboxMail): string[] {
  const codes = [...html.matchAll(/<code[^>]*>([\s\S]*?)<\/code>/g)].map(([, code]) =>
    code!.replace(/&(#?\w+);/g, (all, name) => ENTITIES[name] ?? all),
  );
  for (const code of codes) expect(text.split("\n")).toContain(code);
  return codes;
}
