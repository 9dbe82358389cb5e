import { AgentSalesInput, AgentSalesList } from "@/lib/agents/insight/contract";
import { listAgentSales } from "@/lib/agents/insight/list-agent-sales";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Paid orders that assistants brought, by assistant",
    description:
      "Of the last 7, 30 or 90 days: orders with the source `agent`, by the name that the assistant gave itself, most revenue first, 50 at most. `label` is what its profile calls it, once that was read.",
    access: staff(LIST_PERMISSIONS.sources),
    query: AgentSalesInput,
    result: AgentSalesList,
    errors: [],
  },
  ({ query }) => listAgentSales(query),
);
