import type { ReactNode } from "react";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { MailTranslator } from "./translator";

/** The context of an email: its translator and language, and the shop that sends it. */
export type MailContext = {
  t: MailTranslator;
  locale: Locale;
  /** Between two sentences: a space, or nothing in Chinese and Japanese. */
  gap: string;
  /** IANA name of the zone in which times are written; a moment names it. */
  timeZone: string;
  /** The number of the order that the email is about; null: another email, or one queued before orders had numbers. */
  orderNumber: string | null;
  brand: string;
  /** who sells, with address and registration, in one line */
  seller: string;
  /** The absolute URL of a desktop path in the email's language. */
  link(path: string): string;
  /** The absolute URL of a picture. */
  picture(path: string): string;
};

/** The template of an email event. It uses only its props and the messages, so equal props give equal bytes. */
export type MailTemplate<Props> = {
  subject(props: Props, context: MailContext): string;
  /** The preview text that email lists show after the subject. */
  preview(props: Props, context: MailContext): string;
  body(props: Props, context: MailContext): ReactNode;
  /** Why the recipient gets it, in the foot; without one, that the address was given to the shop. */
  why?(context: MailContext): string;
};

/** For bulk emails: the desktop path that unsubscribes the recipient from this kind of email. */
export type BulkOptions = { unsubscribePath: string };

/** What the outbox knows about an email. `timeZone`: null is UTC. */
export type MailOptions = { bulk?: BulkOptions; timeZone?: string | null; orderNumber?: string | null };
