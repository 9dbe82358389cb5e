import type { ComparedPass } from "@/lib/catalog/contract";

/** Why a pass of the list cannot be bought as it stands. */
export type LineProblem = "sold_out" | "stock_short" | "purchase_limit";

export type AgentCartLine = ComparedPass & {
  quantity: number;
  /** of one unit, as the order of these units would cost */
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
