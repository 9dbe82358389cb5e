import type { ReactNode } from "react";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { MailTranslator } from "./translator";

/** Where a mail is written: its words, its language, and the shop it comes from. */
export type MailContext = {
  t: MailTranslator;
  locale: Locale;
  /** The shop's name. */
  brand: string;
  /** The absolute address of a desktop path in the mail's language. */
  link(path: string): string;
};

/** One kind of mail: everything it says comes from its props and the messages, so equal props give equal bytes. */
export type MailTemplate<Props> = {
  subject(props: Props, context: MailContext): string;
  /** The line that lists show beside the subject. */
  preview(props: Props, context: MailContext): string;
  body(props: Props, context: MailContext): ReactNode;
};

/** Of a bulk mail: the desktop path that ends this kind of mail for its reader. */
export type Bulk = { unsubscribePath: string };
