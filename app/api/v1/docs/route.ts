import { docsPage } from "@/lib/platform/api/docs-page";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "The reference page of this API",
    access: "public",
    result: binary("text/html"),
    errors: [],
  },
  docsPage,
);
