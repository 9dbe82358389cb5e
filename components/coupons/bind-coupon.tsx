"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/api-client";
import type { CouponView } from "@/lib/coupons/contract";

/** Offers to keep a coupon in the account, with the warning that it then works only there (spec §4). */
export function BindCoupon({ code, onBound }: { code: string; onBound: (code: string) => void }) {
  const t = useTranslations("coupons.bind");
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="text-link min-h-11 cursor-pointer self-start text-13 font-medium"
      >
        {t("keep")}
      </button>
      <BindDialog
        code={open ? code : null}
        onClose={() => setOpen(false)}
        onBound={(coupon) => {
          setOpen(false);
          onBound(coupon.coupon_code);
        }}
      />
    </>
  );
}

/** Asks before it binds; what the shop refuses is said in the same dialog, with nothing lost. */
export function BindDialog({
  code,
  onClose,
  onBound,
}: {
  code: string | null;
  onClose: () => void;
  onBound: (coupon: CouponView) => void;
}) {
  const t = useTranslations("coupons.bind");
  const network = useTranslations("errors")("network");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<{ title: string; text: string } | null>(null);

  function close() {
    setProblem(null);
    onClose();
  }

  async function bind() {
    if (code === null) return;
    setPending(true);
    const answer = await api.post("/auth/coupon/bind", { coupon_code: code }, { networkMessage: network });
    setPending(false);
    if (!answer.ok) return setProblem({ title: t(`refused.${titleOf(answer.code)}`), text: answer.message });
    showToast(t("bound"), "good");
    setProblem(null);
    onBound(answer.data);
  }

  return (
    <Dialog
      open={code !== null}
      onClose={close}
      title={problem?.title ?? t("title")}
      closeLabel={t("close")}
      actions={
        problem ? (
          <Button look="primary" onClick={close}>
            {t("close")}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{t("cancel")}</Button>
            <Button look="primary" pending={pending} onClick={bind}>
              {t("confirm")}
            </Button>
          </>
        )
      }
    >
      {problem ? (
        <Notice kind="bad" live>
          {problem.text}
        </Notice>
      ) : (
        <p>{t("warning", { code: code ?? "" })}</p>
      )}
    </Dialog>
  );
}

/** The dialog's title for a refusal (spec §8 "Coupon bind"). */
const TITLES = {
  "40908": "already_bound",
  "41001": "expired",
  "409": "used",
  "40301": "claimed",
  "": "failed",
  "500": "failed",
} as const;
const titleOf = (code: string): (typeof TITLES)[keyof typeof TITLES] | "other" =>
  code in TITLES ? TITLES[code as keyof typeof TITLES] : "other";
