export type PictureFormat = "avif" | "webp" | "png";

/** The smallest format that an Accept header names; else PNG. */
export function imageFormat(accept: string | null): PictureFormat {
  const ranges = (accept ?? "").toLowerCase().split(",");
  const accepts = (type: string) =>
    ranges.some((range) => {
      const [name, ...params] = range.split(";").map((part) => part.trim());
      return name === type && !params.some((param) => /^q=0(?:\.0*)?$/.test(param));
    });
  if (accepts("image/avif")) return "avif";
  return accepts("image/webp") ? "webp" : "png";
}

/** Whether an If-None-Match header contains the ETag. */
export function isNotModified(ifNoneMatch: string | null, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}

/**
 * The response with an image, or 304 when the client has it. A URL with the current version `v` never changes; an image
 * without a version stands in for another.
 */
export function imageResponse(
  request: Request,
  { bytes, etag, version }: { bytes: Uint8Array; etag: string; version: string | null },
  { format, v }: { format: PictureFormat; v?: string },
): Response {
  const headers = {
    "content-type": `image/${format}`,
    "cache-control":
      version === null
        ? "no-cache"
        : v === version
          ? "public, max-age=31536000, immutable"
          : "public, max-age=3600",
    etag,
    vary: "Accept",
    "x-content-type-options": "nosniff",
  };
  if (isNotModified(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}

/** The media type of drawings. */
export const DRAWING = "image/svg+xml";

/** The value of `image` columns without a picture; otherwise they hold the sha-256 of a stored picture. */
export const PLACEHOLDER = "placeholder";

/** The `v` of a picture's address; it changes with the picture. */
export const imageVersion = (image: string): string => image.slice(0, 12);

/** What can be uploaded for a product. The content decides, not the type that the browser declares. */
export const UPLOAD_TYPES = ["image/png", "image/jpeg", "image/webp", "image/avif", DRAWING];
export const UPLOAD_LIMIT_BYTES = 16 * 1024 * 1024;
