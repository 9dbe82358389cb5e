"use client";

import { useEffect, useState } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Button, ButtonLink } from "@/components/ui/button";
import { Dated } from "@/components/ui/dated";
import { FieldError } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { Ticket } from "@/components/ui/ticket/ticket";
import { showToast } from "@/components/ui/toast";
import type { CouponView, FreeVoucher } from "@/lib/coupons/contract";
import { lazyPost } from "@/lib/platform/api/lazy-client";
import { formatMoment } from "@/lib/platform/format";
import { WRITING } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { VoucherLabels } from "./free-passes-screen";

/** A free voucher, claimed with one press. Guests log in first and return here. */
export function VoucherClaim({
  initial,
  worth,
  title,
  terms,
  labels,
}: {
  initial: FreeVoucher;
  worth: string;
  title: string;
  terms: string;
  labels: VoucherLabels;
}) {
  const session = useSessionSummary();
  const ownVouchers = useVouchers(session?.signedIn === true);
  const [pending, setPending] = useState(false);
  const [claimedCoupon, setClaimedCoupon] = useState<CouponView>();
  const [problem, setProblem] = useState<{ code: string; message: string }>();
  const voucher = ownVouchers?.find(({ type }) => type === initial.type) ?? initial;
  const coupon = claimedCoupon ?? voucher.coupon;

  async function claim() {
    setPending(true);
    setProblem(undefined);
    const result = await lazyPost("/voucher/free/claim", { type: initial.type }, labels.network);
    setPending(false);
    if (!result.ok) return setProblem(result);
    setClaimedCoupon(result.data);
    showToast(labels.done, "good");
  }

  return (
    <Ticket
      className="[--stub:11rem]"
      stub={
        <div className="flex h-full items-center px-5 py-3">
          <span className="figures text-28 font-semibold whitespace-nowrap">{worth}</span>
        </div>
      }
    >
      <div className="flex h-full flex-col gap-3 p-4 @min-[440px]:p-5">
        <div>
          <h3 className="text-17">{title}</h3>
          <p className="pt-1 text-13 text-quiet">{terms}</p>
        </div>
        <div className="mt-auto flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2" aria-live="polite">
          {coupon ? (
            <ClaimedCoupon coupon={coupon} labels={labels} />
          ) : voucher.state !== "available" ? (
            <p className="text-13 text-quiet">{unavailableReason(voucher, labels)}</p>
          ) : session?.signedIn === false ? (
            <ReturnLink to="/login" text={labels.login} />
          ) : (
            <Button pending={pending} onClick={claim}>
              {labels.claim}
            </Button>
          )}
        </div>
        {problem && (
          <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <FieldError>{problem.message}</FieldError>
            {problem.code === "40311" && <ReturnLink to="/profile" text={labels.verify} />}
          </div>
        )}
      </div>
    </Ticket>
  );
}

function ClaimedCoupon({ coupon, labels }: { coupon: CouponView; labels: VoucherLabels }) {
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  if (coupon.held && coupon.order_id)
    return (
      <>
        <p className="text-13 text-quiet">{labels.held}</p>
        <Link href={`/order-history?order_id=${coupon.order_id}`} className="text-link text-13">
          {labels.order}
        </Link>
      </>
    );
  if (coupon.state !== "valid")
    return <p className="text-13 text-quiet">{coupon.state === "used" ? labels.spent : labels.tomorrow}</p>;
  return (
    <>
      <ButtonLink href={`/cart?coupon=${encodeURIComponent(coupon.coupon_code)}`}>{labels.use}</ButtonLink>
      <p className="text-13 text-quiet">
        {labels.claimed}
        {coupon.expires_at && (
          <Dated>{`${WRITING[locale] === "spaced" ? " " : ""}${labels.until.replace("{moment}", formatMoment(coupon.expires_at, locale, timeZone))}`}</Dated>
        )}
      </p>
    </>
  );
}

/** Leads to the login or to the email verification of the profile, and from there back to this page. */
function ReturnLink({ to, text }: { to: "/login" | "/profile"; text: string }) {
  const returnPath = encodeURIComponent(localizedPath("/free-voucher", useSurface()));
  return <ButtonLink href={`${to}?redirect=${returnPath}`}>{text}</ButtonLink>;
}

function unavailableReason({ state, type }: FreeVoucher, labels: VoucherLabels): string {
  if (state === "not_eligible") return labels.notEligible;
  if (state === "unavailable") return labels.unavailable;
  return type === "daily" ? labels.tomorrow : labels.elsewhere;
}

let request: Promise<FreeVoucher[] | null> | undefined;

/** The user's state of the free vouchers, requested once per page for all components. Null until it is loaded. */
function useVouchers(signedIn: boolean): FreeVoucher[] | null {
  const [vouchers, setVouchers] = useState<FreeVoucher[] | null>(null);
  useEffect(() => {
    if (!signedIn) return;
    request ??= load().catch(() => null);
    void request.then(setVouchers);
    return () => {
      request = undefined;
    };
  }, [signedIn]);
  return vouchers;
}

async function load(): Promise<FreeVoucher[] | null> {
  const { api } = await import("@/lib/platform/api/client");
  const result = await api.get("/voucher/free/status");
  return result.ok ? result.data.items : null;
}
