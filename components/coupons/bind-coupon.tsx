"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { LocalTimes } from "@/components/ui/local-times";
import { ErrorNotice } from "@/components/ui/notice";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { CouponPreview, CouponView } from "@/lib/coupons/contract";
import { api } from "@/lib/platform/api/client";
import { useCouponTerms } from "./use-coupon-terms";

/** Offers to save the cart's coupon to the account, and states that ordering with it does the same. */
export function BindCoupon({ code, onBound }: { code: string; onBound: (code: string) => void }) {
  const t = useTranslations("coupons.bind");
  const binding = useBind(({ coupon_code }) => onBound(coupon_code));
  return (
    <>
      <div className="text-13 text-quiet">
        <p>{t("with_order")}</p>
        <button
          type="button"
          aria-disabled={binding.pending}
          onClick={() => !binding.pending && void binding.lookUp(code)}
          className="text-link min-h-11 cursor-pointer font-medium"
        >
          {t("keep")}
        </button>
      </div>
      <BindDialog binding={binding} />
    </>
  );
}

/** Asks for confirmation before binding the coupon. A refusal is shown in the same dialog. */
function BindDialog({ binding: { step, pending, bind, close } }: { binding: CouponBinding }) {
  const t = useTranslations("coupons.bind");
  const coupon = step?.coupon;
  return (
    <Dialog
      open={step !== null}
      onClose={close}
      title={step?.refusal ? t(`refused.${titleKey(step.refusal.code)}`) : t("title")}
      closeLabel={t("close")}
      actions={
        coupon ? (
          <>
            <Button onClick={close}>{t("cancel")}</Button>
            <Button look="primary" pending={pending} onClick={() => bind(coupon.coupon_code)}>
              {t("confirm")}
            </Button>
          </>
        ) : (
          step && <ErrorActions refusal={step.refusal} onClose={close} />
        )
      }
    >
      {coupon ? <Confirmation coupon={coupon} /> : step && <ErrorNotice>{step.refusal.message}</ErrorNotice>}
    </Dialog>
  );
}

/** A personal code is bound to the account, a public code creates a coupon (docs/product.md#44-coupon). */
function Confirmation({ coupon }: { coupon: CouponPreview }) {
  const t = useTranslations("coupons.bind");
  const { worth, terms } = useCouponTerms();
  const { coupon_code: code, shared, title } = coupon;
  return (
    <>
      <div className="flex items-baseline gap-4 border-y border-hairline py-3">
        <span className="figures text-21 font-semibold whitespace-nowrap">{worth(coupon)}</span>
        <span className="min-w-0">
          <span className="block font-medium">{title}</span>
          <span className="block text-13 text-quiet first-letter:uppercase">
            <LocalTimes of={[coupon.starts_at, coupon.expires_at]}>{terms(coupon)}</LocalTimes>
          </span>
        </span>
      </div>
      <p className="wrap-anywhere">{shared ? t("warning_shared", { code }) : t("warning", { code })}</p>
    </>
  );
}

function ErrorActions({ refusal, onClose }: { refusal: BindError; onClose: () => void }) {
  const t = useTranslations("coupons.bind");
  return (
    <>
      <Button look={refusal.code in REMEDIES ? "secondary" : "primary"} onClick={onClose}>
        {t("close")}
      </Button>
      <BindErrorLink {...refusal} primary />
    </>
  );
}

/** The pages where a user can clear the cause of a refusal, with their labels. */
const REMEDIES = {
  "401": { path: "/login", label: "login" },
  "40311": { path: "/profile", label: "verify" },
} as const;

type BindErrorLinkProps = Omit<BindError, "message"> & { primary?: boolean };

export function BindErrorLink({ code, returnPath, primary }: BindErrorLinkProps) {
  const t = useTranslations("coupons.bind");
  if (code !== "401" && code !== "40311") return null;
  const { path, label } = REMEDIES[code];
  return (
    <ButtonLink
      look={primary ? "primary" : "secondary"}
      href={`${path}?redirect=${encodeURIComponent(returnPath)}`}
    >
      {t(label)}
    </ButtonLink>
  );
}

/** The dialog's title for a refusal (docs/product.md#92-messages). */
const TITLES = {
  "401": "waiting",
  "40311": "waiting",
  "40403": "unknown",
  "40908": "already_bound",
  "41001": "expired",
  "42501": "early",
  "409": "used",
  "40301": "claimed",
  "": "failed",
  "500": "failed",
} as const;
const titleKey = (code: string): (typeof TITLES)[keyof typeof TITLES] | "other" =>
  code in TITLES ? TITLES[code as keyof typeof TITLES] : "other";

/** A refusal with the return address for the login. */
type BindError = { code: string; message: string; returnPath: string };
type BindStep = { coupon: CouponPreview; refusal?: never } | { refusal: BindError; coupon?: never };
type CouponBinding = ReturnType<typeof useBind>;

/** Saves a coupon to the account in three steps: look up the code, ask for confirmation, bind. */
function useBind(onBound: (coupon: CouponView) => void) {
  const t = useTranslations("coupons.bind");
  const { pending, run } = useCall(useTranslations("errors")("network"));
  const [step, setStep] = useState<BindStep | null>(null);

  function showError({ code, message }: { code: string; message: string }) {
    setStep({ refusal: { code, message, returnPath: location.pathname + location.search } });
  }

  async function lookUp(code: string) {
    const result = await run((options) => api.post("/auth/coupon/preview", { coupon_code: code }, options));
    if (result.ok) setStep({ coupon: result.data });
    else showError(result);
  }

  async function bind(code: string) {
    const result = await run((options) => api.post("/auth/coupon/bind", { coupon_code: code }, options));
    if (!result.ok) return showError(result);
    showToast(t("bound"), "good");
    setStep(null);
    onBound(result.data);
  }

  return { step, pending, lookUp, bind, close: () => setStep(null) };
}

/** Adds a coupon to the account: it looks up the code and then asks for confirmation. */
export function AddCoupon() {
  const t = useTranslations("coupons.add");
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string>();
  const binding = useBind(() => {
    form.current?.reset();
    router.refresh();
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("coupon_code")).trim();
    if (code) return binding.pending ? undefined : void binding.lookUp(code);
    setError(t("missing"));
    form.current?.querySelector("input")?.focus();
  }

  return (
    <>
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        onChange={() => setError(undefined)}
        className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch"
      >
        <TextInput
          label={t("code")}
          hideLabel
          placeholder={t("code")}
          error={error}
          name="coupon_code"
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="min-w-0 flex-1"
        />
        <Button type="submit" pending={binding.pending && binding.step === null}>
          {t("submit")}
        </Button>
      </form>
      <BindDialog binding={binding} />
    </>
  );
}
