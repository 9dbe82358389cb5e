import { z } from "zod";
import { IntParam } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { Version } from "@/lib/platform/console/version";

/** GET /admin/keys/withheld */
export const ConsoleWithheldInput = z.object({ cursor: Cursor });
export type ConsoleWithheldInput = z.output<typeof ConsoleWithheldInput>;

/** A plan with codes that are withheld after a restore. The numbers are counted to 100. */
export const ConsoleWithheldPlan = z.object({
  vip_id: z.int(),
  product_id: z.int(),
  product_name: z.string(),
  vip_type: z.string(),
  withheld: z.int(),
  available: z.int(),
  /** units of paid orders that wait for codes of the plan */
  waiting: z.int(),
  /** of the withheld codes */
  version: Version,
});
export type ConsoleWithheldPlan = z.output<typeof ConsoleWithheldPlan>;
/** by number */
export const ConsoleWithheldList = listOf(ConsoleWithheldPlan);
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
