/** In characters. */
export const REPLY_MAX = 2000;
/** Why staff refused a reply; the merchant reads it. */
export const REPLY_NOTE_MAX = 500;
