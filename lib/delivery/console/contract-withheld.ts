import { z } from "zod";
import { IntParam } from "@/lib/platform/api/fields";

/** GET /admin/keys/withheld: plans with codes that are withheld after a restore. */
export const ConsoleWithheldPlan = z.object({
  vip_id: z.int(),
  product_id: z.int(),
  product_name: z.string(),
  vip_type_label: z.string(),
  withheld: z.int(),
  available: z.int(),
  /** units of paid orders that wait for codes of the plan */
  waiting: z.int(),
});
export type ConsoleWithheldPlan = z.output<typeof ConsoleWithheldPlan>;
/** most codes first */
export const ConsoleWithheldList = z.object({ items: z.array(ConsoleWithheldPlan), total: z.int() });
export type ConsoleWithheldList = z.output<typeof ConsoleWithheldList>;

/** The number of a plan. */
export const WithheldParams = z.object({ id: IntParam.positive().max(2_147_483_647) });
/** POST /admin/keys/withheld/{id}/release, /admin/keys/withheld/{id}/revoke */
export const WithheldDecided = z.object({
  vip_id: z.int(),
  state: z.enum(["available", "revoked"]),
  /** codes that were withheld */
  count: z.int(),
});
export type WithheldDecided = z.output<typeof WithheldDecided>;
