import { z } from "zod";
import { Usd } from "@/lib/platform/api/fields";
import { SourcesInput } from "@/lib/tracking/insight/contract";

/** GET /admin/insight/agents */
export const AgentSalesInput = SourcesInput.pick({ days: true });
export type AgentSalesInput = z.output<typeof AgentSalesInput>;

/** What one assistant brought; its name is its own word. */
export const AgentSales = z.object({
  agent: z.string(),
  /** what its profile calls it; null: not read, or nothing */
  label: z.string().nullable(),
  /** paid orders */
  orders: z.int(),
  revenue: Usd,
});
export const AgentSalesList = z.object({ items: z.array(AgentSales) });
export type AgentSalesList = z.output<typeof AgentSalesList>;
