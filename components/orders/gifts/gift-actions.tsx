"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ConfirmAction } from "@/components/orders/history/order-actions";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { GiftView } from "@/lib/orders/gifts/contract";
import { api } from "@/lib/platform/api/client";
import type { FieldIssue } from "@/lib/platform/errors";
import { toDraft } from "./gift-draft";
import { focusGiftError, GiftFields, toGiftInput } from "./gift-fields";

/** Changes recipient, name, day and message of a gift that was not sent. `free`: the order names no giver. */
export function ChangeGift({
  orderId,
  gift,
  now,
  free,
}: {
  orderId: string;
  gift: GiftView;
  now: string;
  free: boolean;
}) {
  const t = useTranslations("orders.gift");
  const router = useRouter();
  const { pending, problem, setProblem, run } = useCall(useTranslations("errors")("network"));
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(toDraft(gift));
  const [errors, setErrors] = useState<readonly FieldIssue[]>([]);
  const close = () => setOpen(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    setErrors([]);
    const result = await run((options) => api.post("/order/gift/save", toGiftInput(orderId, draft), options));
    if (!result.ok) {
      setErrors(result.errors);
      if (result.errors.length > 0) setProblem("");
      return focusGiftError(result.errors);
    }
    close();
    showToast(t("saved"), "good");
    router.refresh();
  }

  return (
    <>
      <Button
        look="quiet"
        onClick={() => {
          setDraft(toDraft(gift));
          setErrors([]);
          setProblem("");
          setOpen(true);
        }}
      >
        {t("change")}
      </Button>
      <Dialog open={open} onClose={close} title={t("change_title")} closeLabel={t("close")}>
        <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
          {open && <GiftFields draft={draft} errors={errors} now={now} free={free} onChange={setDraft} />}
          <ErrorNotice>{problem}</ErrorNotice>
          <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">
            <Button onClick={close}>{t("cancel")}</Button>
            <Button look="primary" type="submit" pending={pending}>
              {t("save")}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

/** Takes a gift back before it is sent: its codes move to the giver's library. */
export function KeepGift({ orderId }: { orderId: string }) {
  const t = useTranslations("orders.gift");
  const router = useRouter();
  return (
    <ConfirmAction
      labels={{ button: t("keep"), title: t("keep_title"), keep: t("cancel"), confirm: t("keep") }}
      send={(options) => api.post("/order/gift/remove", { order_id: orderId }, options)}
      onDone={() => {
        showToast(t("kept"), "good");
        router.refresh();
      }}
    >
      <p>{t("keep_text")}</p>
    </ConfirmAction>
  );
}

/** Sends the email of a gift again, with a new link. */
export function ResendGift({ orderId }: { orderId: string }) {
  const t = useTranslations("orders.gift");
  const router = useRouter();
  return (
    <ConfirmAction
      labels={{ button: t("resend"), title: t("resend_title"), keep: t("cancel"), confirm: t("resend") }}
      send={(options) => api.post("/order/gift/resend", { order_id: orderId }, options)}
      onDone={() => {
        showToast(t("resent"), "good");
        router.refresh();
      }}
    >
      <p>{t("resend_text")}</p>
    </ConfirmAction>
  );
}
