import { expect, it, vi } from "vitest";
import { hasCommand } from "@/lab/faults/debian-processes";
import { findMissingPackages } from "./cluster";
import { haTrials } from "./trials";

/** What the machine of this test has, in place of its commands. */
const machine = vi.hoisted(() => ({ commands: [] as string[], postgres: undefined as string | undefined }));
vi.mock("@/lab/faults/debian-processes", async (original) => {
  const real = await original<typeof import("@/lab/faults/debian-processes")>();
  return {
    ...real,
    findPostgres: () => machine.postgres,
    hasCommand: (command: string, argument: string) =>
      command.startsWith("/") ? real.hasCommand(command, argument) : machine.commands.includes(command),
  };
});

const MISSING = "The part ha is skipped, because Debian's";

it("the ha part without Debian's packages is skipped with one sentence that names them", () => {
  const logged = vi.spyOn(console, "log").mockReturnValue();
  expect(haTrials({ dataDir: "/nowhere", seed: 1, size: 1, until: 0 }).parts()).toEqual([]);
  expect(logged.mock.calls).toEqual([
    [
      `${MISSING} packages are missing: apt-get install -y patroni etcd-server haproxy pgbouncer postgresql-client postgresql-15`,
    ],
  ]);
  logged.mockRestore();
});

it("the missing packages are named, and none when all are there", () => {
  machine.commands = ["patroni", "haproxy", "pgbouncer", "psql"];
  machine.postgres = "/usr/lib/postgresql/15/bin";
  expect(findMissingPackages()).toBe(`${MISSING} package is missing: apt-get install -y etcd-server`);
  machine.commands.push("etcd");
  expect(findMissingPackages()).toBeUndefined();
  expect([hasCommand(process.execPath, "--version"), hasCommand("/nowhere/etcd", "--version")]).toEqual([
    true,
    false,
  ]);
});
