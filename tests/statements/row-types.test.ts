import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { ROOT, repository } from "../architecture/repository";
import { type RecordedStatement, recordedStatements } from "../setup/recorded-statements";
import { isShort } from "../setup/rounds";
import { type TypedStatement, typedStatements } from "./typed-statements";

/** Copies of the sources, in which every typed statement is compared with its columns. */
const COPIES = join(ROOT, ".data", "row-types");

/** What postgres.js makes of a Postgres type (db/client.ts): by the type's name in pg_type. */
const TYPES: Record<string, string> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  float4: "number",
  float8: "number",
  bytea: "Uint8Array",
  json: "unknown",
  jsonb: "unknown",
  void: "unknown",
};
const typescriptType = (name: string) =>
  TYPES[name] ??
  (name.startsWith("_") ? `readonly (${TYPES[name.slice(1)] ?? "string"} | null)[]` : "string");

/** The names of the columns that differ: declared and not returned, returned and not declared, or of another type. */
const DIFFERENCES = `
type RowDifferences<Row, Columns> = Exclude<keyof Columns, keyof Row> | {
  [Name in keyof Row]-?: Name extends keyof Columns ? (NonNullable<Row[Name]> extends Columns[Name] ? never : Name) : Name
}[keyof Row];
`;

let statements: TypedStatement[];
let recorded: RecordedStatement[];
let texts: Map<TypedStatement, RecordedStatement[]>;
beforeAll(() => {
  statements = typedStatements(repository);
  recorded = recordedStatements();
  texts = assignTexts();
});
afterAll(closeDatabase);

/**
 * The recorded texts of each statement. A text that several statements match belongs to those with the longest pattern:
 * the others only have a gap where it differs.
 */
function assignTexts(): Map<TypedStatement, RecordedStatement[]> {
  const texts = new Map<TypedStatement, RecordedStatement[]>(statements.map((statement) => [statement, []]));
  const length = ({ text }: TypedStatement) => text?.source.length ?? 0;
  for (const one of recorded) {
    const matching = statements.filter(({ text }) => text?.test(one.text));
    const longest = Math.max(...matching.map(length));
    for (const statement of matching) if (length(statement) === longest) texts.get(statement)!.push(one);
  }
  return texts;
}

it("each statement with a row type has its text at the call", () => {
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.filter(({ text }) => !text).map(place)).toEqual([]);
});

if (!isShort)
  it("each statement with a row type is seen in the domain and API tests", () => {
    expect(statements.filter((statement) => texts.get(statement)!.length === 0).map(place)).toEqual([]);
  });

it("each row type declares the columns that Postgres returns", async () => {
  expect(recorded, "run the projects domain and api first").not.toHaveLength(0);
  const names = await typeNames();
  const columns = new Map<string, string>();
  rmSync(COPIES, { recursive: true, force: true });
  for (const path of new Set(statements.map((statement) => statement.path))) {
    const own = statements.filter((statement) => statement.path === path);
    let source = repository.read(path);
    for (const statement of own.toSorted((a, b) => b.start - a.start)) {
      const rows = new Set<string>();
      for (const { text, types } of texts.get(statement)!) {
        const row = columns.get(text) ?? (await describe(text, types, names));
        columns.set(text, row);
        rows.add(row);
      }
      const checks = [...rows].map(
        (row) => `null! as RowDifferences<${statement.row}, ${row}> satisfies never, `,
      );
      source = `${source.slice(0, statement.start)}(${checks.join("")}${source.slice(statement.start, statement.end)})${source.slice(statement.end)}`;
    }
    const copy = join(COPIES, path);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, source + DIFFERENCES);
  }
  expect(await typeErrors()).toEqual([]);
});

const place = ({ path, line }: TypedStatement) => `${path}:${line}`;

async function typeNames(): Promise<Map<number, string>> {
  const rows = await client()<{ oid: number; typname: string }[]>`select oid::int, typname from pg_type`;
  return new Map(rows.map(({ oid, typname }) => [oid, typname]));
}

/** Values by which postgres.js names the types that it named when the statement ran. */
const SAMPLES: Record<number, unknown> = { 16: true, 17: Buffer.alloc(0), 20: 1n, 1184: new Date(0) };

/** The columns of a statement as a TypeScript type, as Postgres describes it without running it. */
async function describe(text: string, types: number[], names: Map<number, string>): Promise<string> {
  const values = types.map((type) => SAMPLES[type] ?? null);
  const { columns } = await client()
    .unsafe(text, values as never[])
    .describe();
  return `{ ${columns.map(({ name, type }) => `${JSON.stringify(name)}: ${typescriptType(names.get(type) ?? "")}`).join("; ")} }`;
}

/** The compiler's messages on the copies, which stand beside the sources by `rootDirs`. */
async function typeErrors(): Promise<string[]> {
  const configuration = {
    extends: "../../tsconfig.json",
    compilerOptions: {
      rootDirs: ["../..", "."],
      paths: { "@/*": ["../../*"] },
      incremental: false,
      plugins: [],
    },
    include: ["./**/*.ts", "../../next-env.d.ts"],
    exclude: [],
  };
  writeFileSync(join(COPIES, "tsconfig.json"), JSON.stringify(configuration));
  const compiler = join(ROOT, "node_modules", ".bin", "tsc");
  const { stdout } = await promisify(execFile)(compiler, ["-p", COPIES, "--pretty", "false"], {
    maxBuffer: 1e8,
  }).catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}
