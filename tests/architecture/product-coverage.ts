import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * A statement of a section of `docs/product.md` and its tests: a file by its path from `tests`, and words of a test's title in
 * it.
 */
type Statement = { section: string; statement: string; tests: [file: string, title?: string][] };

const toPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(toPath(path), "utf8");

const STATEMENTS = JSON.parse(read("docs/product-coverage.json")) as Statement[];

/** The numbered headings of `docs/product.md`: "4.2" → "Order status". */
function sections(): Map<string, string> {
  const found = read("docs/product.md").matchAll(/^##+ (\d+(?:\.\d+)?)\.? (.+)$/gm);
  return new Map([...found].map(([, number = "", title = ""]) => [number, title]));
}

/** The sections without subsections. Only these have statements of their own. */
function listLeafSections(all: Map<string, string>): string[] {
  return [...all.keys()].filter((number) => ![...all.keys()].some((other) => other.startsWith(`${number}.`)));
}

/** Problems of the coverage list: sections without a test, and sections or tests that do not exist. */
export function findCoverageProblems(): string[] {
  const all = sections();
  const covered = new Set(STATEMENTS.map(({ section }) => section));
  return [
    ...listLeafSections(all)
      .filter((number) => !covered.has(number))
      .map((number) => `${number} ${all.get(number)}: no statement has a test`),
    ...STATEMENTS.flatMap(({ section, statement, tests }) => {
      const name = `${section} ${statement}`;
      return [
        ...(all.has(section) ? [] : [`${name}: docs/product.md has no section ${section}`]),
        ...(tests.length > 0 ? [] : [`${name}: no test`]),
        ...tests
          .filter((test) => !testExists(test))
          .map(([file, title]) => `${name}: tests/${file} ${title ?? ""}`),
      ];
    }),
  ];
}

function testExists([file, title = ""]: [file: string, title?: string]): boolean {
  return existsSync(toPath(`tests/${file}`)) && read(`tests/${file}`).includes(title);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = findCoverageProblems();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
  console.log(`docs/product-coverage.json: ${STATEMENTS.length} statements, ${problems.length} problems.`);
}
