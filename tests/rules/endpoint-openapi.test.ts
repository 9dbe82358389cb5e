import { describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoint } from "@/lib/platform/api/endpoint";
import { openApiDocument } from "@/lib/platform/api/openapi";

describe("openApiDocument", () => {
  it("describes parameters, body, response and errors", () => {
    const handler = endpoint(
      {
        summary: "Buy",
        access: "user",
        params: z.object({ id: z.coerce.number().int() }),
        query: z.object({ page: z.coerce.number().default(1) }),
        body: z.object({ n: z.int() }),
        result: z.object({ ok: z.boolean() }),
        errors: ["sold_out", "purchase_limit"],
      },
      () => ({ ok: true }),
    );
    const document = openApiDocument([{ path: "/buy/[id]", method: "POST", handler }], "Test") as {
      // biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document
      paths: any;
      // biome-ignore lint/suspicious/noExplicitAny: the same
      components: any;
    };
    const { post } = document.paths["/buy/{id}"];
    const { schemas, responses } = document.components;
    expect(post.operationId).toBe("postBuyId");
    expect(post.parameters.map((p: { name?: string }) => p.name).slice(0, 2)).toEqual(["id", "page"]);
    expect(post.requestBody.content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/PostBuyIdBody",
    });
    expect(schemas.PostBuyIdBody.required).toEqual(["n"]);
    const conflict = responses[post.responses["409"].$ref.split("/").at(-1)];
    expect(conflict.description).toContain("`40901` purchase_limit");
    expect(Object.keys(post.responses)).toEqual([
      "200",
      "400",
      "401",
      "403",
      "409",
      "413",
      "415",
      "429",
      "500",
      "503",
      "504",
    ]);
  });
});
