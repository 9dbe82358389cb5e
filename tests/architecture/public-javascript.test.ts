import { describe } from "vitest";
import { getImports, type Import, packageName, reachableFiles } from "./imports";
import { check, isCode, isFile, lineNumber, parse, type Repository } from "./repository";
import { isPublic, listPageFiles, listPages } from "./routes";

const isClient = (repo: Repository, path: string) =>
  isCode(path) &&
  isFile(repo, path) &&
  repo.read(path).includes("use client") &&
  parse(repo, path).program.body.some((node) => "directive" in node && node.directive === "use client");

/** The files that public pages send to the browser: their "use client" files and all files that those reach. */
function browserFiles(repo: Repository, shouldFollow?: (edge: Import) => boolean): string[] {
  const pages = listPages(repo).filter(isPublic);
  const pageFiles = reachableFiles(repo, [
    ...new Set(pages.flatMap(({ file }) => listPageFiles(repo, file))),
  ]);
  const clientFiles = [...pageFiles].filter((path) => isClient(repo, path));
  return [...reachableFiles(repo, clientFiles, shouldFollow)].filter(
    (path) => isCode(path) && isFile(repo, path),
  );
}

const CONSOLE_PACKAGES = ["cmdk", "uqr", "otpauth"];

function rejectionReason({ specifier, target }: Import): string | undefined {
  const name = packageName(specifier);
  if (name === "zod") return "public pages do not need the 13 kB of zod";
  if (name?.startsWith("@stripe/")) return "payment code belongs in the checkout";
  if (name === "next-intl" || name === "use-intl") return "public client components get texts as props";
  if (/^messages\//.test(target)) return "messages stay on the server";
  if (/^lib\/.*\/contract/.test(target)) return "import only types from a contract";
  if (name && CONSOLE_PACKAGES.includes(name)) return "this package belongs in the staff console";
  if (/^(?:components|lib)\/(?:[^/]+\/)?(?:console|staff)\//.test(target)) return "code of the staff console";
  return undefined;
}

function forbiddenImports(repo: Repository): string[] {
  return browserFiles(repo).flatMap((path) =>
    getImports(repo, path).flatMap((edge) => {
      const reason = edge.typeOnly ? undefined : rejectionReason(edge);
      return reason
        ? [`${path}:${edge.line} imports ${edge.specifier} into public JavaScript: ${reason}`]
        : [];
    }),
  );
}

/** Zod tries `eval`, which the policy refuses and reports, and weighs 25 kB. */
const zodInBrowsers = (repo: Repository) =>
  [
    ...reachableFiles(
      repo,
      repo.files.filter((path) => path.startsWith("components/") && isClient(repo, path)),
    ),
  ]
    .filter((path) => isCode(path) && isFile(repo, path))
    .flatMap((path) =>
      getImports(repo, path)
        .filter(({ specifier, typeOnly }) => !typeOnly && packageName(specifier) === "zod")
        .map(({ line }) => `${path}:${line} imports zod into a browser: take constants from rules`),
    );

/** These create their formats on first use, on public pages after an interaction. */
const CREATED_ON_FIRST_USE = ["lib/platform/format.ts", "lib/platform/money.ts"];

/** The first Intl format of a browser takes 40 ms or more. Files loaded by `import()` may create one. */
const intlFormats = (repo: Repository) =>
  browserFiles(repo, (edge) => !edge.dynamic)
    .filter((path) => !CREATED_ON_FIRST_USE.includes(path))
    .flatMap((path) =>
      [...repo.read(path).matchAll(/new Intl\.\w+|\.toLocale(Date|Time)?String\(/g)].map(
        ({ 0: expression, index }) =>
          `${path}:${lineNumber(repo, path, index)} ${expression} in public JavaScript: format on the server`,
      ),
    );

/** next-intl's provider sends its messages to the browser. */
const providers = (repo: Repository) =>
  [
    ...reachableFiles(
      repo,
      listPages(repo)
        .filter(isPublic)
        .flatMap(({ file }) => listPageFiles(repo, file)),
    ),
  ]
    .filter((path) => isCode(path) && isFile(repo, path) && /<NextIntlClientProvider\b/.test(repo.read(path)))
    .map((path) => `${path}: NextIntlClientProvider above a public page sends its messages to the browser`);

/** The client sends the page's language and attribution with every call (docs/product.md#71-conventions). */
const ownFetches = (repo: Repository) =>
  repo.files
    .filter((path) => path.startsWith("components/") && isCode(path))
    .flatMap((path) =>
      [...repo.read(path).matchAll(/\bfetch\(/g)].map(
        ({ index }) => `${path}:${lineNumber(repo, path, index)} calls fetch: use lib/platform/api/client.ts`,
      ),
    );

describe("public JavaScript", () => {
  check("components call the API through its client", ownFetches);
  check(
    "client components of public pages import neither zod nor messages, and only types from contracts",
    forbiddenImports,
  );
  check("no client component reaches zod", zodInBrowsers);
  check("initial scripts of public pages create no Intl formats", intlFormats);
  check("no public page is below next-intl's client provider", providers);
});
