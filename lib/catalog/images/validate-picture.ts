import { createHash } from "node:crypto";
import { drawInProcess, RefusedPicture } from "@/lib/platform/drawing-process";
import { reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { IMAGE_LIMIT_PIXELS } from "@/lib/platform/images/render";

/** Maximum size of a product picture, in bytes. */
export const IMAGE_LIMIT_BYTES = 5 * 1024 * 1024;

/** `drawn`: the pixels of a drawing, as WebP. */
export type Picture = { hash: string; mime: string; bytes: Buffer; drawn?: Buffer };

/** A picture that is refused, with its reason by name. */
export class InvalidPictureError extends Error {
  readonly reason: ReturnType<typeof reason>;
  constructor(error: ErrorName, values?: ErrorParams) {
    const why = reason(error, values);
    super(why.message);
    this.reason = why;
  }
}

const REFUSALS: Record<Exclude<RefusedPicture["error"], "vector">, ErrorName> = {
  unknown: "picture_type",
  type: "picture_type",
  broken: "picture_broken",
  pixels: "picture_pixels",
  small: "picture_small",
  complex: "picture_complex",
};

/** The error that gives the reason for refusing a picture. */
export function pictureError({ error, what }: RefusedPicture, smallest = 0): [ErrorName, ErrorParams] {
  if (error === "vector") return ["picture_vector", { part: what }];
  return [REFUSALS[error], { limit: error === "small" ? smallest : IMAGE_LIMIT_PIXELS / 1_000_000 }];
}

/**
 * A picture that decodes completely, with its size. A drawing is drawn once, here: the shop shows only its pixels.
 * `patient`: waits for its turn however long it takes.
 * @throws InvalidPictureError when it is too large, broken, of another type, or more than the shop draws; ShopError
 * pictures_busy
 */
export async function validatePicture(
  bytes: Buffer,
  { patient }: { patient: boolean },
): Promise<Picture & { width: number; height: number }> {
  if (bytes.length > IMAGE_LIMIT_BYTES) throw new InvalidPictureError("picture_large", { limit: 5 });
  try {
    const {
      mime = "",
      width = 0,
      height = 0,
      bytes: drawn,
    } = await drawInProcess("uploads", { job: "check" }, bytes, { patient });
    return { hash: pictureHash(bytes), mime, bytes, width, height, ...(drawn.length > 0 && { drawn }) };
  } catch (error) {
    if (!(error instanceof RefusedPicture)) throw error;
    throw new InvalidPictureError(...pictureError(error));
  }
}

/** The width and height of a picture that is not a drawing, in pixels. */
export async function pictureSize(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width = 0, height = 0 } = await drawInProcess("pages", { job: "size" }, bytes);
  return { width, height };
}

export const pictureHash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
