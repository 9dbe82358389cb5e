import { z } from "zod";
import { Usd } from "@/lib/platform/api/fields";
import { SourcesInput } from "@/lib/tracking/insight/contract";

/** GET /admin/insight/agents */
export const AgentSalesInput = SourcesInput.pick({ days: true });
export type AgentSalesInput = z.output<typeof AgentSalesInput>;

/** The sales of one assistant, whose name is unverified. */
export const AgentSales = z.object({
  agent: z.string(),
  /** the name in its profile; null: not read yet, or missing */
  label: z.string().nullable(),
  /** paid orders */
  orders: z.int(),
  revenue: Usd,
});
export const AgentSalesList = z.object({ items: z.array(AgentSales) });
export type AgentSalesList = z.output<typeof AgentSalesList>;
