import { routeOf } from "@/lib/platform/routing/routes";
import type { Tree } from "./tree";

/** A page of app/[locale], and the address that its folder names: `/product/[slug]`, `/mobile/cart`. */
export type Page = { file: string; address: string; surface: "desktop" | "mobile" | "console" };

const PAGE = /^app\/\[locale\]\/(.*?)\/?page\.tsx$/;

export function pagesOf(tree: Tree): Page[] {
  return tree.files.flatMap((file) => {
    const folders = PAGE.exec(file)?.[1]?.split("/").filter(Boolean);
    if (!folders) return [];
    const address = `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join("/")}`;
    const surface = folders.includes("(console)")
      ? "console"
      : folders[0] === "mobile"
        ? "mobile"
        : "desktop";
    return [{ file, address, surface }];
  });
}

/** An address with something in its gaps, so that the route table can be asked. */
export const filled = (address: string) => address.replace(/\[id\]/g, "1").replace(/\[\w+\]/g, "x");

/** What no one needs to sign in for. A page outside the route table counts, so that nothing slips through. */
export function isPublic({ address, surface }: Page, toDesktop: (path: string) => string): boolean {
  if (surface === "console") return false;
  const access = routeOf(filled(toDesktop(address)))?.access;
  return access === undefined || access === "public";
}

const SHELLS = ["layout", "template", "error", "not-found", "default"];

/** Every file of app/ that takes part in showing a page: its own, and those of the folders above. */
export function chainOf(tree: Tree, page: string): string[] {
  const folders = page.split("/").slice(0, -1);
  const above = folders.map((_, i) => folders.slice(0, i + 1).join("/"));
  return [page, ...above.flatMap((folder) => SHELLS.map((shell) => `${folder}/${shell}.tsx`))].filter(
    (file) => tree.files.includes(file),
  );
}

export const foldersAbove = (page: string) => {
  const folders = page.split("/").slice(0, -1);
  return folders.map((_, i) => folders.slice(0, i + 1).join("/"));
};
