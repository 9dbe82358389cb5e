import { rmSync } from "node:fs";
import { startTestDatabase } from "../../../scripts/database";
import { prepareDatabase } from "../../../scripts/server-process";
import { testEnvironment } from "../../setup/environment";
import { openShop } from "../../setup/shop";

const LOG = "test-results/server.log";

/**
 * Starts a shop of the journeys' own: database, demo catalogue, server. What it returns stops all of it. With
 * E2E_BASE_URL they visit a shop that runs already, whose variables must be given too: they compare with its tables.
 */
export default async function setup() {
  if (process.env.E2E_BASE_URL) return;
  const database = await startTestDatabase("e2e");
  try {
    const env = { ...process.env, ...testEnvironment };
    await prepareDatabase({ ...env, DATABASE_URL: database.url, DATA_DIR: database.dataDir });
    rmSync(LOG, { force: true });
    const shop = await openShop({ databaseUrl: database.url, dataDir: database.dataDir, log: LOG });
    // The workers take these over: they look into the tables, and decrypt what stands there.
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
