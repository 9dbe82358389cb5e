/** Lists that name persons. */
export const EXPORT_LISTS = [
  "orders",
  "customers",
  "mails",
  "applications",
  "refunds",
  "disputes",
  "replacements",
] as const;
/** Lists of the catalogue, which name no one. */
export const CATALOGUE_EXPORT_LISTS = ["products", "keys"] as const;
/** Reports of insight, which name no one either. */
export const INSIGHT_EXPORT_LISTS = ["sources", "searches"] as const;
export type ExportList =
  | (typeof EXPORT_LISTS)[number]
  | (typeof CATALOGUE_EXPORT_LISTS)[number]
  | (typeof INSIGHT_EXPORT_LISTS)[number];
