/**
 * Cookie of a browser that signed out while the server was unreachable; its value is the session's id, so that a
 * later sign-in is unaffected. Browser-safe.
 */
export const SIGNED_OUT_COOKIE = "signed-out";
