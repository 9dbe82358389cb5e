// Runs before each test file of the project api: records how every call ended for refusals.ts.
import { appendFileSync } from "node:fs";
import { inject } from "vitest";
import { log } from "@/lib/platform/log";
import { outcomesFile } from "./outcomes";

const seen = new Set<string>();

// The log line of a call names its outcome; tests log nothing else.
log.info = ((line: { method: string; path: string; outcome: string }, message?: string) => {
  const entry = `${line.method} ${line.path} ${line.outcome}\n`;
  if (message !== "call" || seen.has(entry)) return;
  seen.add(entry);
  appendFileSync(outcomesFile(inject("dataDir")), entry);
}) as typeof log.info;
