import localFont from "next/font/local";

/**
 * The Latin face: Instrument Sans (SIL Open Font License 1.1), weights 400–700, the Latin subset of
 * @fontsource-variable/instrument-sans. Put `typeface.variable` on <html>; globals.css builds the
 * stacks on it. Next preloads it once and derives a fallback of the same metrics, so nothing shifts.
 */
export const typeface = localFont({
  src: "./instrument-sans.woff2",
  variable: "--font-latin",
  weight: "400 700",
  display: "swap",
  preload: true,
  adjustFontFallback: "Arial",
});
