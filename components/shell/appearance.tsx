"use client";

import { useEffect, useState } from "react";
import { CURRENCIES } from "@/lib/payments/exchange-rates/rules";
import { THEMES } from "@/lib/platform/pages/theme";
import { chooseCurrency, useCurrency } from "./currency";
import { PlainSelect } from "./plain-select";

export type AppearanceLabels = { theme: string; themes: readonly string[]; currency: string };

/** Without the code, as while offline, the theme stays as it is. */
const withTheme = (use: (theme: typeof import("./show-theme")) => void) =>
  void import("./show-theme").then(use, () => {});

const withToast = (use: (toast: typeof import("@/components/ui/toast")) => void) =>
  void import("@/components/ui/toast").then(use, () => {});

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
        options={THEMES.map((option, i) => ({ value: option, text: labels.themes[i] ?? option }))}
        value={theme}
        onChoose={(value) => {
          setTheme(value);
          withTheme(({ chooseTheme }) => chooseTheme(value));
        }}
      />
      <PlainSelect
        label={labels.currency}
        icon="card"
        options={CURRENCIES.map((option) => ({ value: option, text: option }))}
        value={currency ?? "USD"}
        onChoose={(chosen) => {
          chooseCurrency(chosen);
          // The page may show no price in it: the label says where one is.
          if (chosen !== "USD") withToast(({ showToast }) => showToast(`${labels.currency}: ${chosen}`));
        }}
      />
    </>
  );
}
