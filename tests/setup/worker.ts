// Runs before each test file of the projects with a database: the file gets a database and a data folder of its own.
import { workerDatabaseUrl, workerDataDir } from "./database";

process.env.DATABASE_URL = await workerDatabaseUrl();
process.env.DATA_DIR = workerDataDir();
