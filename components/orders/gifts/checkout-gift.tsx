"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Dated } from "@/components/ui/dated";
import { showToast } from "@/components/ui/toast";
import type { OrderDetail } from "@/lib/orders/contract";
import { api } from "@/lib/platform/api/client";
import type { FieldIssue } from "@/lib/platform/errors";
import { type GiftDraft, keepGiftDraft, readGiftDraft, toDraft } from "./gift-draft";
import { focusGiftError, GiftFields, toGiftInput } from "./gift-fields";

type CheckoutGiftState = ReturnType<typeof useGift>;

/**
 * The gift of the order: ticked, and to whom. It is saved with the payment, and nothing is paid when it cannot be saved.
 * What is typed stays in the tab, so that a reload, or the way back from a failed payment, does not make it a purchase for the
 * buyer.
 * `reload` reloads the order, because a refusal may mean that another tab has paid it.
 */
export function useGift(order: OrderDetail, reload: () => Promise<unknown>) {
  const networkMessage = useTranslations("errors")("network");
  const [given, setGiven] = useState(order.gift !== null);
  const [draft, setDraft] = useState(toDraft(order.gift));
  const [errors, setErrors] = useState<readonly FieldIssue[]>([]);
  const stored = useRef(order.gift !== null);
  const orderId = order.order_id;
  const opened = useRef(order);
  useEffect(() => {
    const kept = readGiftDraft(orderId, opened.current);
    if (!kept) return;
    setGiven(kept.given);
    setDraft(kept.draft);
  }, [orderId]);

  async function send() {
    const options = { networkMessage };
    if (given)
      return api.post(
        "/order/gift/save",
        toGiftInput(order.order_id, order.final_amount === 0 ? { ...draft, from: "" } : draft),
        options,
      );
    return api.post("/order/gift/remove", { order_id: order.order_id }, options);
  }

  return {
    given,
    draft,
    errors,
    give: (checked: boolean) => {
      setGiven(checked);
      setErrors([]);
      keepGiftDraft(orderId, checked ? draft : null);
    },
    change: (changed: GiftDraft) => {
      setDraft(changed);
      keepGiftDraft(orderId, changed);
    },
    /** Saves what the page shows. Returns false when it cannot be saved. */
    async settle(): Promise<boolean> {
      if (!given && !stored.current) return true;
      setErrors([]);
      const result = await send();
      if (result.ok) {
        stored.current = given;
        keepGiftDraft(orderId, given ? draft : null);
        return true;
      }
      setErrors(result.errors);
      focusGiftError(result.errors);
      if (result.code === "401") return false; // The page asks for the login, and keeps what was typed.
      if (result.errors.length === 0) {
        showToast(result.message, "bad");
        await reload();
      }
      return false;
    },
  };
}

/** The tick that makes the order a gift, and its fields. */
export function CheckoutGift({ order, gift }: { order: OrderDetail; gift: CheckoutGiftState }) {
  const t = useTranslations("orders.gift");
  return (
    <div className="flex flex-col">
      <Checkbox
        name="gift"
        label={t("toggle")}
        hint={<Dated>{t("toggle_hint")}</Dated>}
        checked={gift.given}
        onChange={(event) => gift.give(event.target.checked)}
      />
      {gift.given && (
        <div className="flex flex-col gap-3 pt-2 pb-2 pl-8">
          <GiftFields
            draft={gift.draft}
            errors={gift.errors}
            now={order.server_time}
            free={order.final_amount === 0}
            onChange={gift.change}
          />
          <p className="text-13 text-quiet">{t("refund_hint")}</p>
        </div>
      )}
    </div>
  );
}
