import { pathToFileURL } from "node:url";
import { parseCrontab } from "graphile-worker";
import { Visitor } from "oxc-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { MAIL_EVENTS } from "@/lib/notifications/rules";
import type { Job } from "@/lib/platform/jobs/queue";
import { toCrontab } from "@/lib/platform/jobs/worker";
import { importsOf } from "./imports";
import { check, expectNone, lineAt, parse, ROOT, repository, sources, type Tree } from "./tree";

const WORK = "scripts/work.ts";
const JOBS = /^lib\/(?!platform\/)[^/]+\/([^/]+\/)?jobs\.ts$/;
const CONTRACT = /^lib\/(?!platform\/)[^/]+\/([^/]+\/)?contract(-[a-z-]+)?\.ts$/;

/** defineJob() is called in a noun's jobs.ts, and its result is exported at once. */
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
        else if (!exported.has(start)) found.push(`${at}: a job is exported, or nothing can register it`);
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

/** What is defined or asked for, but run by nobody. */
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

/** A jobs file also says where its noun's mails come from: the worker has to load it, jobs or not. */
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

describe("jobs and mails", () => {
  check("jobs are defined and exported in lib/<noun>/jobs.ts", hiddenJobs);
  check("the worker loads every jobs file", unloaded);
  check("every mail has its template", withoutTemplate);

  const load = async (path: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ pathToFileURL(`${ROOT}/${path}`).href);
  const loaded: Loaded = [];
  beforeAll(async () => {
    for (const path of repository.files.filter((file) => JOBS.test(file) || CONTRACT.test(file)))
      loaded.push([path, await load(path)]);
  }, 60_000);

  it("every job, and every job that is asked for, is in allJobs of scripts/work.ts", async () => {
    const { allJobs } = (await load(WORK)) as { allJobs: Named[] };
    expectNone("registration", unregistered(loaded, allJobs));
  });

  it("a job that nobody registered does not pass", () => {
    const job = { name: "a", schema: {}, run: () => {} };
    expect(unregistered([["lib/a/jobs.ts", { job }]], [])).toHaveLength(1);
    expect(unregistered([["lib/a/contract.ts", { A: { name: "a", schema: {} } }]], [job])).toEqual([]);
    expect(unregistered([], [job, { ...job }])).toEqual(["scripts/work.ts: a is registered twice"]);
  });

  it("every job of the clock has a line that the queue understands", async () => {
    const { allJobs } = (await load(WORK)) as { allJobs: Job[] };
    expect(parseCrontab(toCrontab(allJobs))).toHaveLength(allJobs.filter(({ cron }) => cron).length);
    expect(() => parseCrontab(toCrontab([{ ...allJobs[0]!, cron: "5-59/10 * * * *" }]))).toThrow(
      "Unsupported",
    );
  });

  it("every mail has a noun that knows its facts", async () => {
    const { unregisteredMails } = await import("@/lib/notifications/jobs");
    expectNone(
      "mails",
      unregisteredMails().map((event) => `the mail ${event} is registered by no lib/<noun>/jobs.ts`),
    );
  });
});
