import { client } from "@/db/client";
import { freePort } from "@/scripts/ports";
import type { Part } from "./context";
import { compare, figure } from "./rounds";
import { startTrivial } from "./trivial-app";

const BAR = 0.4;
const CONNECTIONS = 8;

/** Compares API calls with a route handler that returns a constant (tests/bench/trivial-app.ts). */
export const apiCalls: Part = async ({ generator, rounds, ms, shop, folder }) => {
  const products = await client()<{ id: number }[]>`select id from products where listed order by id`;
  const detailOf = ({ id }: { id: number }) => `/api/v1/product/detail/${id}`;
  const trivial = await startTrivial(`${folder}/trivial`, await freePort(), `${folder}/trivial.log`);
  const calls = {
    "API: product detail": products.slice(0, 1).map(detailOf),
    [`API: product detail, ${products.length} products in turn`]: products.map(detailOf),
    "API: list of 20 with price, plans, stock": ["/api/v1/product/list?size=20"],
  };
  const load = { headers: { accept: "application/json" }, connections: CONNECTIONS, ms };
  const lines = [];
  try {
    for (const [what, paths] of Object.entries(calls)) {
      const { ours, yardstick, ratio, cpuRatio } = await compare(
        generator,
        rounds,
        { server: shop, load: { ...load, paths } },
        { server: trivial, load: { ...load, paths: ["/api/trivial"] } },
      );
      lines.push({
        what: `${what}, ${CONNECTIONS} connections`,
        ours: figure(ours),
        yardstick: `route handler without a query: ${figure(yardstick)}; by CPU ${cpuRatio.toFixed(2)}`,
        ratio,
        bar: `≥ ${BAR} of its rate`,
        holds: ratio >= BAR,
      });
    }
  } finally {
    await trivial.stop();
  }
  return lines;
};
