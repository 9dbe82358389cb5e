import type { Viewport } from "next";

/**
 * The viewport settings of the root layouts, applied before any stylesheet loads. Both color schemes are declared, so
 * the empty page is dark on a dark system. The theme color matches the page background.
 */
export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbf9f4" },
    { media: "(prefers-color-scheme: dark)", color: "#121116" },
  ],
};
