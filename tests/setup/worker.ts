// Runs before each test file of the projects with a database: gives it a database and a data folder.
import { copyTemplate, workerDataDir } from "./worker-database";

process.env.DATABASE_URL = await copyTemplate();
process.env.DATA_DIR = workerDataDir();
