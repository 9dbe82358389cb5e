import type { Viewport } from "next";

/** Both color schemes are declared, so that the page is dark on a dark system before a stylesheet loads. */
export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbf9f4" },
    { media: "(prefers-color-scheme: dark)", color: "#121116" },
  ],
};
