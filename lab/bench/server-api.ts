import { client } from "@/db/client";
import type { BenchPart } from "./context";
import { compare, formatRound } from "./rounds";
import { TRIVIAL_PATH } from "./trivial-app";

const BAR = 0.4;
const CONNECTIONS = 8;

/** Compares API calls with a route handler that returns a constant (lab/bench/trivial-app.ts). */
export const apiCalls: BenchPart = async ({ rounds, seconds, server, trivial }) => {
  const products = await client()<{ id: number }[]>`select id from products where listed order by id`;
  const detailPath = ({ id }: { id: number }) => `/api/v1/product/detail/${id}`;
  const calls = {
    "API: product detail": products.slice(0, 1).map(detailPath),
    [`API: product detail, ${products.length} products in turn`]: products.map(detailPath),
    "API: list of 20 with price, plans, stock": ["/api/v1/product/list?size=20"],
  };
  const load = { headers: { accept: "application/json" }, connections: CONNECTIONS, seconds };
  const lines = [];
  for (const [what, paths] of Object.entries(calls)) {
    const { ours, yardstick, ratio, cpuRatio } = await compare(
      rounds,
      { server, load: { ...load, paths } },
      { server: trivial, load: { ...load, paths: [TRIVIAL_PATH] } },
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
  return lines;
};
