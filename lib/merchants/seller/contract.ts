import type { ProductRange } from "@/lib/catalog/contract";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Recent figures of a merchant's codes and answers; null when there are too few. */
export type SellerFigures = {
  /** of the newest sold codes */
  worked: { percent: number; units: number } | null;
  /** the median response time of answered requests, in hours */
  answer_hours: number | null;
};

/** The legal identity of a merchant, as far as shoppers see it (docs/product.md#1412-trader-file). */
export type Trader = {
  legal_name: string;
  register: string | null;
  vat_id: string | null;
  address: string[];
  /** ISO code */
  country: string | null;
  phone: string | null;
  email: string | null;
  representative: string | null;
  /** The merchant has certified that it offers only lawful products. */
  certified: boolean;
};

/** What the page of a merchant says about it (`/seller/{handle}`, docs/product.md#21-pages). */
export type Seller = SellerFigures & {
  handle: string;
  name: string;
  /** its own paragraph, in the reader's language or else in English; null: none */
  text: string | null;
  /** the language of the text */
  language: Locale;
  /** ISO code */
  country: string | null;
  website: string | null;
  since: string;
  /** a time to come until which requests wait; null: open */
  closed_until: string | null;
  /** null if staff run the merchant, or it has not submitted the data yet */
  trader: Trader | null;
  /** of the published reviews of its products, `demo` with made-up ones among them; null without any */
  rating: { average: number; count: number; demo: boolean } | null;
};

export type SellerPage = ProductRange & { seller: Seller };
