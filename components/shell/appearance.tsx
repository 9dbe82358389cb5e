"use client";

import { useEffect, useState } from "react";
import { chooseCurrency, useCurrency } from "@/components/payments/currency";
import { Icon, type IconName } from "@/components/ui/icon";
import { CURRENCIES } from "@/lib/payments/exchange-rates/rules";
import { THEMES } from "@/lib/platform/pages/theme";

export type AppearanceLabels = { theme: string; themes: readonly string[]; currency: string };

/** Without the code, as while offline, the theme stays as it is. */
const withTheme = (use: (theme: typeof import("./show-theme")) => void) =>
  void import("./show-theme").then(use, () => {});

/** The reader's choices of theme and currency, kept in the browser (docs/product.md#33-what-the-browser-keeps). */
export function Appearance({ labels }: { labels: AppearanceLabels }) {
  const currency = useCurrency();
  const [theme, setTheme] = useState<string>("system");
  useEffect(() => {
    // The served page does not know the choice. The script in the head has shown it already.
    const chosen = document.documentElement.dataset.theme;
    if (!chosen) return;
    setTheme(chosen);
    withTheme(({ showTheme }) => showTheme(chosen));
  }, []);
  return (
    <>
      <PlainSelect
        label={labels.theme}
        icon="eye"
        options={THEMES}
        texts={labels.themes}
        value={theme}
        onChoose={(value) => {
          setTheme(value);
          withTheme(({ chooseTheme }) => chooseTheme(value));
        }}
      />
      <PlainSelect
        label={labels.currency}
        icon="card"
        options={CURRENCIES}
        value={currency ?? "USD"}
        onChoose={chooseCurrency}
      />
    </>
  );
}

function PlainSelect({
  label,
  icon,
  options,
  texts = options,
  value,
  onChoose,
}: {
  label: string;
  icon: IconName;
  options: readonly string[];
  texts?: readonly string[];
  value: string;
  onChoose: (value: string) => void;
}) {
  return (
    <label className="relative inline-flex items-center rounded-control hover:bg-tint">
      <span className="sr-only">{label}</span>
      <Icon name={icon} className="pointer-events-none absolute left-2.5" />
      <select
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className="field-sizing-content min-h-11 cursor-pointer appearance-none rounded-control bg-transparent pr-8 pl-9.5 font-medium [&>option]:bg-raised [&>option]:text-ink"
      >
        {options.map((option, index) => (
          <option key={option} value={option}>
            {texts[index]}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} className="pointer-events-none absolute right-2.5 text-quiet" />
    </label>
  );
}
