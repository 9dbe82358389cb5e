"use client";

import { useTranslations } from "next-intl";
import { ShortTime } from "@/components/console/time";
import type { ConsoleWarning } from "@/lib/orders/console/contract-warnings";

export const isSeen = ({ mailed_at, revealed_at }: ConsoleWarning["codes"][number]) =>
  (mailed_at ?? revealed_at) !== null;

/** Each code by its reference, and when it was mailed and shown. */
export function Shown({ codes }: { codes: ConsoleWarning["codes"] }) {
  const t = useTranslations("console.fraud_warnings");
  if (codes.length === 0) return <>{t("no_codes")}</>;
  return (
    <ul className="text-13">
      {codes.map(({ key_id, mailed_at, revealed_at }) => (
        <li key={key_id} className="flex flex-wrap gap-x-3">
          <code className="font-mono text-quiet">{key_id}</code>
          {mailed_at && (
            <span>
              {t("mailed")} <ShortTime at={mailed_at} />
            </span>
          )}
          {revealed_at && (
            <span>
              {t("revealed")} <ShortTime at={revealed_at} />
            </span>
          )}
          {!mailed_at && !revealed_at && <span>{t("unseen")}</span>}
        </li>
      ))}
    </ul>
  );
}
