import { describe } from "vitest";
import { allImports, findCycles } from "./imports";
import { nounOf } from "./layers";
import { law, type Tree } from "./tree";

type Graph = Map<string, Set<string>>;
function connect(graph: Graph, from: string, to: string) {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

/** lib/<noun> only, types and rules included: what one noun says of itself may not depend on the other's words. */
function nounCycles(tree: Tree): string[] {
  const edges = allImports(tree).flatMap(({ from, target, line }) => {
    const [a, b] = [from, target].map((path) => (path.startsWith("lib/") ? nounOf(path) : undefined));
    return a && b && a !== b ? [{ a, b, at: `${from}:${line} → ${target}` }] : [];
  });
  const graph: Graph = new Map();
  for (const { a, b } of edges) connect(graph, a, b);
  return findCycles(graph).map((nouns) => {
    const inside = edges.filter(({ a, b }) => nouns.includes(a) && nouns.includes(b));
    return `${nouns.join(", ")} need each other: ${inside.map(({ at }) => at).join("; ")}`;
  });
}

function fileCycles(tree: Tree): string[] {
  const graph: Graph = new Map();
  for (const { from, target, inside } of allImports(tree)) if (inside) connect(graph, from, target);
  return findCycles(graph).map((files) => `these files import each other: ${files.join(", ")}`);
}

describe("cycles", () => {
  law("no noun needs a noun that needs it", nounCycles, {
    breaks: {
      "lib/cart/contract.ts": 'import type { A } from "@/lib/orders/contract";',
      "lib/orders/placing/commands.ts": 'import { b } from "@/lib/payments/commands";',
      "lib/orders/contract.ts": "",
      "lib/payments/commands.ts": 'import { c } from "@/lib/cart/rules";',
      "lib/cart/rules.ts": "",
    },
    says: /need each other: lib\/cart\/contract\.ts:1 → lib\/orders\/contract\.ts/,
    keeps: {
      "lib/orders/placing/commands.ts": 'import { b } from "@/lib/cart/rules";',
      "lib/cart/rules.ts": "",
    },
  });

  law("no file imports a file that imports it", fileCycles, {
    breaks: { "lib/a.ts": 'import { b } from "./b";', "lib/b.ts": 'export { a as b } from "@/lib/a";' },
    says: /import each other: .*lib\/a\.ts/,
  });
});
