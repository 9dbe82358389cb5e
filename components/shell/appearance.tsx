"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { chooseCurrency, useCurrency } from "@/components/payments/currency";
import { Icon, type IconName } from "@/components/ui/icon";
import { themeColors } from "@/components/ui/viewport";
import { CURRENCIES, isCurrency } from "@/lib/payments/exchange-rates/rules";
import { THEME_KEY, THEMES, type Theme } from "@/lib/platform/pages/theme";

export type AppearanceLabels = { theme: string; themes: readonly string[]; currency: string };

/** The reader's choices of theme and currency, kept in the browser (docs/product.md#33-what-the-browser-keeps). */
export function Appearance({ labels }: { labels: AppearanceLabels }) {
  return (
    <>
      <ThemeSelect label={labels.theme} names={labels.themes} />
      <CurrencySelect label={labels.currency} />
    </>
  );
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Shows a theme: the attribute that the stylesheet reads, and the colour of the browser's bars. */
function showTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const own = meta.media.includes("dark") ? "dark" : "light";
    meta.content = themeColors[theme === "system" ? own : theme];
  }
}

function ThemeSelect({ label, names }: { label: string; names: readonly string[] }) {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    // The served page does not know the choice. The script in the head has shown it already.
    const sync = () => {
      const theme = readTheme();
      showTheme(theme);
      if (select.current) select.current.value = theme;
    };
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== THEME_KEY) return;
      showTheme(newValue === "light" || newValue === "dark" ? newValue : "system");
      sync();
    };
    sync();
    addEventListener("storage", onStorage); // chosen in another tab
    return () => removeEventListener("storage", onStorage);
  }, []);
  return (
    <PlainSelect
      label={label}
      icon="contrast"
      select={select}
      onChange={(value) => {
        const theme = THEMES.find((candidate) => candidate === value) ?? "system";
        try {
          if (theme === "system") localStorage.removeItem(THEME_KEY);
          else localStorage.setItem(THEME_KEY, theme);
        } catch {
          // Storage may be blocked. The choice then lasts for this page.
        }
        showTheme(theme);
      }}
    >
      {THEMES.map((theme, index) => (
        <option key={theme} value={theme}>
          {names[index]}
        </option>
      ))}
    </PlainSelect>
  );
}

function CurrencySelect({ label }: { label: string }) {
  const currency = useCurrency();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (select.current && currency) select.current.value = currency;
  }, [currency]);
  return (
    <PlainSelect
      label={label}
      icon="coins"
      select={select}
      onChange={(value) => isCurrency(value) && chooseCurrency(value)}
    >
      {CURRENCIES.map((code) => (
        <option key={code} value={code}>
          {code}
        </option>
      ))}
    </PlainSelect>
  );
}

function PlainSelect({
  label,
  icon,
  select,
  onChange,
  children,
}: {
  label: string;
  icon: IconName;
  select: React.RefObject<HTMLSelectElement | null>;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <label className="relative inline-flex items-center rounded-control hover:bg-tint">
      <span className="sr-only">{label}</span>
      <Icon name={icon} className="pointer-events-none absolute left-2.5" />
      <select
        ref={select}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        className="field-sizing-content max-w-44 min-h-11 cursor-pointer appearance-none truncate rounded-control bg-transparent pr-8 pl-9.5 font-medium [&>option]:bg-raised [&>option]:text-ink"
      >
        {children}
      </select>
      <Icon name="down" size={16} className="pointer-events-none absolute right-2.5 text-quiet" />
    </label>
  );
}
