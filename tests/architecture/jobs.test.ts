import { pathToFileURL } from "node:url";
import { parseCrontab } from "graphile-worker";
import { Visitor } from "oxc-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { MAIL_EVENTS } from "@/lib/notifications/rules";
import type { Job } from "@/lib/platform/jobs/queue";
import { toCrontab } from "@/lib/platform/jobs/worker";
import { getImports } from "./imports";
import {
  check,
  expectNone,
  isFile,
  lineNumber,
  parse,
  type Repository,
  ROOT,
  repository,
  sources,
} from "./repository";

const WORK = "scripts/work.ts";
const JOBS = /^lib\/(?!platform\/)[^/]+\/([^/]+\/)?jobs\.ts$/;
const CONTRACT = /^lib\/(?!platform\/)[^/]+\/([^/]+\/)?contract(-[a-z-]+)?\.ts$/;

/** Calls of defineJob() outside a jobs.ts of a noun, or without an export. */
function misplacedJobs(repo: Repository): string[] {
  const files = sources(repo).filter((path) => repo.read(path).includes("defineJob"));
  return files.flatMap((path) => {
    const { body } = parse(repo, path).program;
    const exported = new Set<number>();
    for (const node of body)
      if (node.type === "ExportNamedDeclaration" && node.declaration?.type === "VariableDeclaration")
        for (const { init } of node.declaration.declarations) if (init) exported.add(init.start);
    const problems: string[] = [];
    new Visitor({
      CallExpression({ callee, start }) {
        if (callee.type !== "Identifier" || callee.name !== "defineJob") return;
        const location = `${path}:${lineNumber(repo, path, start)}`;
        if (!JOBS.test(path)) problems.push(`${location}: jobs are defined in lib/<noun>/jobs.ts`);
        else if (!exported.has(start)) problems.push(`${location}: a job must be exported to be registered`);
      },
    }).visit(parse(repo, path).program);
    return problems;
  });
}

type NamedJob = { name: string; schema: unknown; run?: unknown };
const isNamedJob = (value: unknown): value is NamedJob =>
  typeof value === "object" &&
  value !== null &&
  "schema" in value &&
  typeof (value as NamedJob).name === "string";

type Loaded = [path: string, module: Record<string, unknown>][];

/** Jobs that are registered twice, or defined or enqueued but not registered. */
function unregistered(loaded: Loaded, registered: NamedJob[]): string[] {
  const duplicates = registered.filter(
    ({ name }, i) => registered.findIndex((job) => job.name === name) !== i,
  );
  return [
    ...duplicates.map(({ name }) => `${WORK}: ${name} is registered twice`),
    ...loaded.flatMap(([path, module]) =>
      Object.values(module)
        .filter(isNamedJob)
        .filter(
          (job) =>
            !registered.some((candidate) => (job.run ? candidate === job : candidate.name === job.name)),
        )
        .map(({ name }) => `${path}: the job ${name} is not in allJobs of ${WORK}`),
    ),
  ];
}

/** Jobs files that the worker does not import. It needs all of them, because they also register emails. */
function unimportedJobs(repo: Repository): string[] {
  const loads = isFile(repo, WORK) ? getImports(repo, WORK).map(({ target }) => target) : [];
  return repo.files
    .filter((path) => JOBS.test(path) && !loads.includes(path))
    .map((path) => `${WORK} does not import ${path}`);
}

const missingTemplates = (repo: Repository) =>
  MAIL_EVENTS.filter((event) => !isFile(repo, `emails/${event}.tsx`)).map(
    (event) =>
      `MAIL_EVENTS of lib/notifications/rules.ts names ${event}, but there is no emails/${event}.tsx`,
  );

describe("jobs and emails", () => {
  check("jobs are defined and exported in lib/<noun>/jobs.ts", misplacedJobs);
  check("the worker loads every jobs file", unimportedJobs);
  check("every email event has a template", missingTemplates);

  const loadModule = async (path: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ pathToFileURL(`${ROOT}/${path}`).href);
  const loaded: Loaded = [];
  beforeAll(async () => {
    for (const path of repository.files.filter((file) => JOBS.test(file) || CONTRACT.test(file)))
      loaded.push([path, await loadModule(path)]);
  });

  it("every defined or enqueued job is in allJobs of scripts/work.ts", async () => {
    const { allJobs } = (await loadModule(WORK)) as { allJobs: NamedJob[] };
    expectNone("registration", unregistered(loaded, allJobs));
  });

  it("are checked for unregistered and duplicate jobs", () => {
    const job = { name: "a", schema: {}, run: () => {} };
    expect(unregistered([["lib/a/jobs.ts", { job }]], [])).toHaveLength(1);
    expect(unregistered([["lib/a/contract.ts", { A: { name: "a", schema: {} } }]], [job])).toEqual([]);
    expect(unregistered([], [job, { ...job }])).toEqual(["scripts/work.ts: a is registered twice"]);
  });

  it("every scheduled job has a valid crontab line", async () => {
    const { allJobs } = (await loadModule(WORK)) as { allJobs: Job[] };
    expect(parseCrontab(toCrontab(allJobs))).toHaveLength(allJobs.filter(({ cron }) => cron).length);
    expect(() => parseCrontab(toCrontab([{ ...allJobs[0]!, cron: "5-59/10 * * * *" }]))).toThrow(
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
