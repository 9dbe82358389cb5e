import { client } from "@/db/client";
import { freePort } from "@/scripts/ports";
import type { BenchPart } from "./context";
import { compare, formatRound } from "./rounds";
import { startTrivial } from "./trivial-app";

const BAR = 0.4;
const CONNECTIONS = 8;

/** Compares API calls with a route handler that returns a constant (tests/bench/trivial-app.ts). */
export const apiCalls: BenchPart = async ({ generator, rounds, ms, server, folder }) => {
  const products = await client()<{ id: number }[]>`select id from products where listed order by id`;
  const detailPath = ({ id }: { id: number }) => `/api/v1/product/detail/${id}`;
  const trivial = await startTrivial(`${folder}/trivial`, await freePort(), `${folder}/trivial.log`);
  const calls = {
    "API: product detail": products.slice(0, 1).map(detailPath),
    [`API: product detail, ${products.length} products in turn`]: products.map(detailPath),
    "API: list of 20 with price, plans, stock": ["/api/v1/product/list?size=20"],
  };
  const load = { headers: { accept: "application/json" }, connections: CONNECTIONS, ms };
  const lines = [];
  try {
    for (const [what, paths] of Object.entries(calls)) {
      const { ours, yardstick, ratio, cpuRatio } = await compare(
        generator,
        rounds,
        { server, load: { ...load, paths } },
        { server: trivial, load: { ...load, paths: ["/api/trivial"] } },
      );
      lines.push({
        subject: `${what}, ${CONNECTIONS} connections`,
        ours: formatRound(ours),
        yardstick: `route handler without a query: ${formatRound(yardstick)}; by CPU ${cpuRatio.toFixed(2)}`,
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
