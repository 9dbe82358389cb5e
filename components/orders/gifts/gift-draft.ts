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
const AGAIN_KEY = "passlane:gift-again";

/** Keeps the unsaved gift of an order in this tab; null deletes it. */
export function keepGiftDraft(orderId: string, draft: GiftDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(storageKey(orderId), JSON.stringify(draft));
    else sessionStorage.removeItem(storageKey(orderId));
  } catch {
    // Storage may be blocked. A reload then shows what the order has saved.
  }
}

type GiftedPasses = { gift: GiftView | null; order_products: readonly { vip_id: number }[] };

/** The passes of an order, the same for another order of them, also of more. */
const passesOf = ({ order_products: lines }: GiftedPasses) =>
  lines
    .map(({ vip_id }) => vip_id)
    .sort((one, other) => one - other)
    .join();

/** Keeps a gift in this tab for the next order of the same passes. `given`: that order is a gift unless its buyer unticks it. */
export function keepGiftForAgain(order: GiftedPasses, given: boolean): void {
  const { gift } = order;
  if (!gift) return;
  const draft = { ...toDraft(gift), day: given && !gift.due ? gift.deliver_on : null };
  try {
    sessionStorage.setItem(AGAIN_KEY, JSON.stringify({ passes: passesOf(order), given, draft }));
  } catch {
    // Storage may be blocked: the giver fills it in again.
  }
}

/** The gift that an order of the same passes was before; null: there was none. */
function findGiftOfBefore(order: GiftedPasses): KeptGift | null {
  const stored = JSON.parse(sessionStorage.getItem(AGAIN_KEY) ?? "null") as {
    passes?: unknown;
    given?: unknown;
    draft?: Partial<GiftDraft>;
  } | null;
  if (!stored?.draft || stored.passes !== passesOf(order)) return null;
  return { given: stored.given === true, draft: toText(stored.draft) };
}

type KeptGift = { given: boolean; draft: GiftDraft };

/** The gift that this tab keeps of an order, or of an earlier one of the same passes; null: none. */
export function readGiftDraft(orderId: string, order: GiftedPasses): KeptGift | null {
  try {
    const stored = JSON.parse(
      sessionStorage.getItem(storageKey(orderId)) ?? "null",
    ) as Partial<GiftDraft> | null;
    if (stored) return { given: true, draft: toText(stored) };
    const before = order.gift ? null : findGiftOfBefore(order);
    if (before?.given) {
      // It is this order's now, and no other's.
      keepGiftDraft(orderId, before.draft);
      sessionStorage.removeItem(AGAIN_KEY);
    }
    return before;
  } catch {
    return null;
  }
}

function toText(stored: Partial<GiftDraft>): GiftDraft {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    recipient: text(stored.recipient),
    day: text(stored.day) || null,
    message: text(stored.message),
    from: text(stored.from),
  };
}
