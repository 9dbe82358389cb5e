/** Browser-safe names that the server, the API client and the shell share about signing out. */

/**
 * Cookie of a browser that signed out while the server was unreachable. Its value is the session's id, so that a later
 * sign-in is unaffected.
 */
export const SIGNED_OUT_COOKIE = "signed-out";

/** Event for the shell: the session has ended (401, or code "404" of /auth/*; docs/product.md#41-session). */
export const SIGNED_OUT_EVENT = "passlane:signed-out";
