import { themeColors } from "@/components/ui/viewport";
import { THEME_KEY } from "@/lib/platform/pages/theme";

// Loaded by readers who have chosen a theme, and by a choice.

/** Shows a theme: the attribute that the stylesheet reads, and the colour of the browser's bars. */
export function showTheme(name: string): void {
  const theme = name === "light" || name === "dark" ? name : undefined;
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = themeColors[theme ?? (meta.media.includes("dark") ? "dark" : "light")];
}

/** Stores and shows the reader's choice; anything but light and dark follows the device. */
export function chooseTheme(name: string): void {
  try {
    if (name === "light" || name === "dark") localStorage.setItem(THEME_KEY, name);
    else localStorage.removeItem(THEME_KEY);
  } catch {
    // Storage may be blocked. The choice then lasts for this page.
  }
  showTheme(name);
}
