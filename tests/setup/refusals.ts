import type { TestProject } from "vitest/node";
import { type DeclaredCall, outcomesFile, readOutcomes, unfit } from "./outcomes";

/**
 * Vitest's global setup of the project api: after the last test every declared refusal must have been met, and every
 * refusal that was met must be declared. It judges whole runs only.
 */
export default function setup(project: TestProject) {
  const { dataDir } = project.getProvidedContext();
  return async () => {
    if (!(await isWhole(project))) return;
    const flaws = unfit(readOutcomes(outcomesFile(dataDir)), await declaredCalls());
    if (flaws.length === 0) return;
    console.error(
      `\nFAIL refusals of the API that do not fit their declarations:\n  ${flaws.join("\n  ")}\n`,
    );
    process.exitCode = 1; // what is thrown here is printed and forgotten
  };
}

/** Neither a choice of files or tests, nor a run that was broken off or went wrong anyway. */
async function isWhole(project: TestProject): Promise<boolean> {
  const { state, config } = project.vitest;
  const ran = state.getFiles().filter((file) => file.projectName === project.name);
  const { testFiles } = await project.globTestFiles();
  if (config.testNamePattern || ran.length < testFiles.length) return false;
  return ran.every((file) => file.result?.state === "pass");
}

async function declaredCalls(): Promise<DeclaredCall[]> {
  // Read here: a run of one file need not load every route.
  const { apiRoutes } = await import("../../scripts/write-openapi");
  const { listCallErrors } = await import("@/lib/platform/api/openapi");
  return (await apiRoutes()).map(({ path, method, handler: { declaration } }) => {
    return { method, path, own: declaration.errors, all: listCallErrors(declaration, method !== "GET") };
  });
}
