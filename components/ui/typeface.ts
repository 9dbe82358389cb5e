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
