import { z } from "zod";
import { rawEndpoint } from "@/lib/platform/api/endpoint";
import { BODY_LIMIT } from "@/lib/platform/api/input";
import { ShopError } from "@/lib/platform/errors";

/** Unknown paths answer with an error in the usual envelope. */
const unknownCall = rawEndpoint(
  {
    summary: "No such call",
    result: z.null(),
    errors: ["call_unknown"],
    limitBytes: BODY_LIMIT,
    hidden: true,
  },
  () => {
    throw new ShopError("call_unknown");
  },
);

export const GET = unknownCall;
export const POST = unknownCall;
export const PUT = unknownCall;
export const PATCH = unknownCall;
export const DELETE = unknownCall;
