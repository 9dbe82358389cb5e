import { rmSync } from "node:fs";
import { startTestDatabase } from "../../../scripts/postgres/database";
import { prepareDatabase } from "../../../scripts/start/server-process";
import { testEnvironment } from "../../setup/environment";
import { startTestServer } from "../../setup/shop";

const LOG = "test-results/server.log";

/**
 * Starts database, demo catalogue and server for the journeys, and returns a function that stops them. With E2E_BASE_URL
 * the journeys visit a running server; its variables must be set too, because journeys read its database.
 */
export default async function setup() {
  if (process.env.E2E_BASE_URL) return;
  const database = await startTestDatabase("e2e", { inMemory: true });
  try {
    const env = { ...process.env, ...testEnvironment };
    await prepareDatabase({ ...env, DATABASE_URL: database.url, DATA_DIR: database.dataDir });
    rmSync(LOG, { force: true });
    // Prices include tax, as in the demo.
    const variables = { TAX_COUNTRY: "" };
    const { url: databaseUrl, dataDir } = database;
    const shop = await startTestServer({ databaseUrl, dataDir, log: LOG, variables });
    // Inherited by the workers, which read the database and decrypt keys.
    const own = { E2E_BASE_URL: shop.address, DATABASE_URL: database.url, DATA_DIR: database.dataDir };
    Object.assign(process.env, testEnvironment, own);
    return async () => {
      await shop.stop();
      await database.stop();
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
