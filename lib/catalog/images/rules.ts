export type PictureFormat = "avif" | "webp" | "png";

/** The smallest format that an Accept header names; else PNG. */
export function imageFormat(accept: string | null): PictureFormat {
  const ranges = (accept ?? "").toLowerCase().split(",");
  const takes = (type: string) =>
    ranges.some((range) => {
      const [name, ...params] = range.split(";").map((part) => part.trim());
      return name === type && !params.some((param) => /^q=0(?:\.0*)?$/.test(param));
    });
  if (takes("image/avif")) return "avif";
  return takes("image/webp") ? "webp" : "png";
}

/** Whether the client has this version. */
export function isNotModified(ifNoneMatch: string | null, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}

/** What `image` columns hold without a picture; else it is the sha-256 of a stored one. */
export const PLACEHOLDER = "placeholder";

/** The `v` of a picture's address; it changes with the picture. */
export const imageVersion = (image: string): string => image.slice(0, 24);
