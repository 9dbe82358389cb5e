import type { Viewport } from "next";
import localFont from "next/font/local";

/** Instrument Sans (SIL OFL 1.1), the Latin subset. Next derives a fallback with the same metrics for it. */
export const typeface = localFont({
  src: "./instrument-sans.woff2",
  variable: "--font-latin",
  weight: "400 700",
  display: "swap",
  preload: true,
  adjustFontFallback: "Arial",
});

/** Both color schemes are declared, so that the page is dark on a dark system before a stylesheet loads. */
export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbf9f4" },
    { media: "(prefers-color-scheme: dark)", color: "#121116" },
  ],
};
