import { cache } from "react";

/**
 * The part of a list's address that its query becomes inside, so that each page of it is static: `?sort=price_asc&page=2` is
 * `/price_asc/2` (next.config.ts). The order of a list without one is named `default`.
 */
const DEFAULT_SORT = "default";

export type ListPageProps<Names extends string = never> = {
  params: Promise<Record<"locale" | "surface" | Names, string> & { list?: string[] }>;
};
export type ListQuery = { sort?: string; page?: string };

/** The query of a list's path, the same object for the same path; null for any other path. */
export const listQuery = (segments: string[] | undefined): ListQuery | null =>
  parseSegments(segments?.join("/") ?? "");

const parseSegments = cache((path: string): ListQuery | null => {
  if (path === "") return {};
  const [sort, page, ...rest] = path.split("/");
  if (!page || rest.length > 0) return null;
  return { ...(sort !== DEFAULT_SORT && { sort }), page };
});
