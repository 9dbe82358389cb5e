// Runs before every test file: sets the configuration of all tests.
import { testEnvironment } from "./environment";

Object.assign(process.env, testEnvironment);
