import { z } from "zod";
import { DOCS_FILES, docsFile } from "@/lib/platform/api/docs-page";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "A file of the reference page",
    access: "public",
    params: z.object({ file: z.enum(DOCS_FILES) }),
    result: binary("text/javascript"),
    errors: [],
    hidden: true,
  },
  ({ params }) => docsFile(params.file),
);
