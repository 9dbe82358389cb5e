import type { Viewport } from "next";

/** The colour of the browser's bars in each theme, as `--color-paper` of app/globals.css. */
export const themeColors = { light: "#fbf9f4", dark: "#121116" } as const;

/** Both color schemes are declared, so that the page is dark on a dark system before a stylesheet loads. */
export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: themeColors.light },
    { media: "(prefers-color-scheme: dark)", color: themeColors.dark },
  ],
};
