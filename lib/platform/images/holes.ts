import type { Perforation } from "@/lib/platform/ticket";
import { HOLES_SIZE, holesPath, holesSvg } from "@/lib/platform/ticket-picture";
import { cachedImage, renderFigure } from "./render";

/** The picture of a perforation as PNG, from the memory cache. */
export const holesImage = (holes: Perforation): Promise<Buffer> =>
  cachedImage(`holes ${holesPath(holes)}`, () =>
    renderFigure(
      { mime: "image/svg+xml", bytes: Buffer.from(holesSvg(holes)) },
      { width: HOLES_SIZE.width, format: "png" },
    ),
  );
