/** The most that a new campaign may promise a month, in US dollars. More needs a second person, as a change. */
export const NEW_CAMPAIGN_BUDGET = 5_000;
