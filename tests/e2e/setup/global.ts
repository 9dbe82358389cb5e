import { closeSync, mkdirSync, openSync } from "node:fs";
import { startTestDatabase } from "../../../scripts/database";
import { freePort } from "../../../scripts/ports";
import { fillDatabase, startServer, waitUntilReady } from "../../../scripts/server-process";
import { testEnvironment } from "../../setup/environment";

/**
 * Starts a shop of the journeys' own: database, demo catalogue, server. What it returns stops all of it. With
 * E2E_BASE_URL they visit a shop that runs already, whose variables must be given too: they compare with its tables.
 */
export default async function setup() {
  if (process.env.E2E_BASE_URL) return;
  const database = await startTestDatabase("e2e");
  const port = await freePort();
  const address = `http://localhost:${port}`;
  mkdirSync("test-results", { recursive: true });
  const log = openSync("test-results/server.log", "w");
  const env = {
    ...process.env,
    ...testEnvironment,
    NODE_ENV: "production",
    PORT: String(port),
    APP_URL: address,
    DATABASE_URL: database.url,
    DATA_DIR: database.dataDir,
    RATE_LIMIT_IP_SCALE: "1000",
    WORKER: "inline",
    LOG_LEVEL: "info",
  };
  try {
    await fillDatabase(env);
    const server = startServer(env, { output: log });
    const stop = async () => {
      await server.stop();
      await database.stop();
    };
    if (!(await waitUntilReady(address, server, 90))) {
      await server.stop();
      throw new Error("The server of the journeys does not get ready: see test-results/server.log.");
    }
    Object.assign(process.env, testEnvironment, {
      E2E_BASE_URL: address,
      DATABASE_URL: database.url,
      DATA_DIR: database.dataDir,
    });
    return stop;
  } catch (error) {
    await database.stop();
    throw error;
  } finally {
    closeSync(log);
  }
}
