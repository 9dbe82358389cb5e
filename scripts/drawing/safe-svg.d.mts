/** A drawing that is refused: `what` names the part. */
export class RefusedSvg extends Error {
  error: "vector" | "complex" | "broken";
  what?: string;
}
/** The text of a file. @throws RefusedSvg */
export function readText(bytes: Uint8Array): string;
/** The drawing with what the shop draws. @throws RefusedSvg */
export function safeSvg(text: string): string;
