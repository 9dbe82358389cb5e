import localFont from "next/font/local";

/**
 * The Latin font: Instrument Sans (SIL Open Font License 1.1), weights 400–700, the Latin subset of
 * @fontsource-variable/instrument-sans. Put `typeface.variable` on <html>. The font stacks in globals.css use it.
 * Next preloads it once and derives a fallback with the same metrics, which avoids layout shifts.
 */
export const typeface = localFont({
  src: "./instrument-sans.woff2",
  variable: "--font-latin",
  weight: "400 700",
  display: "swap",
  preload: true,
  adjustFontFallback: "Arial",
});
