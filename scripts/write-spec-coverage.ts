import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A line of the specification with the tests that hold it: a file below tests, and words of a test's name in it. */
type SpecLine = {
  section: keyof typeof TITLES;
  line: string;
  tests?: [file: string, name: string][];
  /** the issue that the line, or the rest of it, waits for */
  later?: string;
};

const SPEC_LINES = JSON.parse(
  readFileSync(fileURLToPath(new URL("../docs/spec-lines.json", import.meta.url)), "utf8"),
) as SpecLine[];

const DOCUMENT = fileURLToPath(new URL("../docs/spec-coverage.md", import.meta.url));
const TITLES = {
  "1": "What the product does and for whom",
  "2": "Screens and routes",
  "3": "Entities and their fields",
  "4": "States and transitions",
  "5": "Validation rules",
  "6": "Roles and permissions",
  "7": "Calls",
  "8": "Error catalogue",
  "9": "Business constants and limits",
};

/** What is wrong with the map: a line that nothing holds and that waits for no issue, or a test that is not there. */
export function coverageGaps(): string[] {
  return SPEC_LINES.flatMap(({ section, line, tests = [], later }) => [
    ...(tests.length === 0 && !later ? [`§${section} ${line}: no test`] : []),
    ...tests.flatMap(([file, name]) => {
      const path = fileURLToPath(new URL(`../tests/${file}`, import.meta.url));
      const there = existsSync(path) && readFileSync(path, "utf8").includes(name);
      return there ? [] : [`§${section} ${line}: tests/${file} has no “${name}”`];
    }),
  ]);
}

/** `docs/spec-coverage.md` as it has to be. */
export function renderCoverage(): string {
  const part = (section: SpecLine["section"]) => {
    const rows = SPEC_LINES.filter((each) => each.section === section).map(({ line, tests = [], later }) => {
      const held = tests.map(([file, name]) => `\`tests/${file}\`: ${name}`).join("<br>");
      return `| ${line} | ${[held, later && `_${later}_`].filter(Boolean).join("<br>")} |`;
    });
    return `## ${section}. ${TITLES[section]}\n\n| Line of the specification | Held by |\n| --- | --- |\n${rows.join("\n")}\n`;
  };
  return `# What holds the specification\n\nWritten by \`npx tsx scripts/write-spec-coverage.ts\` from \`docs/spec-lines.json\`; a law compares the two.\n\n${(Object.keys(TITLES) as SpecLine["section"][]).map(part).join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = coverageGaps();
  for (const hole of found) console.error(hole);
  process.exitCode = found.length > 0 ? 1 : 0;
  writeFileSync(DOCUMENT, renderCoverage());
  console.log(`docs/spec-coverage.md is written: ${SPEC_LINES.length} lines, ${found.length} holes.`);
}
