import { KEY_FILE_EXAMPLE } from "@/lib/merchants/key-files/rules";
import type { ImportKind } from "./rules";

const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join("\n");

/** A few lines of each kind of file, as the screen of imports shows them. */
export const IMPORT_EXAMPLES: Record<ImportKind, string> = {
  keys: KEY_FILE_EXAMPLE,
  prices: "vip_id,product,plan,price\n1204,focus-writer,month,14.90\n1205,focus-writer,day:3,4.50",
  catalog: lines(
    { kind: "category", slug: "writing", sort_num: 10, hue: 28, names: { en: "Writing", zh: "写作" } },
    {
      kind: "product",
      slug: "focus-writer",
      vendor: "Kettle & Row",
      category: "writing",
      sort_num: 1,
      texts: {
        en: {
          name: "Focus Writer",
          tagline: "Drafts without distraction.",
          description: "An editor for long texts.",
          includes: ["All features"],
        },
      },
      activation: { url: "https://focus.example/redeem", steps: { en: ["Enter the code."] } },
      plans: [{ type: "month", duration_days: 30, price: 14.9 }],
    },
  ),
  coupons: lines(
    {
      kind: "campaign",
      id: "autumn",
      title: { en: "Autumn", zh: "秋季", ja: "秋" },
      percent: 20,
      max_discount: 8,
      minimum: 15,
    },
    { kind: "coupon", code: "AUTUMN-7F3K9Q", campaign: "autumn" },
  ),
};
