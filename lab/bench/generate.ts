import { parseArgs } from "node:util";
import { benchDatabase } from "./generate-database";

// npx tsx lab/bench/generate.ts --count 1000000 [--seed 1]: generates a database with that many products and prints its URL.
const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});
console.log(await benchDatabase(Number(values.count), { seed: Number(values.seed), recreate: true }));
