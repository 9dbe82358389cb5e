import { describe } from "vitest";
import { allImports } from "./imports";
import { law, sources } from "./tree";

const LINK = "components/ui/link.tsx";

describe("links", () => {
  law(
    `next/link is used in ${LINK} only`,
    (tree) =>
      allImports(tree, sources(tree))
        .filter(({ specifier, from }) => /^next\/(link|dist\/.*link)/.test(specifier) && from !== LINK)
        .map(({ from, line }) => `${from}:${line} imports next/link: use Link of @/components/ui/link`),
    {
      breaks: { "components/cart/row.tsx": 'import Link from "next/link";' },
      says: /row\.tsx:1 imports next\/link/,
      keeps: { [LINK]: 'import Link from "next/link";' },
    },
  );
});
