/** Event for the shell: the session has ended (401, or code "404" of /auth/*; docs/product.md#41-session). */
export const SIGNED_OUT_EVENT = "passlane:signed-out";
