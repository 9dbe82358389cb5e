import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { memoize } from "@/lib/platform/memoize";

/**
 * The API reference page: Swagger UI shows /api/v1/openapi.json. All files come from this server, and the content
 * security policy of the page allows no others.
 */

/** Follows the system's colour scheme and starts the viewer. */
const START = `const dark = matchMedia("(prefers-color-scheme: dark)");
const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", apply);
apply();
SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
});
`;

/** Overrides of the viewer's styles: a plain header and narrow screens. */
const STYLE = `body { margin: 0; background: #fff; }
@media (prefers-color-scheme: dark) { html, body { background: #1c2022; } }
.swagger-ui .wrapper { max-width: 1180px; }
.swagger-ui .info { margin: 28px 0; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; word-break: break-word; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: 4px 0 0; word-break: normal; }
  .swagger-ui .table-container, .swagger-ui .responses-inner, .swagger-ui .opblock-body { overflow-x: auto; }
}
`;

export const DOCS_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "start.js", "page.css"] as const;
export type DocsFile = (typeof DOCS_FILES)[number];

/** Resolved at run time, because a bundler would include the whole viewer in the server. */
const viewerFolder = () =>
  dirname(createRequire(join(process.cwd(), "package.json")).resolve("swagger-ui-dist/package.json"));

const loadFile = memoize(async (file) => {
  if (file === "start.js") return START;
  return file === "page.css" ? STYLE : readFile(join(viewerFolder(), file), "utf8");
});

const publicResponse = (text: string, type: string, maxAgeSeconds: number) =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": `public, max-age=${maxAgeSeconds}`,
      "x-content-type-options": "nosniff",
    },
  });

export const docsFile = async (file: DocsFile): Promise<Response> =>
  publicResponse(await loadFile(file), file.endsWith(".js") ? "text/javascript" : "text/css", 3600);

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Passlane API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/v1/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/v1/docs/page.css">
</head>
<body>
<main id="reference"><noscript>This page needs JavaScript. The document itself: <a href="/api/v1/openapi.json">openapi.json</a></noscript></main>
<script src="/api/v1/docs/swagger-ui-bundle.js"></script>
<script src="/api/v1/docs/start.js"></script>
</body>
</html>
`;

export const docsPage = (): Response => publicResponse(PAGE, "text/html", 300);
