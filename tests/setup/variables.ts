// Runs before every test file: the configuration that all tests share.
import { testEnvironment } from "./environment";

Object.assign(process.env, testEnvironment);
