// Runs before each test file of a project whose files share processes and modules: gives the file the configuration that the
// first one found, because tests change it in place. A file that replaces modules reads its own.
import type { Env } from "@/lib/platform/env";

const globals = globalThis as { testConfiguration?: Partial<Env>; testReplacesModules?: boolean };

if (!globals.testReplacesModules) {
  const { env } = await import("@/lib/platform/env");
  const current: Partial<Env> = env();
  globals.testConfiguration ??= { ...current };
  for (const name of Object.keys(current) as (keyof Env)[])
    if (!(name in globals.testConfiguration)) delete current[name];
  Object.assign(current, globals.testConfiguration);
}
