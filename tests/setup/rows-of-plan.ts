/** What a statement of a console's list may read (docs/performance.md#staff-console). */
export const MAX_READ = 2_100;

export type PlanNode = {
  "Actual Rows": number;
  "Actual Loops": number;
  "Node Type": string;
  Plans?: PlanNode[];
  "Rows Removed by Filter"?: number;
};

/** Rows that the scans of an executed plan read. */
export const rowsRead = (node: PlanNode): number => {
  const own =
    /Scan/.test(node["Node Type"]) && !/CTE|Subquery|Function|Bitmap Heap/.test(node["Node Type"])
      ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
      : 0;
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
};
