import { pathToFileURL } from "node:url";
import { parseCrontab } from "graphile-worker";
import { Visitor } from "oxc-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { MAIL_EVENTS } from "@/lib/notifications/rules";
import type { Job } from "@/lib/platform/jobs/queue";
import { crontabOf } from "@/lib/platform/jobs/worker";
import { importsOf } from "./imports";
import { check, expectNone, lineAt, parse, ROOT, repository, sources, type Tree } from "./repository";

const WORK = "scripts/work.ts";
const JOBS = /^lib\/(?!platform\/)[^/]+\/([^/]+\/)?jobs\.ts$/;
const CONTRACT = /^lib\/(?!platform\/)[^/]+\/([^/]+\/)?contract(-[a-z-]+)?\.ts$/;

/** Calls of defineJob() outside a jobs.ts of a noun, or without an export. */
function hiddenJobs(tree: Tree): string[] {
  return sources(tree).flatMap((path) => {
    const { body } = parse(tree, path).program;
    const exported = new Set<number>();
    for (const node of body)
      if (node.type === "ExportNamedDeclaration" && node.declaration?.type === "VariableDeclaration")
        for (const { init } of node.declaration.declarations) if (init) exported.add(init.start);
    const found: string[] = [];
    new Visitor({
      CallExpression({ callee, start }) {
        if (callee.type !== "Identifier" || callee.name !== "defineJob") return;
        const at = `${path}:${lineAt(tree, path, start)}`;
        if (!JOBS.test(path)) found.push(`${at}: jobs are defined in lib/<noun>/jobs.ts`);
        else if (!exported.has(start)) found.push(`${at}: a job must be exported to be registered`);
      },
    }).visit(parse(tree, path).program);
    return found;
  });
}

type Named = { name: string; schema: unknown; run?: unknown };
const isNamed = (value: unknown): value is Named =>
  typeof value === "object" &&
  value !== null &&
  "schema" in value &&
  typeof (value as Named).name === "string";

type Loaded = [path: string, module: Record<string, unknown>][];

/** Jobs that are registered twice, or defined or enqueued but not registered. */
function unregistered(loaded: Loaded, registered: Named[]): string[] {
  const twice = registered.filter(({ name }, i) => registered.findIndex((job) => job.name === name) !== i);
  return [
    ...twice.map(({ name }) => `${WORK}: ${name} is registered twice`),
    ...loaded.flatMap(([path, module]) =>
      Object.values(module)
        .filter(isNamed)
        .filter((job) => !registered.some((known) => (job.run ? known === job : known.name === job.name)))
        .map(({ name }) => `${path}: the job ${name} is not in allJobs of ${WORK}`),
    ),
  ];
}

/** Jobs files that the worker does not import. It needs all of them, because they also register emails. */
function unloaded(tree: Tree): string[] {
  const loads = tree.files.includes(WORK) ? importsOf(tree, WORK).map(({ target }) => target) : [];
  return tree.files
    .filter((path) => JOBS.test(path) && !loads.includes(path))
    .map((path) => `${WORK} does not import ${path}`);
}

const withoutTemplate = (tree: Tree) =>
  MAIL_EVENTS.filter((event) => !tree.files.includes(`emails/${event}.tsx`)).map(
    (event) =>
      `MAIL_EVENTS of lib/notifications/rules.ts names ${event}, but there is no emails/${event}.tsx`,
  );

describe("jobs and emails", () => {
  check("jobs are defined and exported in lib/<noun>/jobs.ts", hiddenJobs);
  check("the worker loads every jobs file", unloaded);
  check("every email event has a template", withoutTemplate);

  const load = async (path: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ pathToFileURL(`${ROOT}/${path}`).href);
  const loaded: Loaded = [];
  beforeAll(async () => {
    for (const path of repository.files.filter((file) => JOBS.test(file) || CONTRACT.test(file)))
      loaded.push([path, await load(path)]);
  }, 60_000);

  it("every defined or enqueued job is in allJobs of scripts/work.ts", async () => {
    const { allJobs } = (await load(WORK)) as { allJobs: Named[] };
    expectNone("registration", unregistered(loaded, allJobs));
  });

  it("the check reports unregistered and duplicate jobs", () => {
    const job = { name: "a", schema: {}, run: () => {} };
    expect(unregistered([["lib/a/jobs.ts", { job }]], [])).toHaveLength(1);
    expect(unregistered([["lib/a/contract.ts", { A: { name: "a", schema: {} } }]], [job])).toEqual([]);
    expect(unregistered([], [job, { ...job }])).toEqual(["scripts/work.ts: a is registered twice"]);
  });

  it("every scheduled job has a valid crontab line", async () => {
    const { allJobs } = (await load(WORK)) as { allJobs: Job[] };
    expect(parseCrontab(crontabOf(allJobs))).toHaveLength(allJobs.filter(({ cron }) => cron).length);
    expect(() => parseCrontab(crontabOf([{ ...allJobs[0]!, cron: "5-59/10 * * * *" }]))).toThrow(
      "Unsupported",
    );
  });

  it("every email event is registered by a noun", async () => {
    const { unregisteredMails } = await import("@/lib/notifications/jobs");
    expectNone(
      "emails",
      unregisteredMails().map((event) => `no lib/<noun>/jobs.ts registers the email ${event}`),
    );
  });
});
