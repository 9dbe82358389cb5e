/**
 * The cookie by which a browser says that it signed out of a session while the server could not be told; its value is
 * the session's id, so that a later sign-in is not touched. Browser-safe.
 */
export const SIGNED_OUT_COOKIE = "signed-out";
