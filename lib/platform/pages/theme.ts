/** The light and dark switch (docs/product.md#12-look). `system` follows the device and is stored as nothing. */
export const THEMES = ["system", "light", "dark"] as const;

/** The key in local storage. */
export const THEME_KEY = "theme";

/**
 * Runs in the head of every page, before anything is painted, so that a chosen theme does not flash. Cached pages are the
 * same for all readers; this script reads the choice in the browser. Its hash is in the content security policy.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem("${THEME_KEY}");if(t=="light"||t=="dark")document.documentElement.dataset.theme=t}catch(e){}`;
