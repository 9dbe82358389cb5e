import { docsPage } from "@/lib/api-docs";
import { binary, endpoint } from "@/lib/endpoint";

export const GET = endpoint(
  {
    summary: "The reference page of this API",
    access: "public",
    result: binary("text/html"),
    errors: [],
  },
  docsPage,
);
