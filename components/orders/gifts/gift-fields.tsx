"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTimeZone } from "@/components/ui/local-time";
import { EmailInput, TextArea, TextInput } from "@/components/ui/text-input";
import { GIFT_DAYS_AHEAD, GIFT_FROM_MAX, GIFT_MESSAGE_MAX } from "@/lib/orders/gifts/rules";
import type { FieldIssue } from "@/lib/platform/errors";
import { addDays, zonedDay } from "@/lib/platform/zoned-day";
import type { GiftDraft } from "./gift-draft";

/** The body of `/order/gift/save`. */
export const toGiftInput = (orderId: string, { recipient, day, message, from }: GiftDraft) => ({
  order_id: orderId,
  recipient_email: recipient.trim(),
  message,
  ...(from.trim() && { from_name: from }),
  ...(day && { deliver_on: day }),
});

/** The names of the fields, as the call names them in its errors. */
export const GIFT_FIELDS = ["recipient_email", "from_name", "deliver_on", "message"] as const;

/** Recipient, day and message of a gift. `now`: the server's time. */
export function GiftFields({
  draft,
  errors,
  now,
  free,
  onChange,
}: {
  draft: GiftDraft;
  errors: readonly FieldIssue[];
  now: string;
  /** A free order names no giver. */
  free: boolean;
  onChange: (draft: GiftDraft) => void;
}) {
  const t = useTranslations("orders.gift");
  const today = zonedDay(new Date(now), useTimeZone());
  const [firstDay] = useState(draft.day);
  const error = (path: (typeof GIFT_FIELDS)[number]) => errors.find((issue) => issue.path === path)?.message;
  return (
    <div className="flex flex-col gap-4">
      <EmailInput
        label={t("recipient")}
        name="recipient_email"
        autoComplete="off"
        required
        error={error("recipient_email")}
        value={draft.recipient}
        onChange={(event) => onChange({ ...draft, recipient: event.target.value })}
      />
      {!free && (
        <TextInput
          label={t("from")}
          hint={t("from_hint")}
          name="from_name"
          autoComplete="name"
          maxLength={GIFT_FROM_MAX}
          error={error("from_name")}
          value={draft.from}
          onChange={(event) => onChange({ ...draft, from: event.target.value })}
        />
      )}
      <TextInput
        label={t("date")}
        hint={t("date_hint")}
        className="max-w-80"
        type="date"
        name="deliver_on"
        required
        error={error("deliver_on")}
        min={firstDay !== null && firstDay < today ? firstDay : today}
        max={addDays(today, GIFT_DAYS_AHEAD)}
        value={draft.day ?? today}
        onChange={(event) => onChange({ ...draft, day: event.target.value || null })}
      />
      <TextArea
        label={t("message")}
        hint={t("message_hint")}
        name="message"
        maxLength={GIFT_MESSAGE_MAX}
        error={error("message")}
        value={draft.message}
        onChange={(event) => onChange({ ...draft, message: event.target.value })}
      />
    </div>
  );
}

/** Moves the focus to the first field with an error. */
export function focusGiftError(errors: readonly FieldIssue[]): void {
  const name = GIFT_FIELDS.find((field) => errors.some((issue) => issue.path === field));
  if (name) document.getElementsByName(name)[0]?.focus();
}
