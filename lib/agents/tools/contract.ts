import { z } from "zod";
import { PLAN_DAYS_MAX } from "@/lib/agents/planning/rules";
import { Message } from "@/lib/agents/ucp/contract";

// The shop's own tools in addition to those of the protocol. Money is in US cents.

const Money = z.strictObject({ amount: z.int().min(0), currency: z.literal("USD") });
const Language = z.string().max(35).optional().meta({ description: "BCP 47: en, zh, ja" });
const PassId = z.string().min(1).max(120).meta({ description: "the id of a pass (variant)" });
const Availability = z.enum(["in_stock", "preorder", "backorder", "out_of_stock"]);

export const CompareRequest = z.strictObject({
  ids: z.array(PassId).min(1).max(8),
  language: Language,
});
export const CompareResponse = z.strictObject({
  passes: z.array(
    z.strictObject({
      id: z.string(),
      product: z.string(),
      pass: z.string(),
      vendor: z.string(),
      seller: z.string(),
      url: z.url(),
      duration_days: z.int().nullable(),
      price: Money,
      price_per_day: Money.nullable(),
      lowest_price_per_day: z.boolean(),
      availability: Availability,
      stock: z.int().nullable(),
      region: z.array(z.string()),
      refund: z.string(),
      refundable: z.boolean(),
      delivery: z.string(),
      includes: z.array(z.string()),
    }),
  ),
  messages: z.array(Message),
});

export const RefundRequest = z.strictObject({
  id: PassId,
  day: z
    .int()
    .min(0)
    .max(PLAN_DAYS_MAX)
    .meta({ description: "days after the payment at whose end the use stops; 0: the day of the payment" }),
  language: Language,
});
export const RefundResponse = z.strictObject({
  id: z.string(),
  product: z.string(),
  pass: z.string(),
  url: z.url(),
  day: z.int(),
  price: Money,
  back_if_unused: Money.meta({ description: "what comes back while the code is unused" }),
  back_if_used: Money.meta({ description: "what comes back once the code was used" }),
  refund_days: z.int().meta({ description: "the shop's window, from the payment" }),
  refund: z.string(),
  by_law: z
    .boolean()
    .meta({ description: "the law of some countries adds a right for codes that were not seen" }),
});

export const PlanRequest = z
  .strictObject({
    need: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: "what the pass is for, in any words" }),
    product: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .optional()
      .meta({ description: "a product's id or handle, in place of the need" }),
    days: z.int().min(1).max(PLAN_DAYS_MAX),
    budget: z.int().min(0).max(100_000_000).optional().meta({ description: "US cents for everything" }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional()
      .meta({ description: "ISO 3166: where the passes must work" }),
    language: Language,
  })
  .refine(({ need, product }) => need || product, "Name a need or a product.");
export const PlanResponse = z.strictObject({
  days: z.int(),
  plans: z.array(
    z.strictObject({
      product_id: z.string(),
      product: z.string(),
      url: z.url(),
      passes: z.array(
        z.strictObject({
          id: z.string(),
          pass: z.string(),
          price: Money,
          from_day: z.int(),
          to_day: z.int().nullable().meta({ description: "null: for life" }),
        }),
      ),
      total: Money,
      price_per_day: Money,
      covered_days: z.int(),
      covers_all: z.boolean(),
      total_for_all_days: Money.nullable(),
      money_back: z.array(z.strictObject({ from_day: z.int(), to_day: z.int(), amount: z.int() })).meta({
        description:
          "what comes back if the use stops at the end of one of these days and later passes are unused",
      }),
      plan_url: z.url(),
      line_items: z
        .array(z.strictObject({ item: z.strictObject({ id: z.string() }), quantity: z.int() }))
        .meta({ description: "for create_cart" }),
    }),
  ),
  messages: z.array(Message),
});
export type CompareResponse = z.output<typeof CompareResponse>;
export type RefundResponse = z.output<typeof RefundResponse>;
export type PlanResponse = z.output<typeof PlanResponse>;
