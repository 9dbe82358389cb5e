import { useLocale, useTranslations } from "next-intl";
import { ClockRing } from "@/components/ui/clock-ring";
import type { LibraryItem } from "@/lib/delivery/contract";
import { durationSpan, remainingSpan } from "@/lib/platform/format";

type PassTimes = Pick<LibraryItem, "duration_days" | "ends_at">;

/** How long a started clock still shows its full duration, in milliseconds. */
const JUST_STARTED_MS = 3_600_000;

/**
 * The clock of a pass. It is full until the code is revealed or the owner enters the activation time. Then it shows
 * the remaining time.
 */
export function PassClock({ pass, serverTime }: { pass: PassTimes; serverTime: string }) {
  const t = useTranslations("delivery.clock");
  const locale = useLocale();
  const left = pass.ends_at ? Math.max(0, Date.parse(pass.ends_at) - Date.parse(serverTime)) : null;
  const total = (pass.duration_days ?? 0) * 86_400_000;
  const whole = durationSpan(pass.duration_days, locale);
  // A pass that has just started still shows its full duration, because "6 days" seconds after "7 days" looks like an
  // error.
  const span =
    left === null || total - left < JUST_STARTED_MS
      ? { ...whole, spoken: `${whole.value} ${whole.unit}`.trim() }
      : remainingSpan(left, locale);
  const remaining = span.spoken;
  const label =
    pass.duration_days === null
      ? t("lifetime")
      : left === null
        ? t("not_started", { span: remaining })
        : left === 0
          ? t("ended")
          : t("left", { span: remaining });
  return (
    <ClockRing
      fraction={left === null || total === 0 ? null : left / total}
      value={span.value}
      unit={pass.duration_days === null ? undefined : span.unit}
      label={label}
    />
  );
}
