import { type Expression, type MemberExpression, Visitor } from "oxc-parser";
import { describe } from "vitest";
import { EnvSchema } from "@/lib/platform/env";
import { isCode, isTest, law, lineAt, parse, type Tree } from "./tree";

type Property = MemberExpression["property"];

/** Files that may read process.env beside lib/platform/env.ts, and why. A name limits the reason to that one variable. */
const READERS: { file: RegExp; name?: string; why: string }[] = [
  { file: /^lib\/env\.ts$/, why: "the one place" },
  { file: /^[^/]+\.config\.[a-z]+$/, why: "config files are read by their tools, outside the shop" },
  { file: /^scripts\/[a-z-]+\.mjs$/, why: "the bootstrap runs before anything is installed" },
  { file: /^scripts\/serve\.ts$/, why: "makes the environment that the server is started with" },
  { file: /^scripts\/import-command\.ts$/, why: "a path counts from where npm was called (INIT_CWD)" },
  { file: /^scripts\/preview-mails\.ts$/, name: "DATA_DIR", why: "runs without the shop's configuration" },
  { file: /^scripts\/secrets\.ts$/, why: "what the environment sets wins over a demo's own secrets" },
  { file: /^scripts\/process-lock\.ts$/, why: "hands the whole environment on to the system's ps" },
  { file: /^scripts\/database-place\.ts$/, name: "PATH", why: "hands it on to the database's programs" },
  {
    file: /^instrumentation\.ts$/,
    name: "NEXT_RUNTIME",
    why: "Next replaces it by a constant while it builds",
  },
];

const allowed = (path: string, name: string | undefined) =>
  isTest(path) || READERS.some((reader) => reader.file.test(path) && (!reader.name || reader.name === name));

function readers(tree: Tree): string[] {
  return tree.files.filter(isCode).flatMap((path) => {
    const found: string[] = [];
    const note = (name: string | undefined, at: number) => {
      if (!allowed(path, name))
        found.push(
          `${path}:${lineAt(tree, path, at)}: reads ${name ?? "process.env"}; ask env() of lib/platform/env.ts`,
        );
    };
    const named = new Set<number>();
    new Visitor({
      MemberExpression({ object, property, computed, start }) {
        if (object.type === "MemberExpression" && isEnv(object)) {
          named.add(object.start);
          note(!computed && property.type === "Identifier" ? property.name : undefined, start);
        } else if (isEnv({ object, property }) && !named.has(start)) note(undefined, start);
      },
      ImportDeclaration({ source, specifiers, start }) {
        if (!["process", "node:process"].includes(source.value)) return;
        const takes = specifiers.some((s) => s.type === "ImportSpecifier" && s.local.name === "env");
        if (takes) note(undefined, start);
      },
    }).visit(parse(tree, path).program);
    return found;
  });
}

const isNamed = (node: Expression | Property, name: string) =>
  node.type === "Identifier" && node.name === name;
const isEnv = ({ object, property }: { object: Expression; property: Property }) =>
  isNamed(object, "process") && isNamed(property, "env");

/** `.env.example`: a comment, then the variable, set or commented out; blank lines between. */
function exampleProblems(example: string, variables: string[]): string[] {
  const lines = example.split("\n").filter((line) => line.trim() !== "");
  const named = lines.flatMap((line, i) => {
    const name = /^#? ?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1];
    return name
      ? [
          {
            name,
            explained: /^# \S/.test(lines[i - 1] ?? "") && !/^#? ?[A-Z0-9_]+=/.test(lines[i - 1] ?? ""),
          },
        ]
      : [];
  });
  const names = named.map(({ name }) => name);
  return [
    ...variables
      .filter((name) => !names.includes(name))
      .map((name) => `.env.example lacks ${name} of EnvSchema`),
    ...names
      .filter((name) => !variables.includes(name))
      .map((name) => `.env.example names ${name}, which EnvSchema does not read`),
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `.env.example names ${name} twice`),
    ...named
      .filter(({ explained }) => !explained)
      .map(({ name }) => `.env.example says nothing about ${name}`),
  ];
}

describe("configuration", () => {
  law(
    "process.env is read in lib/platform/env.ts and in config files only",
    readers,
    {
      breaks: { "lib/platform/mail/send.ts": "export const a = process.env.SMTP_URL;" },
      says: /lib\/mail\.ts:1: reads SMTP_URL/,
      keeps: { "lib/platform/env.ts": "export const a = process.env;" },
    },
    { breaks: { "lib/a.ts": "const { A } = process.env;" }, says: /reads process\.env/ },
    { breaks: { "lib/a.ts": 'import { env } from "node:process";' }, says: /reads process\.env/ },
    {
      breaks: { "instrumentation.ts": "process.env.NODE_ENV;" },
      says: /reads NODE_ENV/,
      keeps: { "instrumentation.ts": "process.env.NEXT_RUNTIME;" },
    },
  );

  law(
    ".env.example names exactly the variables of EnvSchema, each with a word about it",
    (tree) => exampleProblems(tree.read(".env.example"), Object.keys(EnvSchema.in.shape)),
    { breaks: { ".env.example": "# The port\nPORT=3000\n" }, says: /lacks DATABASE_URL/ },
    {
      breaks: { ".env.example": "# Old\nSTRIPE_KEY=\n" },
      says: /names STRIPE_KEY, which EnvSchema does not read/,
    },
    { breaks: { ".env.example": "PORT=3000\n" }, says: /says nothing about PORT/ },
  );
});
