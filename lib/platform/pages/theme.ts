/** The light and dark switch (docs/product.md#12-look). `system` follows the device and is stored as nothing. */
export const THEMES = ["system", "light", "dark"] as const;

/** The key in local storage. */
export const THEME_KEY = "theme";
