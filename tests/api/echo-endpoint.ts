import { z } from "zod";
import { endpoint } from "@/lib/platform/api/endpoint";
import { ActorFields } from "@/lib/platform/api/fields";
import { ShopError } from "@/lib/platform/errors";

/** A public endpoint that returns its input; `n: 409` is rejected with `sold_out`, `n: 500` throws an internal error. */
export const echo = endpoint(
  {
    summary: "Echo",
    access: "public",
    body: z.object({
      ...ActorFields,
      n: z.number(),
      deep: z.unknown().optional(),
      tags: z.array(z.string()).optional(),
    }),
    result: z.object({ n: z.number(), who: z.string(), tags: z.array(z.string()).optional() }),
    errors: ["sold_out"],
  },
  ({ body, viewer }) => {
    if (body.n === 409) throw new ShopError("sold_out");
    if (body.n === 500) throw new Error("the password is hunter2");
    const who = viewer.kind === "user" ? viewer.userId : "guest";
    return { n: body.n, who, tags: body.tags, secret: "stripped" };
  },
);
