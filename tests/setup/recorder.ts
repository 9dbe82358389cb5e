// Runs before each test file of the project api: how every call ended is kept for the end of the run (refusals.ts).
import { appendFileSync } from "node:fs";
import { inject } from "vitest";
import { log } from "@/lib/platform/log";
import { outcomesFile } from "./outcomes";

const seen = new Set<string>();

// Only this line names the call and its outcome; nothing else is logged in tests.
log.info = ((line: { method: string; path: string; outcome: string }, message?: string) => {
  const entry = `${line.method} ${line.path} ${line.outcome}\n`;
  if (message !== "call" || seen.has(entry)) return;
  seen.add(entry);
  appendFileSync(outcomesFile(inject("dataDir")), entry);
}) as typeof log.info;
