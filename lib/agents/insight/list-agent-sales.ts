import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { describeAgent } from "@/lib/agents/profiles/describe-agent";
import { AGENT_SOURCE, profileHost, toAgentName } from "@/lib/agents/rules";
import { toDecimal } from "@/lib/platform/money";
import type { AgentSalesInput, AgentSalesList } from "./contract";

const SHOWN = 50;

/**
 * Paid orders of recent days that came through an endpoint for assistants, by assistant, highest revenue
 * first (docs/product.md#1315-insight).
 */
export async function listAgentSales({ days }: AgentSalesInput): Promise<AgentSalesList> {
  const rows = await reportDb.execute<{ agent: string | null; orders: number; cents: number }>(sql`
    select o.attribution ->> 'campaign' as agent, count(*)::int as orders, sum(o.total_cents)::float8 as cents
    from orders o where o.paid_at >= shop_now() - make_interval(days => ${days}::int)
      and o.attribution ->> 'source' = ${AGENT_SOURCE}
    group by 1 order by 3 desc, 1 limit ${SHOWN}::int`);
  return {
    items: rows.map(({ agent, orders, cents }) => {
      const name = toAgentName(agent ?? "");
      const isHost = profileHost(`https://${name}/`) !== null;
      return { agent: name, label: isHost ? describeAgent(name) : null, orders, revenue: toDecimal(cents) };
    }),
  };
}
