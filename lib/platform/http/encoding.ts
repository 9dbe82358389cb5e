import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { memoize } from "@/lib/platform/memoize";

export type Encoding = "identity" | "gzip" | "br";

/** The best encoding that an `Accept-Encoding` header accepts; `q=0` refuses one. */
export const acceptedEncoding = (accepted: string | string[] | undefined): Encoding =>
  bestOf(String(accepted ?? ""));

const bestOf = memoize((accepted): Encoding => {
  const offers = accepted
    .toLowerCase()
    .split(",")
    .filter((offer) => !/;\s*q=0(\.0*)?\s*$/.test(offer))
    .map((offer) => offer.split(";")[0]?.trim());
  return offers.includes("br") ? "br" : offers.includes("gzip") ? "gzip" : "identity";
}, 200);

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const brotliBytes = promisify(brotliCompress);
const gzipBytes = promisify(gzip);

/** Level 9 of gzip costs a sixth more than level 7 for 20 bytes of a page. */
export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "identity") return body;
  return encoding === "br" ? brotliBytes(body, BROTLI) : gzipBytes(body, { level: 7 });
}
