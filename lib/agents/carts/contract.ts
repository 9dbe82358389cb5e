import type { ComparedPass } from "@/lib/catalog/contract";

/** Why a pass cannot be bought in the listed quantity. */
export type LineProblem = "sold_out" | "stock_short" | "purchase_limit";

export type AgentCartLine = ComparedPass & {
  quantity: number;
  /** the price of one unit in an order of these units */
  unitCents: number;
  problem: LineProblem | null;
  /** with `stock_short` and `purchase_limit`: the units that can be bought */
  most: number;
};

export type PricedAgentCart = {
  lines: AgentCartLine[];
  /** numbers of passes that are not sold here */
  missing: number[];
  totalCents: number;
};
