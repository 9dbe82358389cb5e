import { useLocale, useTranslations } from "next-intl";
import { ClockRing } from "@/components/ui/clock-ring";
import type { LibraryItem } from "@/lib/delivery/contract";
import { durationSpan, remainingSpan } from "@/lib/platform/format";

type Clocked = Pick<LibraryItem, "duration_days" | "ends_at">;

/** How long a clock shows its whole span, in milliseconds. */
const FIRST_MS = 3_600_000;

/** The clock of a pass: whole until its code is shown or its owner says when it began, then what is left of it. */
export function PassClock({ pass, serverTime }: { pass: Clocked; serverTime: string }) {
  const t = useTranslations("delivery.clock");
  const locale = useLocale();
  const left = pass.ends_at ? Math.max(0, Date.parse(pass.ends_at) - Date.parse(serverTime)) : null;
  const total = (pass.duration_days ?? 0) * 86_400_000;
  const whole = durationSpan(pass.duration_days, locale);
  // A pass that has just begun is still the pass that was bought: "6 days" seconds after seven looks like a mistake.
  const span =
    left === null || total - left < FIRST_MS
      ? { ...whole, said: `${whole.value} ${whole.unit}`.trim() }
      : remainingSpan(left, locale);
  const spoken = span.said;
  const label =
    pass.duration_days === null
      ? t("lifetime")
      : left === null
        ? t("not_started", { span: spoken })
        : left === 0
          ? t("ended")
          : t("left", { span: spoken });
  return (
    <ClockRing
      fraction={left === null || total === 0 ? null : left / total}
      value={span.value}
      unit={pass.duration_days === null ? undefined : span.unit}
      label={label}
    />
  );
}
