"use client";

import { useTranslations } from "next-intl";
import { ShortDate } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import type { EntryPayout } from "@/lib/payouts/money/contract";
import { formatPrice, toSignedCents } from "@/lib/platform/money";

/** What names a payout: its number, sum, day and state. */
export function PayoutHead({ payout: { payout_id, amount, at, state } }: { payout: EntryPayout }) {
  const t = useTranslations("console.ledger");
  const states = useTranslations("console.payouts.payout_state");
  const { locale } = useSurface();
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <span className="font-medium wrap-anywhere">{t("payout", { number: payout_id })}</span>
      <span className="figures">{formatPrice(toSignedCents(amount), locale)}</span>
      <span className="text-quiet">
        {states(state)} · <ShortDate at={at} />
      </span>
    </span>
  );
}
