import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";

/** GET /admin/shop */
export const ShopState = z.object({
  open: z.boolean(),
  /** null: the shop is open */
  closure: z
    .object({
      reason: z.string(),
      /** an address, or `staff:` and an operating system user */
      by: z.string(),
      since: Instant,
    })
    .nullable(),
});
export type ShopState = z.output<typeof ShopState>;

/** POST /admin/shop/close */
export const CloseShopInput = z.object({
  /** for staff */
  reason: z.string().trim().min(3).max(500).meta({ example: "Moving the database." }),
});
export type CloseShopInput = z.output<typeof CloseShopInput>;
