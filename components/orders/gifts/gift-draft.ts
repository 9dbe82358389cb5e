import type { GiftView } from "@/lib/orders/gifts/contract";

/** What the giver typed. `day` is null until the giver chooses one: today. */
export type GiftDraft = { recipient: string; day: string | null; message: string; from: string };

export const toDraft = (gift: GiftView | null): GiftDraft => ({
  recipient: gift?.recipient_email ?? "",
  day: gift?.deliver_on ?? null,
  message: gift?.message ?? "",
  from: gift?.from_name ?? "",
});

const storageKey = (orderId: string) => `passlane:gift:${orderId}`;

/** Keeps the unsaved gift of an order in this tab; null deletes it. */
export function keepGiftDraft(orderId: string, draft: GiftDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(storageKey(orderId), JSON.stringify(draft));
    else sessionStorage.removeItem(storageKey(orderId));
  } catch {
    // Storage may be blocked. A reload then shows what the order has saved.
  }
}

/** The unsaved gift of an order that this tab keeps; null: none. */
export function readGiftDraft(orderId: string): GiftDraft | null {
  try {
    const stored = JSON.parse(
      sessionStorage.getItem(storageKey(orderId)) ?? "null",
    ) as Partial<GiftDraft> | null;
    if (!stored) return null;
    const text = (value: unknown) => (typeof value === "string" ? value : "");
    return {
      recipient: text(stored.recipient),
      day: text(stored.day) || null,
      message: text(stored.message),
      from: text(stored.from),
    };
  } catch {
    return null;
  }
}
