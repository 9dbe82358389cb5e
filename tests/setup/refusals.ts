import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { type DeclaredCall, findMismatches, outcomesFile, readOutcomes } from "./outcomes";
import { isShort } from "./rounds";
import { noteRunError } from "./run-notes";

/**
 * Vitest's global setup of the project api: after the last test every error that was answered must be declared, and in
 * `npm run test:all` every declared one must have been reached. A run of some files is not checked.
 */
export default async function setup(project: TestProject) {
  await ensureDocuments();
  const { dataDir } = project.getProvidedContext();
  return async () => {
    if (!(await isWhole(project))) return;
    const flaws = findMismatches(readOutcomes(outcomesFile(dataDir)), await declaredCalls(), {
      afterAllFiles: !isShort,
    });
    if (flaws.length === 0) return;
    console.error(
      `\nFAIL refusals of the API that do not fit their declarations:\n  ${flaws.join("\n  ")}\n`,
    );
    for (const flaw of flaws) noteRunError(`refusals of the API that do not fit their declarations: ${flaw}`);
    process.exitCode = 1; // vitest prints an error thrown here and still exits with 0
  };
}

/** Tests of every call ask for the OpenAPI documents too, which are written once. Vitest sets DEV. */
async function ensureDocuments(): Promise<void> {
  const folder = ".next/dev/openapi";
  if (existsSync(`${folder}/public.json`)) return;
  const { writeDocuments } = await import("../../scripts/write-openapi");
  await writeDocuments(folder);
}

/** True when all files ran without a name filter and passed. */
async function isWhole(project: TestProject): Promise<boolean> {
  const { state, config } = project.vitest;
  const ran = state.getFiles().filter((file) => file.projectName === project.name);
  const { testFiles } = await project.globTestFiles();
  if (config.testNamePattern || ran.length < testFiles.length) return false;
  return ran.every((file) => file.result?.state === "pass");
}

async function declaredCalls(): Promise<DeclaredCall[]> {
  // Imported here, because a run of one file need not load every route.
  const { apiRoutes } = await import("../../scripts/write-openapi");
  const { listCallErrors } = await import("@/lib/platform/api/declaration");
  return (await apiRoutes()).map(({ path, method, handler: { declaration } }) => {
    return { method, path, own: declaration.errors, all: listCallErrors(declaration, method !== "GET") };
  });
}
