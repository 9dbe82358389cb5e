/** Lists that can be exported. All of them name persons. */
export const EXPORT_LISTS = ["orders", "customers", "mails", "applications", "refunds"] as const;
export type ExportList = (typeof EXPORT_LISTS)[number];
