import type { MailProps } from "@/emails/render";
import type { MailRefs } from "@/lib/notifications/queue-mail";
import type { MailEvent } from "@/lib/notifications/rules";
import { giftReturnedMail } from "@/lib/orders/gifts/gift-mails";
import type { Locale } from "@/lib/platform/i18n/locales";
import { delayMail } from "./delay-mail";
import { refundFailedMail, refundMail, refundRefusedMail, refundRequestedMail } from "./refund-mails";
import {
  orderCancelledMail,
  orderExpiringMail,
  orderPlacedMail,
  paymentFailedMail,
} from "./unpaid-order-mails";
import { withdrawalMail } from "./withdrawal-mail";

type Loaders = {
  [E in MailEvent]?: (refs: MailRefs, locale: Locale) => Promise<MailProps[E] | null>;
};

/** Email references hold lists of ids as comma-separated text. */
export const splitIds = (ids: unknown) =>
  String(ids ?? "")
    .split(",")
    .filter(Boolean);

/** The emails about an order without a code or a link that signs somebody in: how each is read, for sending and for staff. */
export const ORDER_MAILS = {
  "order-placed": ({ orderId }, locale) => orderPlacedMail(String(orderId), locale),
  "payment-failed": ({ orderId }, locale) => paymentFailedMail(String(orderId), locale),
  "order-cancelled": ({ orderId, paymentOpen }, locale) =>
    orderCancelledMail(String(orderId), Boolean(paymentOpen), locale),
  "order-expiring": ({ orderId }, locale) => orderExpiringMail(String(orderId), locale),
  "refund-requested": ({ requestId }, locale) => refundRequestedMail(String(requestId), locale),
  "refund-failed": ({ refundId }) => refundFailedMail(String(refundId)),
  "refund-refused": ({ requestId, note }, locale) =>
    refundRefusedMail(String(requestId), String(note), locale),
  "withdrawal-received": ({ withdrawalId, lineIds }, locale) =>
    withdrawalMail(String(withdrawalId), splitIds(lineIds), locale),
  "gift-returned": ({ orderId }, locale) => giftReturnedMail(String(orderId), locale),
  delay: ({ orderId }, locale) => delayMail(String(orderId), locale),
  refund: ({ refundId }, locale) => refundMail(String(refundId), locale),
  "email-changed": async ({ orderId, address }) => ({ orderId: String(orderId), address: String(address) }),
} satisfies Loaders;
