import type { Viewport } from "next";

/**
 * What a root layout tells the browser before any style sheet is there: both schemes are drawn, so that the empty page
 * of a dark system is dark and not white; and the colour of the browser's own bars, which is paper.
 */
export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbf9f4" },
    { media: "(prefers-color-scheme: dark)", color: "#121116" },
  ],
};
