/** A review shows as soon as it is written, by a verified buyer; staff may hide it. */
export const REVIEW_STATES = ["published", "hidden"] as const;

export const RATING_MIN = 1;
export const RATING_MAX = 5;

/** Reviews that a product's page shows before more are asked for. */
export const REVIEWS_SHOWN = 5;
