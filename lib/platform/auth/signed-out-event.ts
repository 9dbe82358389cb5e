/** Heard by the shell: the session is over (401, or code "404" of /auth/*; spec §4). */
export const SIGNED_OUT_EVENT = "passlane:signed-out";
