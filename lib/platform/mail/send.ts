import { createHash } from "node:crypto";
import nodemailer, { type Transporter } from "nodemailer";
import { Resend } from "resend";
import { currentDryRun } from "@/lib/platform/dry-run-scope";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { observe } from "@/lib/platform/telemetry/telemetry";
import { withTimeout } from "@/lib/platform/with-timeout";
import { EMAIL, isSender, parseAddress } from "./address";
import { storeMail } from "./mailbox";

export type OutgoingMail = {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Additional to From, To, Subject, Date and Message-ID. */
  headers?: Record<string, string>;
  /** `Name <address>`; default MAIL_FROM. */
  from?: string;
  /** The address for replies; default: the support's, when it differs from the sender. */
  replyTo?: string;
  /** Tags for the provider's statistics and the local mailbox: letters, digits, `_` and `-`. */
  tags?: Record<string, string>;
  /** Idempotency key: the provider sends it once, the local mailbox keeps one file. */
  idempotencyKey: string;
};

/** This email can never be sent; a retry would not help. */
export class UndeliverableEmailError extends Error {
  override name = "MailRefused";
}

/**
 * Sends an email through MAIL_MODE's transport (docs/reliability.md#mail-provider). Resolves when it was accepted.
 * @throws UndeliverableEmailError for an invalid address, a header with a line break, or a permanent refusal; other
 * errors may be temporary.
 */
export async function sendMail(mail: OutgoingMail): Promise<void> {
  if (currentDryRun()) throw new Error("a dry run sends no email");
  const message = prepare(mail);
  await observe({ kind: "provider", name: `mail ${env().MAIL_MODE}` }, () => deliver(message));
}

async function deliver(message: Message): Promise<void> {
  if (env().MAIL_MODE === "resend") return sendByResend(message);
  if (env().MAIL_MODE === "smtp") return sendBySmtp(message);
  const { id, to, subject, text, html, tags, from, replyTo, messageId, headers } = message;
  const allHeaders = {
    From: from,
    ...(replyTo && { "Reply-To": replyTo }),
    To: to,
    Subject: subject,
    "Message-ID": messageId,
    ...headers,
  };
  await storeMail({ id, to, subject, text, html, tags, headers: allHeaders }, message.idempotencyKey);
}

/** `replyTo`: the address for replies, when it differs from the sender. */
type Message = Required<Omit<OutgoingMail, "replyTo">> & { messageId: string; replyTo?: string };

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const RESERVED_HEADERS = new Set([
  "from",
  "to",
  "cc",
  "bcc",
  "subject",
  "date",
  "message-id",
  "reply-to",
  "sender",
  "content-type",
]);

/** Rejects values that could change the envelope or add headers. */
function prepare(mail: OutgoingMail): Message {
  const from = mail.from ?? env().MAIL_FROM;
  const sender = parseAddress(from);
  if (!EMAIL.test(mail.to.toLowerCase()))
    throw new UndeliverableEmailError("the address is not a single email address");
  if (!isSender(from)) throw new UndeliverableEmailError("MAIL_FROM contains no email address");
  for (const [name, value] of Object.entries({ ...mail.headers, subject: mail.subject, from })) {
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(name) || CONTROL.test(value))
      throw new UndeliverableEmailError(
        `the header ${JSON.stringify(name.slice(0, 40))} is not a single line`,
      );
  }
  for (const name of Object.keys(mail.headers ?? {}))
    if (RESERVED_HEADERS.has(name.toLowerCase()))
      throw new UndeliverableEmailError(`the header ${name} is reserved`);
  const token = createHash("sha256").update(mail.idempotencyKey).digest("hex").slice(0, 40);
  const messageId = `<${token}@${sender.slice(sender.lastIndexOf("@") + 1)}>`;
  if (mail.replyTo !== undefined && !EMAIL.test(mail.replyTo.toLowerCase()))
    throw new UndeliverableEmailError("the address for replies is not a single email address");
  const support = mail.replyTo ?? env().SUPPORT_EMAIL;
  const replyTo = support && support.toLowerCase() !== sender.toLowerCase() ? support : undefined;
  return { headers: {}, tags: {}, ...mail, from, messageId, replyTo };
}

const PROVIDER_TIMEOUT_MS = 20_000;
/** Limit of a whole SMTP dialogue, in which each answer may take PROVIDER_TIMEOUT_MS. */
const SMTP_TIMEOUT_MS = 60_000;
let resend: Resend | undefined;

async function sendByResend(message: Message) {
  const { id, messageId, idempotencyKey, ...mail } = message;
  resend ??= new Resend(env().RESEND_API_KEY, { baseUrl: env().RESEND_BASE_URL });
  const tags = Object.entries(mail.tags).map(([name, value]) => ({ name, value }));
  const call = resend.emails.send({ ...mail, tags }, { idempotencyKey });
  // The SDK has no deadline. The idempotency key makes a late success harmless.
  const timeout = () => new Error("the email provider did not respond in time");
  const { error } = await withTimeout(call, PROVIDER_TIMEOUT_MS, timeout);
  if (!error) return;
  // The provider has accepted this key with other content, from an earlier version of the template.
  if (error.name === "invalid_idempotent_request") {
    log.warn({ idempotencyKey }, "the provider accepted this email before with other content");
    return;
  }
  const failure = `Resend: ${error.name} ${error.message}`;
  if (error.name === "validation_error" && error.statusCode === 422)
    throw new UndeliverableEmailError(failure);
  throw new Error(failure);
}

let smtp: Transporter | undefined;

async function sendBySmtp({ id, tags, idempotencyKey, ...mail }: Message) {
  smtp ??= nodemailer.createTransport(env().SMTP_URL ?? "", {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: PROVIDER_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as nodemailer.TransportOptions);
  try {
    // Quoted-printable, so that no server reformats a line with a code.
    const sending = smtp.sendMail({ ...mail, encoding: "quoted-printable" });
    await withTimeout(sending, SMTP_TIMEOUT_MS, () => new Error("the email server did not respond in time"));
  } catch (error) {
    const { responseCode, command, message } = error as {
      responseCode?: number;
      command?: string;
      message: string;
    };
    if (command === "RCPT TO" && responseCode !== undefined && responseCode >= 500)
      throw new UndeliverableEmailError(`SMTP: ${message}`);
    throw error;
  }
}
